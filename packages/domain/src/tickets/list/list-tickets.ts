import {
  type ListTicketsInput,
  parseSearchTerms,
  readChoice,
  type SearchTicketsInput,
  snoozedIn,
  type TicketFilter,
  type TicketPage,
  type TicketSort,
  ticketGroups,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { Sql } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { runSearch, tooMuchToSearch } from '../../platform/search/run-search.ts';
import type { Bind } from '../../platform/search/search-index.ts';
import type { SearchPlan } from '../../platform/search/search-records.ts';
import type { Services } from '../../platform/services.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { parseQuery, type Query, search } from '../search/search.ts';
import {
  type ExactTerms,
  exactTermsOf,
  matchExactly,
  withoutWords,
  wordsOf,
} from '../search/search-phrases.ts';
import { selectTicketRows, type TicketRow, toTicket } from '../ticket-row.ts';
import { openCursor, sealCursor } from './cursor.ts';
import { type Caller, type FilterInput, filterConditions, scansTickets } from './filters.ts';
import { afterCondition, isAmongLast, orderBy, sorts } from './sorts.ts';

/** The filters, order and size of a page. `q` has only words, or an id; `exact` is what else a search text asks for. */
interface TicketSearch extends FilterInput {
  q?: string | undefined;
  exact: ExactTerms | null;
  sort: TicketSort;
  limit: number;
  starting_after?: string | undefined;
}

/** Returns the words and the exact terms of a filter. */
function parseFilter(input: TicketFilter): Pick<TicketSearch, 'q' | 'exact'> & FilterInput {
  const { q = '', from, ...filter } = input;
  const terms = parseSearchTerms(q);
  return { ...filter, snoozed: snoozedIn(input), q: terms.words, exact: exactTermsOf(terms, from) };
}

/** {@link readList} for the filters of the console, whose search text has operators. */
export function searchTickets(
  ctx: AccountContext,
  { sort, limit, starting_after, ...filter }: z.infer<typeof SearchTicketsInput>,
): Promise<TicketPage> {
  return readList(ctx, { ...parseFilter(filter), sort, limit, starting_after });
}

/** {@link readList} for the filters of `/v1`. */
export function listTickets(ctx: AccountContext, input: ListTicketsInput): Promise<TicketPage> {
  return readList(ctx, { ...input, exact: null });
}

/**
 * Returns a page of the firm's tickets (contract §4.7). Reads one row more than the limit to know whether there is a next
 * page. A list by words, or by a filter that no index has, takes a share of the searches. Throws `invalid_cursor`, `unavailable`
 * for a search that takes too long, and `rate_limited` if too many searches of the account wait.
 */
async function readList(ctx: AccountContext, input: TicketSearch): Promise<TicketPage> {
  const { services, workspace } = ctx;
  const { starting_after: cursor, sort } = input;
  const after =
    cursor === undefined
      ? null
      : await services.secret.verify((secret) => openCursor(secret, cursor, sort, workspace.id));
  if (cursor !== undefined && after === null) throw new ApiError('invalid_cursor');
  const caller = await readCaller(ctx, input);
  const rows = await readPage(services, { db: ctx.db, workspaceId: workspace.id, input, caller, after });
  const page = rows.slice(0, input.limit);
  const last = rows.length > input.limit ? page.at(-1)! : null;
  return {
    data: page.map((row) => toTicket(ctx, row)),
    meta: {
      has_more: last !== null,
      next_cursor:
        last &&
        sealCursor(await services.secret.current(), {
          sort: input.sort,
          workspaceId: workspace.id,
          keys: sortValues(input.sort, last),
        }),
    },
  };
}

/**
 * Returns the ids of at most `limit` tickets of the firm that match a filter, in the queue's order. The account takes a share of the searches, also
 * without words: it reads many tickets. Throws as {@link searchTickets}.
 */
export async function findTicketIds(
  ctx: AccountContext,
  filter: TicketFilter,
  limit: number,
): Promise<string[]> {
  const input: TicketSearch = { ...parseFilter(filter), sort: 'queue', limit: limit - 1 };
  const caller = await readCaller(ctx, input);
  const request: PageRequest = {
    db: ctx.db,
    workspaceId: ctx.workspace.id,
    input,
    caller,
    after: null,
    idsOnly: true,
  };
  return (await readPage(ctx.services, request)).map(({ id }) => id);
}

interface PageRequest {
  db: Sql;
  workspaceId: number;
  input: TicketSearch;
  caller: Caller;
  /** The sort values of the row before the page. */
  after: (string | number)[] | null;
  /** Reads only the ids of the tickets, on a connection for searches. */
  idsOnly?: boolean;
}

/** Returns the caller as the filters need it. The teams are read only if `me` is among the agents. */
async function readCaller(
  { services, workspace, identity, now }: AccountContext,
  { assignee }: Pick<TicketFilter, 'assignee'>,
): Promise<Caller> {
  const { id, timezone } = identity.user;
  if (!readChoice(assignee)?.values.includes('me')) return { id, timezone, now, teams: [] };
  const { rows } = await services.pool.query<{ team_id: number }>({
    name: 'teams-of-agent',
    text: 'select team_id from team_members where workspace_id = $1 and user_id = $2',
    values: [workspace.id, id],
  });
  return { id, timezone, now, teams: rows.map(({ team_id }) => team_id) };
}

async function readPage(services: Services, request: PageRequest): Promise<TicketRow[]> {
  const query = parseQuery(request.input.q);
  const { exact } = request.input;
  if (exact !== null || (query !== null && 'words' in query)) {
    const words = query !== null && 'words' in query ? query.words : [];
    return runSearch(services, request.caller.id, (searchPool) =>
      exact === null
        ? searchWords({ searchPool }, request, words)
        : searchExactly({ searchPool }, request, words, exact),
    );
  }
  const [values, bind] = newParameters(request);
  const plan = { candidates: () => [], texts: () => [], limit: null, isListed: false };
  const text = pageStatement(request, bind, plan);
  const read = async (pool: Pool) =>
    (await pool.query<TicketRow>({ ...preparedName(request), text, values })).rows;
  return request.idsOnly || scansTickets(request.input)
    ? runSearch(services, request.caller.id, read)
    : services.replica.read(read, services.pool);
}

/** The tickets that are compared with phrases at once, and in one search. */
const COMPARED_AT_ONCE = 200;
const MAX_COMPARED = 20_000;
/** The messages that one search reads to compare them. */
const MAX_READ = 20_000;

/**
 * Finds the tickets that also have the exact terms: the pages of those with the words of the terms are compared one after the other,
 * until the page is full. Throws `unavailable` if too many tickets or messages have the words, and not the terms.
 */
async function searchExactly(
  services: Pick<Services, 'searchPool'>,
  request: PageRequest,
  words: readonly string[],
  exact: ExactTerms,
): Promise<TicketRow[]> {
  const wanted = request.input.limit + 1;
  const all = [...new Set([...words, ...wordsOf(exact)])];
  const found: TicketRow[] = [];
  const budget = { messages: MAX_READ };
  let { after } = request;
  for (let compared = 0; compared <= MAX_COMPARED; compared += COMPARED_AT_ONCE) {
    const page = { ...request, after, input: { ...request.input, limit: COMPARED_AT_ONCE - 1 } };
    const rows = await searchWords(services, page, all);
    found.push(...(await matchExactly(services, request.workspaceId, rows, exact, budget)));
    const last = rows.at(-1);
    if (found.length >= wanted || rows.length < COMPARED_AT_ONCE || !last) return found.slice(0, wanted);
    after = sortValues(request.input.sort, last);
  }
  throw tooMuchToSearch();
}

function sortValues(sort: TicketSort, row: TicketRow): (string | number)[] {
  return sorts[sort].keys.map(({ column }) => row[column as keyof TicketRow] as string | number);
}

function searchWords(
  services: Pick<Services, 'searchPool'>,
  request: PageRequest,
  words: readonly string[],
): Promise<TicketRow[]> {
  const { workspaceId, input } = request;
  const run = async <Row extends object>(statement: (bind: Bind) => string) => {
    const [values, bind] = newParameters(request);
    return (await services.searchPool.query<Row>({ text: statement(bind), values })).rows;
  };
  return search<TicketRow>(
    services,
    { workspaceId, words, rows: input.limit + 1 },
    {
      readPage: (plan) => run<TicketRow>((bind) => pageStatement(request, bind, plan)),
      exceedsLimit: async (plan) => {
        const candidates = (bind: Bind) => selectCandidates(request, bind, plan);
        return (await run((bind) => `${candidates(bind)} offset ${plan.limit} limit 1`)).length > 0;
      },
    },
  );
}

/** Returns the parameters of a statement, the firm's id first, and the function that adds one. */
function newParameters({ workspaceId }: PageRequest): [unknown[], Bind] {
  const values: unknown[] = [workspaceId];
  return [values, (value) => `$${values.push(value)}`];
}

function idConditions(query: Query | null, bind: Bind): string[] {
  if (query === null || 'words' in query) return [];
  return 'ticket' in query ? [`t.id = ${bind(query.ticket)}`] : [`t.trader_id = ${bind(query.trader)}`];
}

function pageStatement(request: PageRequest, bind: Bind, plan: SearchPlan): string {
  const { input } = request;
  const order = orderBy(sorts[input.sort], 't');
  const candidates = selectCandidates(request, bind, plan);
  const rows = input.limit + 1;
  const texts = [...plan.texts(bind), ...(input.exact ? withoutWords(input.exact, bind) : [])];
  const compared = plan.limit === null ? candidates : `${candidates} limit ${plan.limit}`;
  const chosen =
    texts.length === 0
      ? `${candidates} limit ${rows}`
      : `select t.* from (${compared}) t where ${texts.join(' and ')} limit ${rows}`;
  if (request.idsOnly && !input.exact) return `select t.id from (${chosen}) t`;
  return selectTicketRows({ firm: sql.raw('$1'), chosen: sql.raw(chosen), order }).compile(request.db).sql;
}

/** Selects the tickets that may be on the page, in the list's order. */
function selectCandidates({ input, caller, after }: PageRequest, bind: Bind, plan: SearchPlan): string {
  const sort = sorts[input.sort];
  const where = [
    't.workspace_id = $1',
    ...filterConditions(input, caller, bind),
    ...idConditions(parseQuery(input.q), bind),
    ...plan.candidates(bind),
  ];
  if (after) where.push(afterCondition(sort, 't', after, bind));
  return `select t.* from tickets t where ${where.join(' and ')} order by ${orderBy(sort, 't')}`;
}

/** The page sizes of prepared statements. */
const PREPARED_LIMITS = new Set([20, 50, 100]);

/**
 * Returns the name of the prepared statement for a list that is only filtered by status and snooze: at most 648 per connection. With
 * other filters the best plan depends on the values, so the statement is planned each time.
 */
function preparedName({ input, after, idsOnly = false }: PageRequest): { name?: string } {
  const { status = 'all', snoozed = 'all', sort, limit, starting_after: _, exact, ...others } = input;
  if (exact) return {};
  const isFilteredByStatusOnly =
    ticketGroups.some((group) => group === status) &&
    Object.values(others).every((value) => !value || readChoice(value) === null);
  if (!isFilteredByStatusOnly || idsOnly || !PREPARED_LIMITS.has(limit)) return {};
  const place = !after ? 'first' : isAmongLast(sorts[sort], after) ? 'last' : 'next';
  return { name: `tickets ${status} ${snoozed} ${sort} ${limit} ${place}` };
}

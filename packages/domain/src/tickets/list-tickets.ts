import type { ListTicketsInput, TicketPage } from '@firmdesk/contract';
import { sqlState } from '../platform/database-errors.ts';
import { ApiError } from '../platform/errors.ts';
import { FairSemaphore } from '../platform/fair-semaphore.ts';
import { installationSecret, verifyWithSecrets } from '../platform/installation-secret.ts';
import { queryPool } from '../platform/query-pool.ts';
import { readCurrent } from '../platform/replica.ts';
import { CONCURRENT_SEARCHES } from '../platform/search-pool.ts';
import type { Services } from '../platform/services.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { openCursor, sealCursor } from './cursor.ts';
import { type Bind, type Caller, filterConditions } from './filters.ts';
import { parseQuery, type Query, type SearchPlan, search } from './search.ts';
import { afterCondition, orderBy, sorts } from './sorts.ts';
import { selectTicketRows, type TicketRow, toTicket } from './ticket-row.ts';

const QUERY_CANCELED = '57014';

/** Searches share their connections fairly between accounts. */
const searchSemaphore = new FairSemaphore(CONCURRENT_SEARCHES);

/**
 * Returns a page of the firm's tickets (contract §4.7). Reads one row more than the limit to know whether there is a next
 * page. Throws `invalid_cursor`, `unavailable` for a search that takes too long, and `rate_limited` if too many searches of
 * the account wait.
 */
export async function listTickets(ctx: AccountContext, input: ListTicketsInput): Promise<TicketPage> {
  const { services, workspace } = ctx;
  const { starting_after: cursor, sort } = input;
  const after =
    cursor === undefined
      ? null
      : await verifyWithSecrets(services, (secret) => openCursor(secret, cursor, sort, workspace.id));
  if (cursor !== undefined && after === null) throw new ApiError('invalid_cursor');
  const caller = await readCaller(ctx, input);
  const rows = await readPage(services, { workspaceId: workspace.id, input, caller, after });
  const page = rows.slice(0, input.limit);
  const last = rows.length > input.limit ? page.at(-1)! : null;
  return {
    data: page.map((row) => toTicket(ctx, row)),
    meta: {
      has_more: last !== null,
      next_cursor:
        last &&
        sealCursor(await installationSecret(services), {
          sort: input.sort,
          workspaceId: workspace.id,
          keys: sorts[input.sort].keys.map(
            ({ column }) => last[column as keyof TicketRow] as string | number,
          ),
        }),
    },
  };
}

interface PageRequest {
  workspaceId: number;
  input: ListTicketsInput;
  caller: Caller;
  /** The sort values of the row before the page. */
  after: (string | number)[] | null;
}

/** Returns the caller as the filters need it. The teams are read only for `assignee=me`. */
async function readCaller(
  { services, workspace, identity }: AccountContext,
  { assignee }: ListTicketsInput,
): Promise<Caller> {
  const { id } = identity.user;
  if (assignee !== 'me') return { id, teams: [] };
  const { rows } = await queryPool<{ team_id: number }>(services.pool, {
    name: 'teams-of-agent',
    text: 'select team_id from team_members where workspace_id = $1 and user_id = $2',
    values: [workspace.id, id],
  });
  return { id, teams: rows.map(({ team_id }) => team_id) };
}

async function readPage(services: Services, request: PageRequest): Promise<TicketRow[]> {
  const query = parseQuery(request.input.q);
  if (query !== null && 'words' in query) {
    const run = () =>
      readCurrent(services, services.searchPool, (searchPool) =>
        searchWords({ searchPool }, request, query.words),
      );
    return searchSemaphore.run(request.caller.id, () => run().catch(throwSearchError));
  }
  const [values, bind] = newParameters(request);
  const plan = { candidates: (bind: Bind) => idConditions(query, bind), texts: () => [], limit: null };
  const text = pageStatement(request, bind, plan);
  const { rows } = await readCurrent(services, services.pool, (pool) =>
    queryPool<TicketRow>(pool, { ...preparedName(request), text, values }),
  );
  return rows;
}

function searchWords(
  services: Pick<Services, 'searchPool'>,
  request: PageRequest,
  words: readonly string[],
): Promise<TicketRow[]> {
  const { workspaceId, input } = request;
  const run = async <Row extends object>(statement: (bind: Bind) => string) => {
    const [values, bind] = newParameters(request);
    return (await queryPool<Row>(services.searchPool, { text: statement(bind), values })).rows;
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

/** Throws `unavailable` for a search that exceeded the statement timeout, and any other error as it is. */
function throwSearchError(error: unknown): never {
  if (sqlState(error) !== QUERY_CANCELED) throw error;
  throw new ApiError('unavailable', {
    message: 'The search took too long. Add a less common word.',
    retryAfterSeconds: 5,
    cause: error,
  });
}

function idConditions(query: Exclude<Query, { words: string[] }> | null, bind: Bind): string[] {
  if (query === null) return [];
  return 'ticket' in query ? [`t.id = ${bind(query.ticket)}`] : [`t.trader_id = ${bind(query.trader)}`];
}

function pageStatement(request: PageRequest, bind: Bind, plan: SearchPlan): string {
  const { input } = request;
  const order = orderBy(sorts[input.sort], 't');
  const candidates = selectCandidates(request, bind, plan);
  const rows = input.limit + 1;
  const texts = plan.texts(bind);
  if (texts.length === 0) return selectTicketRows(`${candidates} limit ${rows}`, order);
  const compared = plan.limit === null ? candidates : `${candidates} limit ${plan.limit}`;
  const chosen = `select t.* from (${compared}) t where ${texts.join(' and ')} limit ${rows}`;
  return selectTicketRows(chosen, order);
}

/** Selects the tickets that may be on the page, in the list's order. */
function selectCandidates({ input, caller, after }: PageRequest, bind: Bind, plan: SearchPlan): string {
  const sort = sorts[input.sort];
  const where = ['t.workspace_id = $1', ...filterConditions(input, caller, bind), ...plan.candidates(bind)];
  if (after) where.push(afterCondition(sort, 't', after.map(bind)));
  return `select t.* from tickets t where ${where.join(' and ')} order by ${orderBy(sort, 't')}`;
}

/** The page sizes of prepared statements. */
const PREPARED_LIMITS = new Set([20, 50, 100]);

/**
 * Returns the name of the prepared statement for a list that is only filtered by status: at most 180 per connection. With
 * other filters the best plan depends on the values, so the statement is planned each time.
 */
function preparedName({ input, after }: PageRequest): { name?: string } {
  const { status, assignee, team, priority, tag, q, sort, limit } = input;
  const isFilteredByStatusOnly =
    assignee === 'anyone' && team === 'any' && priority === 'all' && tag === 'all' && q === undefined;
  if (!isFilteredByStatusOnly || !PREPARED_LIMITS.has(limit)) return {};
  return { name: `tickets ${status} ${sort} ${limit} ${after ? 'next' : 'first'}` };
}

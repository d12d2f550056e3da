import type { ListTicketsInput, TicketPage } from '@firmdesk/contract';
import { sqlState } from '../platform/database-errors.ts';
import { ApiError } from '../platform/errors.ts';
import { FairSemaphore } from '../platform/fair-semaphore.ts';
import { installationSecret } from '../platform/installation-secret.ts';
import { SEARCH_CONNECTIONS } from '../platform/search-pool.ts';
import type { Services } from '../platform/services.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { openCursor, sealCursor } from './cursor.ts';
import { type Bind, type Caller, filterConditions } from './filters.ts';
import { parseQuery, planSearch, type Query, type SearchPlan } from './search.ts';
import { after, orderBy, sorts } from './sorts.ts';
import { selectTicketRows, type TicketRow, toTicket } from './ticket-row.ts';

const QUERY_CANCELED = '57014';

/** Accounts take turns at the connections for searches. */
const searchSemaphore = new FairSemaphore(SEARCH_CONNECTIONS);

/**
 * A page of the firm's tickets (contract §4.7). One more row than asked for tells whether there is a next page; nothing is
 * counted. Raises `invalid_cursor`, `unavailable` for a search that takes too long, and `rate_limited` where too many
 * searches of the account wait.
 */
export async function listTickets(ctx: AccountContext, input: ListTicketsInput): Promise<TicketPage> {
  const { services, workspace } = ctx;
  const secret = await installationSecret(services);
  const place =
    input.starting_after === undefined
      ? null
      : openCursor(secret, input.starting_after, input.sort, workspace.id);
  const caller = await callerOf(ctx, input);
  const rows = await readPage(services, { workspaceId: workspace.id, input, caller, place });
  const page = rows.slice(0, input.limit);
  const last = rows.length > input.limit ? page.at(-1)! : null;
  return {
    data: page.map(toTicket),
    meta: {
      has_more: last !== null,
      next_cursor:
        last &&
        sealCursor(secret, {
          sort: input.sort,
          workspaceId: workspace.id,
          keys: sorts[input.sort].keys.map(
            ({ column }) => last[column as keyof TicketRow] as string | number,
          ),
        }),
    },
  };
}

/** What a page is asked for by. */
interface Request {
  workspaceId: number;
  input: ListTicketsInput;
  caller: Caller;
  place: (string | number)[] | null;
}

async function callerOf(
  { services, identity }: AccountContext,
  { assignee }: ListTicketsInput,
): Promise<Caller> {
  const { id } = identity.user;
  if (assignee !== 'me') return { id, teams: [] };
  const { rows } = await services.pool.query<{ team_id: number }>({
    name: 'teams-of-agent',
    text: 'select team_id from team_members where user_id = $1',
    values: [id],
  });
  return { id, teams: rows.map(({ team_id }) => team_id) };
}

async function readPage(services: Services, request: Request): Promise<TicketRow[]> {
  const query = parseQuery(request.input.q);
  if (query !== null && 'words' in query) {
    const run = () => search(services, request, query.words).catch(explain);
    return searchSemaphore.run(request.caller.id, run);
  }
  const [values, bind] = parametersOf(request);
  const text = pageStatement(request, bind, { hits: null, conditions: wholeId(query, bind) });
  const { rows } = await services.pool.query<TicketRow>({ ...nameOf(request), text, values });
  return rows;
}

async function search(services: Services, request: Request, words: readonly string[]): Promise<TicketRow[]> {
  const { workspaceId, input } = request;
  const [values, bind] = parametersOf(request);
  const plan = await planSearch(services, { workspaceId, words, limit: input.limit + 1 }, bind);
  if (!plan) return [];
  const text = pageStatement(request, bind, plan);
  const { rows } = await services.searchPool.query<TicketRow>({ text, values });
  return rows;
}

/** The values of a statement, of which the firm is always the first. */
function parametersOf({ workspaceId }: Request): [unknown[], Bind] {
  const values: unknown[] = [workspaceId];
  return [values, (value) => `$${values.push(value)}`];
}

/** A search that was cut off can be mended by whoever asks. */
function explain(error: unknown): never {
  if (sqlState(error) !== QUERY_CANCELED) throw error;
  throw new ApiError('unavailable', {
    message: 'The search took too long; add a rarer word.',
    retryAfterSeconds: 5,
    cause: error,
  });
}

function wholeId(query: Exclude<Query, { words: string[] }> | null, bind: Bind): string[] {
  if (query === null) return [];
  return 'ticket' in query ? [`t.id = ${bind(query.ticket)}`] : [`t.trader_id = ${bind(query.trader)}`];
}

function pageStatement(
  { input, caller, place }: Request,
  bind: Bind,
  { hits, conditions }: SearchPlan,
): string {
  const sort = sorts[input.sort];
  const where = ['t.workspace_id = $1', ...filterConditions(input, caller, bind), ...conditions];
  if (place) where.push(after(sort, 't', place.map(bind)));
  const chosen = `
    select t.* from ${hits ? `(${hits}) hit join tickets t on t.id = hit.id` : 'tickets t'}
    where ${where.join(' and ')}
    order by ${orderBy(sort, 't')}
    limit ${input.limit + 1}`;
  return selectTicketRows(chosen, orderBy(sort, 't'));
}

/** Page sizes that a plain view is prepared with. */
const PREPARED_LIMITS = new Set([20, 50, 100]);

/**
 * The plain views are prepared: a group of the queue in an order, at most 180 statements a connection. With other filters
 * the plan depends on the values, and is made for them each time.
 */
function nameOf({ input, place }: Request): { name?: string } {
  const { status, assignee, team, priority, tag, q, sort, limit } = input;
  const isPlain =
    assignee === 'anyone' && team === 'any' && priority === 'all' && tag === 'all' && q === undefined;
  if (!isPlain || !PREPARED_LIMITS.has(limit)) return {};
  return { name: `tickets ${status} ${sort} ${limit} ${place ? 'next' : 'first'}` };
}

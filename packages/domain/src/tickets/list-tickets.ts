import type { ListTicketsInput, TicketPage } from '@firmdesk/contract';
import { sqlState } from '../platform/database-errors.ts';
import { ApiError } from '../platform/errors.ts';
import { FairSemaphore } from '../platform/fair-semaphore.ts';
import { installationSecret } from '../platform/installation-secret.ts';
import { queryPool } from '../platform/query-pool.ts';
import { SEARCH_CONNECTIONS } from '../platform/search-pool.ts';
import type { Services } from '../platform/services.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { openCursor, sealCursor } from './cursor.ts';
import { type Bind, type Caller, filterConditions } from './filters.ts';
import { parseQuery, planSearch, type Query, type SearchPlan } from './search.ts';
import { afterCondition, orderBy, sorts } from './sorts.ts';
import { selectTicketRows, type TicketRow, toTicket } from './ticket-row.ts';

const QUERY_CANCELED = '57014';

/** Searches share their connections fairly between accounts. */
const searchSemaphore = new FairSemaphore(SEARCH_CONNECTIONS);

/**
 * Returns a page of the firm's tickets (contract §4.7). Reads one row more than the limit to know whether there is a next
 * page. Throws `invalid_cursor`, `unavailable` for a search that takes too long, and `rate_limited` if too many searches of
 * the account wait.
 */
export async function listTickets(ctx: AccountContext, input: ListTicketsInput): Promise<TicketPage> {
  const { services, workspace } = ctx;
  const secret = await installationSecret(services);
  const after =
    input.starting_after === undefined
      ? null
      : openCursor(secret, input.starting_after, input.sort, workspace.id);
  const caller = await readCaller(ctx, input);
  const rows = await readPage(services, { workspaceId: workspace.id, input, caller, after });
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

interface PageRequest {
  workspaceId: number;
  input: ListTicketsInput;
  caller: Caller;
  /** The sort values of the row before the page. */
  after: (string | number)[] | null;
}

/** Returns the caller as the filters need it. The teams are read only for `assignee=me`. */
async function readCaller(
  { services, identity }: AccountContext,
  { assignee }: ListTicketsInput,
): Promise<Caller> {
  const { id } = identity.user;
  if (assignee !== 'me') return { id, teams: [] };
  const { rows } = await queryPool<{ team_id: number }>(services.pool, {
    name: 'teams-of-agent',
    text: 'select team_id from team_members where user_id = $1',
    values: [id],
  });
  return { id, teams: rows.map(({ team_id }) => team_id) };
}

async function readPage(services: Services, request: PageRequest): Promise<TicketRow[]> {
  const query = parseQuery(request.input.q);
  if (query !== null && 'words' in query) {
    const run = () => search(services, request, query.words).catch(throwSearchError);
    return searchSemaphore.run(request.caller.id, run);
  }
  const [values, bind] = newParameters(request);
  const text = pageStatement(request, bind, { candidates: null, conditions: idConditions(query, bind) });
  const { rows } = await queryPool<TicketRow>(services.pool, { ...preparedName(request), text, values });
  return rows;
}

async function search(
  services: Services,
  request: PageRequest,
  words: readonly string[],
): Promise<TicketRow[]> {
  const { workspaceId, input } = request;
  const [values, bind] = newParameters(request);
  const plan = await planSearch(services, { workspaceId, words, limit: input.limit + 1 }, bind);
  if (!plan) return [];
  const text = pageStatement(request, bind, plan);
  const { rows } = await queryPool<TicketRow>(services.searchPool, { text, values });
  return rows;
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

function pageStatement(
  { input, caller, after }: PageRequest,
  bind: Bind,
  { candidates, conditions }: SearchPlan,
): string {
  const sort = sorts[input.sort];
  const where = ['t.workspace_id = $1', ...filterConditions(input, caller, bind), ...conditions];
  if (after) where.push(afterCondition(sort, 't', after.map(bind)));
  const chosen = `
    select t.* from ${candidates ? `(${candidates}) c join tickets t on t.id = c.id` : 'tickets t'}
    where ${where.join(' and ')}
    order by ${orderBy(sort, 't')}
    limit ${input.limit + 1}`;
  return selectTicketRows(chosen, orderBy(sort, 't'));
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

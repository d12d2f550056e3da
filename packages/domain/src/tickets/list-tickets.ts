import type { ListTicketsInput, TicketPage } from '@firmdesk/contract';
import type { AccountContext } from '../kernel/context.ts';
import { ApiError } from '../kernel/errors.ts';
import { installationSecret } from '../kernel/installation-secret.ts';
import { sqlState } from '../kernel/to-api-error.ts';
import { openCursor, sealCursor } from './cursor.ts';
import { type Bind, filterConditions } from './filters.ts';
import { parseQuery, planSearch, type Query, type SearchPlan } from './search.ts';
import { after, orderBy, sorts } from './sorts.ts';
import { selectTicketRows, type TicketRow, toTicket } from './ticket-row.ts';

const QUERY_CANCELED = '57014';

/**
 * A page of the firm's tickets (contract §4.7). One more row than asked for tells whether there is a next page; nothing is
 * counted. Raises `invalid_cursor`, and `unavailable` for a search that takes too long.
 */
export async function listTickets(ctx: AccountContext, input: ListTicketsInput): Promise<TicketPage> {
  const { services, workspace } = ctx;
  const secret = await installationSecret(services);
  const place =
    input.starting_after === undefined
      ? null
      : openCursor(secret, input.starting_after, input.sort, workspace.id);
  const query = parseQuery(input.q);
  const rows = await readPage(ctx, input, query, place);
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

type Place = (string | number)[] | null;

async function readPage(
  ctx: AccountContext,
  input: ListTicketsInput,
  query: Query | null,
  place: Place,
): Promise<TicketRow[]> {
  if (query !== null && 'words' in query) return search(ctx, input, query.words, place).catch(explain);
  const { services, workspace } = ctx;
  const values: unknown[] = [workspace.id];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const text = pageStatement(ctx, input, place, bind, { hits: null, conditions: wholeId(query, bind) });
  const { rows } = await services.pool.query<TicketRow>({ ...nameOf(input, place), text, values });
  return rows;
}

async function search(
  ctx: AccountContext,
  input: ListTicketsInput,
  words: readonly string[],
  place: Place,
): Promise<TicketRow[]> {
  const { services, workspace } = ctx;
  const values: unknown[] = [workspace.id];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const plan = await planSearch(services, { workspaceId: workspace.id, words, limit: input.limit + 1 }, bind);
  if (!plan) return [];
  const text = pageStatement(ctx, input, place, bind, plan);
  const { rows } = await services.searchPool.query<TicketRow>({ text, values });
  return rows;
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
  { identity }: AccountContext,
  input: ListTicketsInput,
  place: Place,
  bind: Bind,
  { hits, conditions }: SearchPlan,
): string {
  const sort = sorts[input.sort];
  const where = ['t.workspace_id = $1', ...filterConditions(input, identity.user.id, bind), ...conditions];
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
function nameOf(input: ListTicketsInput, place: Place): { name?: string } {
  const { status, assignee, team, priority, tag, q, sort, limit } = input;
  const isPlain =
    assignee === 'anyone' && team === 'any' && priority === 'all' && tag === 'all' && q === undefined;
  if (!isPlain || !PREPARED_LIMITS.has(limit)) return {};
  return { name: `tickets ${status} ${sort} ${limit} ${place ? 'next' : 'first'}` };
}

import type { FirmTrader, FirmTraderPage, ListFirmTradersInput } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { FOLDED_NAME, matchesPerson } from '../../access/accounts/match-person.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { runSearch } from '../../platform/search/run-search.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

type Input = z.output<typeof ListFirmTradersInput>;
type Row = Omit<FirmTrader, 'object'> & { place: string };

/** The last row of a page: its sort, its value of the sort and its id, so that its place stays where it was when it is renamed or leaves. */
const Cursor = z.tuple([z.string(), z.string(), z.string()]);

/**
 * Returns a page of the firm's traders: those that match a text, in an order. Throws `invalid_cursor`, and `unavailable` and `rate_limited` as
 * other searches.
 */
export async function listTraders(
  { db, services, workspace, identity }: AccountContext,
  { q, sort, limit, starting_after }: Input,
): Promise<z.input<typeof FirmTraderPage>> {
  const isByName = sort === 'name' || sort === '-name';
  const isDown = sort.startsWith('-');
  const key = isByName ? sql.raw(FOLDED_NAME) : sql`m.created_at`;
  const direction = sql.raw(isDown ? 'desc' : 'asc');
  const conditions: RawBuilder<unknown>[] = [sql`m.workspace_id = ${workspace.id}`];
  if (q !== undefined) conditions.push(matchesPerson(q));
  if (starting_after !== undefined) {
    const { place, id } = readCursor(starting_after, sort);
    const type = sql.raw(isByName ? 'text' : 'timestamptz');
    conditions.push(sql`(${key}, m.user_id) ${sql.raw(isDown ? '<' : '>')} (${place}::${type}, ${id}::text)`);
  }
  const query = sql<Row>`
    select u.id, u.name, u.email, m.created_at, ${isByName ? key : sql`''`} as place
    from memberships m join users u on u.id = m.user_id
    where m.role = 'trader' and m.active and u.deleted_at is null and ${sql.join(conditions, sql` and `)}
    order by ${key} ${direction}, m.user_id ${direction}
    limit ${limit + 1}`;
  // By time the rows are read from an index. Otherwise all traders of the firm are read, as by a search.
  const { sql: text, parameters } = query.compile(db);
  const { rows } =
    q !== undefined || isByName
      ? await runSearch(services, identity.user.id, (pool) =>
          pool.query<Row>({ text, values: [...parameters] }),
        )
      : await query.execute(db);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1)! : null;
  return {
    data: page.map(({ place: _, ...row }) => ({ object: 'trader', ...row })),
    meta: {
      has_more: last !== null,
      next_cursor: last && writeCursor([sort, isByName ? last.place : last.created_at, last.id]),
    },
  };
}

function writeCursor(values: z.infer<typeof Cursor>): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

function readCursor(cursor: string, sort: Input['sort']): { place: string; id: string } {
  try {
    const [of, place, id] = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    const isPlace = sort.endsWith('name') || new Date(place).toISOString() === place;
    if (of === sort && isPlace && !(place + id).includes('\0')) return { place, id };
  } catch {
    // Not a cursor of this list.
  }
  throw new ApiError('invalid_cursor');
}

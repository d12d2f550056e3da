import { allFirms, nameKey, type Sql } from '@firmdesk/domain/import';
import { type RawBuilder, sql } from 'kysely';
import { formatPath, type Problem } from '../problems.ts';
import type { SeedList } from '../schema.ts';
import type { Chunk } from './chunk.ts';

/** Joins the rows of a table through their firms, so that a row is found by the primary key, in one firm after another. */
const inAnyFirm = (table: string, condition: RawBuilder<unknown>) =>
  sql`cross join workspaces w join ${sql.table(table)} t on t.workspace_id = w.id and ${condition}`;
const byId = (table: string) => inAnyFirm(table, sql`t.id = r.id`);
const bySerialId = (table: string) => inAnyFirm(table, sql`t.id = r.id::bigint`);
const inItsFirm = (table: string, condition: RawBuilder<unknown>) =>
  sql`join workspaces w on w.slug = r.firm join ${sql.table(table)} t on t.workspace_id = w.id and ${condition}`;
const isName = sql`lower(t.name) = lower(r.name)`;

/** Joins that find the existing rows of a list's records; `r` is the record. Each reads one table, because Citus cannot plan several. */
const searches: { [L in SeedList]?: readonly RawBuilder<unknown>[] } = {
  firms: [sql`join workspaces t on t.slug = r.slug`],
  users: [
    sql`join users t on t.id = r.id`,
    sql`join users t on lower(t.email) = lower(r.email) and t.deleted_at is null and not r.deleted`,
  ],
  mailboxes: [bySerialId('mailboxes'), sql`join mailbox_addresses t on t.address = lower(r.email)`],
  messages: [byId('mail_messages')],
  tags: [bySerialId('tags'), inItsFirm('tags', sql`${isName} and t.deleted_at is null and not r.deleted`)],
  calendars: [bySerialId('calendars')],
  events: [bySerialId('events')],
  teams: [bySerialId('teams'), inItsFirm('teams', isName)],
  macros: [byId('macros'), inItsFirm('macros', sql`t.name_key = r.name_key`)],
  tickets: [
    byId('tickets'),
    inItsFirm('tickets', sql`t.number = upper(right(r.id, 6))`),
    inAnyFirm('ticket_messages', sql`t.id = any(r.messages)`),
  ],
  ticket_views: [byId('ticket_views')],
  notifications: [inAnyFirm('notifications', sql`t.id = r.id::uuid`)],
  pre_registrations: [byId('affiliate_pre_registrations')],
};

/** Returns the first record whose id or unique key already exists in the database. */
export async function findConflict<L extends SeedList>(
  db: Sql,
  { list, first, records }: Chunk<L>,
): Promise<Problem | undefined> {
  const identities = JSON.stringify(records.map(identityOf));
  let conflict = Number.POSITIVE_INFINITY;
  for (const search of searches[list] ?? []) {
    const { rows } = await sql<{ i: number | null }>`${sql.raw(allFirms('import'))}
      select min(r.i) as i
      from json_to_recordset(${identities}::json) as r(
        i integer, id text, slug text, firm text, email text, name text, name_key text, deleted boolean, messages text[])
      ${search}`.execute(db);
    conflict = Math.min(conflict, rows[0]!.i ?? conflict);
  }
  return records[conflict] && alreadyExists(list, first + conflict, records[conflict]);
}

/** Returns the problem of a record that is already in the database. */
export function alreadyExists(list: SeedList, position: number, record: unknown): Problem {
  const { slug, email, key, app, calendar } = record as Partial<Record<string, string>>;
  return {
    path: formatPath([list, position]),
    message: `${slug ?? email ?? key ?? app ?? calendar} already exists`,
  };
}

/** Returns the fields that can conflict, so that bodies are not sent to the database. */
function identityOf(record: Partial<Record<string, unknown>>, i: number) {
  const { id, slug, firm, email, name, deleted, messages } = record;
  const ids = Array.isArray(messages) ? messages.map(({ id }) => id).filter((id) => id != null) : [];
  const name_key = typeof name === 'string' ? nameKey(name) : null;
  return { i, id, slug, firm, email, name, name_key, deleted, messages: ids };
}

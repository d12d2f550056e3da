import { allFirms, type Sql } from '@firmdesk/domain/import';
import { type RawBuilder, sql } from 'kysely';
import { formatPath, type Problem } from '../problems.ts';
import type { SeedList } from '../schema.ts';
import type { Chunk } from './chunk.ts';

/** Joins the rows of a table with their firm, so that a row is found by the primary key, in one firm after another. */
const ofAnyFirm = (table: string) => sql`workspaces w join ${sql.table(table)} t on t.workspace_id = w.id`;
const byId = (table: string) => sql<boolean>`exists (select from ${ofAnyFirm(table)} where t.id = r.id)`;
const bySerialId = (table: string) =>
  sql<boolean>`exists (select from ${ofAnyFirm(table)} where t.id = r.id::bigint)`;
const byName = (table: string, alive: RawBuilder<unknown>) => sql<boolean>`
  exists (select from ${sql.table(table)} t join workspaces w on w.id = t.workspace_id
    where w.slug = r.firm and lower(t.name) = lower(r.name) and ${alive})`;
const byEmail = (table: string, alive: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from ${sql.table(table)} t where lower(t.email) = lower(r.email) and ${alive})`;
const either = (...conditions: RawBuilder<boolean>[]) => sql<boolean>`(${sql.join(conditions, sql` or `)})`;
const always = sql`true`;

/** Conditions that find an existing row for a record of a list; `r` is the record. */
const searches: { [L in SeedList]?: RawBuilder<boolean> } = {
  firms: sql`exists (select from workspaces t where t.slug = r.slug)`,
  users: either(
    sql`exists (select from users t where t.id = r.id)`,
    sql`(not r.deleted and ${byEmail('users', sql`t.deleted_at is null`)})`,
  ),
  mailboxes: either(
    bySerialId('mailboxes'),
    sql`exists (select from mailbox_addresses t where t.address = lower(r.email))`,
  ),
  messages: byId('mail_messages'),
  tags: either(bySerialId('tags'), sql`(not r.deleted and ${byName('tags', sql`t.deleted_at is null`)})`),
  calendars: bySerialId('calendars'),
  events: bySerialId('events'),
  teams: either(bySerialId('teams'), byName('teams', always)),
  tickets: either(
    byId('tickets'),
    sql`exists (select from tickets t join workspaces w on w.id = t.workspace_id
      where w.slug = r.firm and t.number = upper(right(r.id, 6)))`,
    sql`exists (select from ${ofAnyFirm('ticket_messages')}
      join json_array_elements(r.messages) m on t.id = m ->> 'id')`,
  ),
  notifications: sql`exists (select from ${ofAnyFirm('notifications')} where t.id = r.id::uuid)`,
  pre_registrations: byId('affiliate_pre_registrations'),
};

/** Returns the first record whose id or unique key already exists in the database. */
export async function findConflict<L extends SeedList>(
  db: Sql,
  { list, first, records }: Chunk<L>,
): Promise<Problem | undefined> {
  const search = searches[list];
  if (!search) return undefined;
  const { rows } = await sql<{ i: number | null }>`${sql.raw(allFirms('import'))}
    select min(r.i) as i
    from json_to_recordset(${JSON.stringify(records.map((record, i) => identityOf(record, i)))}::json) as r(
      i integer, id text, slug text, firm text, email text, name text, deleted boolean, messages json)
    where ${search}`.execute(db);
  const i = rows[0]?.i;
  return i == null ? undefined : alreadyExists(list, first + i, records[i]!);
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
  const ids = Array.isArray(messages)
    ? messages.filter(({ id }) => id != null).map(({ id }) => ({ id }))
    : [];
  return { i, id, slug, firm, email, name, deleted, messages: ids };
}

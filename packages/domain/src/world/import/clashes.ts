import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../kernel/database.ts';
import { formatPath, type Problem } from '../problems.ts';
import type { WorldList, WorldRecord } from '../schema.ts';
import type { Chunk } from './chunk.ts';

/** How a record of a list is found among the rows that are there: `r` is the record, with its own fields. */
interface Search<L extends WorldList> {
  /** What a person calls the record. */
  name: (record: WorldRecord<L>) => string;
  where: RawBuilder<boolean>;
}

const byId = (table: string) => sql<boolean>`exists (select from ${sql.table(table)} t where t.id = r.id)`;
const byCount = (table: string) =>
  sql<boolean>`exists (select from ${sql.table(table)} t where t.id = r.id::integer)`;
const byName = (table: string, alive: RawBuilder<unknown>) => sql<boolean>`
  exists (select from ${sql.table(table)} t join workspaces w on w.id = t.workspace_id
    where w.slug = r.firm and lower(t.name) = lower(r.name) and ${alive})`;
const byEmail = (table: string, alive: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from ${sql.table(table)} t where lower(t.email) = lower(r.email) and ${alive})`;
const either = (...conditions: RawBuilder<boolean>[]) => sql<boolean>`(${sql.join(conditions, sql` or `)})`;
const always = sql`true`;
const key = ({ key }: { key: string }) => key;
const email = ({ email }: { email: string }) => email;

const searches: { [L in WorldList]?: Search<L> } = {
  firms: {
    name: ({ slug }) => slug,
    where: sql<boolean>`exists (select from workspaces t where t.slug = r.slug)`,
  },
  users: {
    name: email,
    where: either(
      byId('users'),
      sql<boolean>`(not r.deleted and ${byEmail('users', sql`t.deleted_at is null`)})`,
    ),
  },
  mailboxes: { name: email, where: either(byCount('mailboxes'), byEmail('mailboxes', always)) },
  messages: { name: key, where: byId('mail_messages') },
  tags: {
    name: key,
    where: either(
      byCount('tags'),
      sql<boolean>`(not r.deleted and ${byName('tags', sql`t.deleted_at is null`)})`,
    ),
  },
  calendars: { name: key, where: byCount('calendars') },
  events: { name: key, where: byCount('events') },
  teams: { name: key, where: either(byCount('teams'), byName('teams', always)) },
  tickets: {
    name: key,
    where: either(
      byId('tickets'),
      sql<boolean>`exists (select from tickets t join workspaces w on w.id = t.workspace_id
        where w.slug = r.firm and t.number = upper(right(r.id, 6)))`,
      sql<boolean>`exists (select from json_array_elements(r.messages) m join ticket_messages t on t.id = m ->> 'id')`,
    ),
  },
  notifications: {
    name: key,
    where: sql<boolean>`exists (select from notifications t where t.id = r.id::uuid)`,
  },
  pre_registrations: { name: key, where: byId('affiliate_pre_registrations') },
  devices: {
    name: ({ app }) => app,
    where: sql<boolean>`exists (select from devices t where t.app = r.app and t.device_token = lower(r.device_token))`,
  },
};

/** The first of the records that is in the database already, by its id or by what is unique there. */
export async function findClash<L extends WorldList>(
  db: Sql,
  { list, first, records }: Chunk<L>,
): Promise<Problem | undefined> {
  const search = searches[list];
  if (!search) return undefined;
  const { rows } = await sql<{ i: number | null }>`
    select min(r.i) as i
    from json_to_recordset(${JSON.stringify(records.map((record, i) => identityOf(record, i)))}::json) as r(
      i integer, id text, slug text, firm text, email text, name text, deleted boolean, app text, device_token text,
      messages json)
    where ${search.where}`.execute(db);
  const i = rows[0]?.i;
  if (i == null) return undefined;
  return { path: formatPath([list, first + i]), message: `${search.name(records[i]!)} is already there` };
}

/** The fields that may clash; a body is not sent to be compared with nothing. */
function identityOf(record: Partial<Record<string, unknown>>, i: number) {
  const { id, slug, firm, email, name, deleted, app, device_token, messages } = record;
  const ids = Array.isArray(messages)
    ? messages.filter(({ id }) => id != null).map(({ id }) => ({ id }))
    : [];
  return { i, id, slug, firm, email, name, deleted, app, device_token, messages: ids };
}

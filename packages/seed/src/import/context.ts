import type { OperationContext } from '@firmdesk/domain';
import type { Sql } from '@firmdesk/domain/import';
import { sql } from 'kysely';
import { SeedIndex } from '../seed-index.ts';
import { resolveTimestamp } from '../times.ts';
import { IdMap, type IdMapPart, type ImportResult } from './id-map.ts';
import type { SerialTable } from './ids.ts';

/** The user data that tickets show. */
export interface Person {
  id: string;
  name: string;
  email: string;
}

/** The state of an import, across its transactions. */
export interface ImportState {
  /** The time to which relative timestamps refer. */
  now: Date;
  idMap: IdMap;
  /** Workspace ids by slug: new and existing firms, and the platform. */
  workspaces: Map<string, number>;
  people: Map<string, Person>;
  /** The workspace of each mailbox, by their ids. */
  mailboxFirms: Map<number, number>;
  /** Tokens by key. */
  tokens: Map<string, { id: string; userId: string; workspaceId: number }>;
  /** The plaintext of each token by its key. */
  plaintexts: Map<string, string>;
  /** Contains every id that the file specifies. */
  index: SeedIndex;
  /** The highest integer id in the file, by table. */
  highestIds: Map<SerialTable, number>;
}

/** The state inside a transaction, as the writers of the lists use it. */
export interface ImportContext extends OperationContext, ImportState {
  sql: Sql;
}

/** Returns the state of a new import. */
export async function initialState(db: Sql, now: Date): Promise<ImportState> {
  const rows = await db.selectFrom('workspaces').select(['id', 'slug']).execute();
  const workspaces = new Map(rows.map(({ id, slug }) => [slug, id]));
  return {
    now,
    idMap: new IdMap(),
    workspaces,
    people: new Map(),
    mailboxFirms: new Map(),
    tokens: new Map(),
    plaintexts: new Map(),
    index: new SeedIndex(workspaces.keys()),
    highestIds: new Map(),
  };
}

/** Restores the state from earlier batches of the same import. */
export async function restoreState(db: Sql, state: ImportState, parts: readonly IdMapPart[]): Promise<void> {
  for (const part of parts) state.idMap.restore(part);
  const users = state.idMap.entries('users');
  const { rows } = await sql<Person>`
    select id, name, email from users where id = any(${users.map(([, id]) => id)})`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [key, id] of users) state.people.set(key, byId.get(id)!);
  const mailboxes = await db
    .selectFrom('mailbox_addresses')
    .select(['mailbox_id', 'workspace_id'])
    .where(
      'mailbox_id',
      '=',
      sql<number>`any(${state.idMap.entries('mailboxes').map(([, id]) => id)}::integer[])`,
    )
    .execute();
  for (const { mailbox_id, workspace_id } of mailboxes) state.mailboxFirms.set(mailbox_id, workspace_id);
}

/**
 * Returns the context for a transaction, with longer timeouts than calls have. On a distributed installation its statements run on one
 * server after the other: Citus refuses a transaction that writes a copied table after statements on several servers at once.
 */
export async function importContext(tx: OperationContext, state: ImportState): Promise<ImportContext> {
  const db = tx.db;
  await sql`
    select set_config('statement_timeout', '600s', true),
      set_config('idle_in_transaction_session_timeout', '600s', true),
      set_config('citus.multi_shard_modify_mode', 'sequential', true)`.execute(db);
  return { ...tx, ...state, sql: db };
}

/** Returns the result of a finished import. */
export function resultOf({ plaintexts, idMap }: ImportState): ImportResult {
  return { tokens: Object.fromEntries(plaintexts), ids: idMap.toIds(), reports: idMap.reports };
}

/** Resolves a timestamp of the file for PostgreSQL; an omitted one is null. */
export function timestampOf(ctx: Pick<ImportState, 'now'>, text: string): string;
export function timestampOf(ctx: Pick<ImportState, 'now'>, text: string | null | undefined): string | null;
export function timestampOf(
  { now }: Pick<ImportState, 'now'>,
  text: string | null | undefined,
): string | null {
  return text == null ? null : resolveTimestamp(text, now);
}

/** Returns the id of a workspace whose existence was checked before. */
export function workspaceId({ workspaces }: ImportContext, slug: string): number {
  const id = workspaces.get(slug);
  if (id === undefined) throw new Error(`The import has no workspace "${slug}".`);
  return id;
}

/** Returns the user with a key whose existence was checked before. */
export function person({ people }: ImportContext, key: string): Person {
  const found = people.get(key);
  if (!found) throw new Error(`The import has no user "${key}".`);
  return found;
}

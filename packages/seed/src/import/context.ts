import type { OperationContext } from '@firmdesk/domain';
import { type Sql, sqlOf } from '@firmdesk/domain/import';
import { sql } from 'kysely';
import { SeedIndex } from '../seed-index.ts';
import { resolveTimestamp } from '../times.ts';
import { IdMap, type IdMapPart, type ImportResult } from './id-map.ts';
import type { SerialTable } from './ids.ts';

/** A user as tickets show one. */
export interface Person {
  id: string;
  name: string;
  email: string;
}

/** What has come in so far, over all transactions of one import. */
export interface ImportState {
  /** The moment that relative timestamps are counted from. */
  now: Date;
  idMap: IdMap;
  /** Workspaces by slug: the firms of the file, those that were there before, and the platform. */
  workspaces: Map<string, number>;
  people: Map<string, Person>;
  /** Token ids by key. */
  tokens: Map<string, string>;
  /** The plaintext of each token by its key. */
  plaintexts: Map<string, string>;
  /** Knows every id that the file itself gives. */
  index: SeedIndex;
  /** The highest integer id that the file gives, by table. */
  highestIds: Map<SerialTable, number>;
}

/** What the writer of one list works with: the state, inside a transaction. */
export interface ImportContext extends OperationContext, ImportState {
  sql: Sql;
}

/** An import that has made nothing yet. */
export async function startState(db: Sql, now: Date): Promise<ImportState> {
  const rows = await db.selectFrom('workspaces').select(['id', 'slug']).execute();
  const workspaces = new Map(rows.map(({ id, slug }) => [slug, id]));
  return {
    now,
    idMap: new IdMap(),
    workspaces,
    people: new Map(),
    tokens: new Map(),
    plaintexts: new Map(),
    index: new SeedIndex(workspaces.keys()),
    highestIds: new Map(),
  };
}

/** Takes up what earlier batches of the same import have made. */
export async function restoreState(db: Sql, state: ImportState, parts: readonly IdMapPart[]): Promise<void> {
  for (const part of parts) state.idMap.restore(part);
  const users = state.idMap.entries('users');
  const { rows } = await sql<Person>`
    select id, name, email from users where id = any(${users.map(([, id]) => id)})`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [key, id] of users) state.people.set(key, byId.get(id)!);
}

/** The state inside a transaction. Writing many rows may take longer than a call may. */
export async function importContext(tx: OperationContext, state: ImportState): Promise<ImportContext> {
  const db = sqlOf(tx.em);
  await sql`
    select set_config('statement_timeout', '600s', true),
      set_config('idle_in_transaction_session_timeout', '600s', true)`.execute(db);
  return { ...tx, ...state, sql: db };
}

export function resultOf({ plaintexts, idMap }: ImportState): ImportResult {
  return { tokens: Object.fromEntries(plaintexts), ids: idMap.toIds(), reports: idMap.reports };
}

/** A timestamp of the file as PostgreSQL reads it; null where it is left out. */
export function moment(ctx: Pick<ImportState, 'now'>, text: string): string;
export function moment(ctx: Pick<ImportState, 'now'>, text: string | null | undefined): string | null;
export function moment({ now }: Pick<ImportState, 'now'>, text: string | null | undefined): string | null {
  return text == null ? null : resolveTimestamp(text, now);
}

export function workspaceId({ workspaces }: ImportContext, slug: string): number {
  const id = workspaces.get(slug);
  if (id === undefined) throw new Error(`The import knows no workspace "${slug}"`);
  return id;
}

export function person({ people }: ImportContext, key: string): Person {
  const found = people.get(key);
  if (!found) throw new Error(`The import has made no user "${key}"`);
  return found;
}

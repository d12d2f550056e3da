import { sql } from 'kysely';
import type { OperationContext } from '../platform/database/context.ts';
import { appendEvents } from '../platform/events/append-events.ts';

/** The subject of the events about a firm's macros. */
export const MACROS = 'macros';

/** Serializes the changes of a firm's macros until the transaction ends, and publishes that they change. */
export async function lockMacros(ctx: OperationContext & { workspace: { id: number } }): Promise<void> {
  const { id } = ctx.workspace;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`macros ${id}`}, 0))`.execute(ctx.db);
  await appendEvents(ctx, id, [{ subject: MACROS, type: 'macros.changed', body: {} }]);
}

/** Returns the form of a name in which the names of a firm's macros are unique. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

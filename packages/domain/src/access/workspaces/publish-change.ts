import type { FirmStreamEvent } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { appendEvents } from '../../platform/events/append-events.ts';

/** The subject of the events about a firm's settings. */
export const FIRM = 'firm';

/** A part of a firm's settings. */
export type FirmPart = Extract<FirmStreamEvent, { what: string }>['what'];

/** Serializes the changes of a firm's settings until the transaction ends, and publishes that parts of them change. Before any other lock. */
export async function publishChange(
  ctx: OperationContext,
  firmId: number,
  parts: readonly FirmPart[],
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`firm ${firmId}`}, 0))`.execute(ctx.db);
  const events = parts.map((what) => ({ subject: FIRM, type: 'firm.changed', body: { what } }));
  await appendEvents(ctx, firmId, events);
}

import type { FirmStreamEvent } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../platform/database/context.ts';
import { appendEvents } from '../platform/events/append-events.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/** The subject of the events about a firm's settings. */
export const FIRM = 'firm';

type Part = Extract<FirmStreamEvent, { what: string }>['what'];

/**
 * Serializes the changes of a firm's settings until the transaction ends, publishes that a part of them changes, and returns the context
 * in which the audit trail names the caller.
 */
export async function beginChange(ctx: AccountContext, what: Part): Promise<AccountContext> {
  await publishChange(ctx, ctx.workspace.id, [what]);
  return { ...ctx, actor: { kind: 'account', id: ctx.identity.user.id } };
}

/** {@link beginChange} of a firm in which the caller does not act yet. */
export async function publishChange(
  ctx: OperationContext,
  firmId: number,
  parts: readonly Part[],
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`firm ${firmId}`}, 0))`.execute(ctx.db);
  const events = parts.map((what) => ({ subject: FIRM, type: 'firm.changed', body: { what } }));
  await appendEvents(ctx, firmId, events);
}

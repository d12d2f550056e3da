import type { RawBuilder } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import type { TicketState } from '../ticket-state.ts';
import { assignmentWrites } from './assignment-writes.ts';
import { type Happening, ruleEventWrites } from './rule-event-writes.ts';

/**
 * Returns the writes with which a change of a locked ticket starts what the firm has automated: the assignment by its team, and its
 * rules. Jobs do the rest (`assign-waiting.ts`, `run-rules.ts`). None for a firm without either.
 */
export function automationWrites(
  ctx: OperationContext,
  before: TicketState,
  after: TicketState,
  happening: Happening = {},
): RawBuilder<unknown>[] {
  const { automation } = before;
  if (automation === null) return [];
  return [
    ...assignmentWrites(ctx, automation, before, after),
    ...ruleEventWrites(ctx, automation, before, after, happening),
  ];
}

import type { BulkChange } from '@firmdesk/contract';
import { invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { selectTickets, startBulkChange } from './start-bulk-change.ts';
import { findAction, readActionTargets } from './ticket-action.ts';

/** Returns the ids of an agent's tickets that are not ended, before the transaction that assigns them to another agent. */
export function findTicketsOf(ctx: AccountContext, agent: string): Promise<string[]> {
  const action = { set: 'assignee', assignee: null } as const;
  return selectTickets(ctx, {
    filter: { assignee: agent, status: 'open', snoozed: 'all' },
    except: [],
    action,
  });
}

/** Assigns tickets to an agent, or to nobody, in the background. Throws `validation_failed` for `field` if it is no agent who may answer. */
export async function reassignTickets(
  ctx: AccountContext,
  assignee: string | null,
  tickets: readonly string[],
  field: string,
): Promise<BulkChange> {
  const action = { set: 'assignee', assignee } as const;
  if (!findAction(action, await readActionTargets(ctx, ctx.workspace.id, [action])))
    throw invalidField(field, 'must be the id of another agent of this firm who may answer tickets');
  return startBulkChange(ctx, { action, except: [] }, tickets);
}

import type { BulkChange, StartBulkChangeInput } from '@firmdesk/contract';
import type { z } from 'zod';
import { invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { selectTickets, startBulkChange } from './start-bulk-change.ts';
import { findAction, readActionTargets } from './ticket-action.ts';

type Input = z.infer<typeof StartBulkChangeInput>;

/** To whom tickets are assigned: to an agent or a team, or to none. */
type Assignment = Extract<Input['action'], { set: 'assignee' | 'team' }>;

/** Returns the ids of the tickets of an agent or a team that are not ended, before the transaction that assigns them to another. */
export function findTicketsOf(
  ctx: AccountContext,
  of: { assignee: string } | { team: number },
): Promise<string[]> {
  const filter = {
    ...('team' in of ? { team: String(of.team) } : of),
    status: 'open',
    snoozed: 'all',
  } as const;
  return selectTickets(ctx, { filter, except: [], action: { set: 'assignee', assignee: null } });
}

/** Assigns tickets in the background. Throws `validation_failed` for `field` if it is no agent who may answer, or no team. */
export async function reassignTickets(
  ctx: AccountContext,
  action: Assignment,
  tickets: readonly string[],
  field: string,
): Promise<BulkChange> {
  if (!findAction(action, await readActionTargets(ctx, ctx.workspace.id, [action])))
    throw invalidField(
      field,
      action.set === 'team'
        ? 'must be the id of another team of this firm'
        : 'must be the id of another agent of this firm who may answer tickets',
    );
  return startBulkChange(ctx, { action, except: [] }, tickets);
}

import type { Ticket } from '@firmdesk/contract';

/** An SLA target that a ticket has to meet. */
export interface Due {
  target: 'first response' | 'resolution';
  at: string;
}

/** Returns what is due next; null if nothing is, also for a change of the status that is not saved yet. */
export function nextDue({ status, first_response_due_at, resolution_due_at }: Ticket): Due | null {
  if (status !== 'awaiting_admin') return null;
  if (
    first_response_due_at !== null &&
    !(resolution_due_at !== null && resolution_due_at < first_response_due_at)
  )
    return { target: 'first response', at: first_response_due_at };
  return resolution_due_at === null ? null : { target: 'resolution', at: resolution_due_at };
}

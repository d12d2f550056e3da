import type { TicketStatus } from '@firmdesk/contract';
import { ApiError } from '../kernel/errors.ts';

/** What moves a ticket from one state to another. */
export type TicketEvent =
  /** The trader wrote, and the assistant answers this ticket; or it does not. */
  | 'asked_assistant'
  | 'asked_team'
  /** The team, or the assistant on its command, wrote to the trader. */
  | 'answered'
  /** The assistant was taken off the ticket, or put on it. */
  | 'handed_to_team'
  | 'handed_to_assistant'
  /** The team said so. */
  | 'set_awaiting_admin'
  | 'set_awaiting_trader'
  | 'set_resolved'
  | 'set_closed';

type LiveStatus = Exclude<TicketStatus, 'resolved' | 'closed'>;

const always = (to: TicketStatus): Record<LiveStatus, TicketStatus> => ({
  open: to,
  awaiting_admin: to,
  awaiting_trader: to,
});

/** Every transition there is (contract §3.1, G-56). `resolved` and `closed` are final: nothing leads out of them. */
export const transitions: Record<TicketEvent, Record<LiveStatus, TicketStatus>> = {
  asked_assistant: always('open'),
  asked_team: always('awaiting_admin'),
  answered: always('awaiting_trader'),
  handed_to_team: {
    open: 'awaiting_admin',
    awaiting_admin: 'awaiting_admin',
    awaiting_trader: 'awaiting_trader',
  },
  handed_to_assistant: { open: 'open', awaiting_admin: 'open', awaiting_trader: 'awaiting_trader' },
  set_awaiting_admin: always('awaiting_admin'),
  set_awaiting_trader: always('awaiting_trader'),
  set_resolved: always('resolved'),
  set_closed: always('closed'),
};

export function isEnded(status: TicketStatus): status is 'resolved' | 'closed' {
  return status === 'resolved' || status === 'closed';
}

/** The state after an event. Raises `ticket_ended` where there is none. */
export function statusAfter(event: TicketEvent, status: TicketStatus): TicketStatus {
  if (isEnded(status)) throw new ApiError('ticket_ended');
  return transitions[event][status];
}

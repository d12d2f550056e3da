import type { MessageAuthor, TicketStatus } from '@firmdesk/contract';
import { ApiError } from '../platform/errors.ts';

/** What moves a ticket from one state to another. */
export type StatusEvent =
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

type ActiveStatus = Exclude<TicketStatus, 'resolved' | 'closed'>;

const always = (to: TicketStatus): Record<ActiveStatus, TicketStatus> => ({
  open: to,
  awaiting_admin: to,
  awaiting_trader: to,
});

/** Every transition there is (contract §3.1, G-56). `resolved` and `closed` are final: nothing leads out of them. */
export const transitions: Record<StatusEvent, Record<ActiveStatus, TicketStatus>> = {
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
export function statusAfter(event: StatusEvent, status: TicketStatus): TicketStatus {
  if (isEnded(status)) throw new ApiError('ticket_ended');
  return transitions[event][status];
}

/** A ticket that comes in from elsewhere, with its conversation. */
export interface ImportedTicket {
  status: TicketStatus;
  ai_enabled: boolean;
  messages: readonly { from: MessageAuthor; internal: boolean; at: string }[];
}

/**
 * Returns the state in which a ticket enters: one whose conversation another system has written. The assistant is off once
 * the team has answered (contract §3.1), and `open` means that the assistant answers. It does not answer what comes in from
 * elsewhere: the answers would reach many traders at once. An `open` ticket whose trader waits for an answer therefore
 * waits for the team, and one where the assistant is off waits for whoever did not write last.
 */
export function importedState({ status, ai_enabled, messages }: ImportedTicket): {
  status: TicketStatus;
  ai_enabled: boolean;
} {
  // What the service itself announces answers nobody.
  const words = messages.filter(({ from, internal }) => !internal && from !== 'system');
  const last = words.reduce<(typeof words)[number] | null>(
    (latest, word) => (latest && latest.at > word.at ? latest : word),
    null,
  );
  const isOn = ai_enabled && words.every(({ from }) => from !== 'admin');
  if (status !== 'open') return { status, ai_enabled: isOn };
  if (last?.from === 'trader') return { status: 'awaiting_admin', ai_enabled: isOn };
  if (isOn) return { status, ai_enabled: isOn };
  return { status: last ? 'awaiting_trader' : 'awaiting_admin', ai_enabled: isOn };
}

import type { MessageAuthor, TicketStatus } from '@firmdesk/contract';
import { ApiError } from '../../platform/process/errors.ts';

/** An event that can change a ticket's status. */
export type StatusEvent =
  /** The trader wrote while the assistant was on. */
  | 'asked_assistant'
  /** The trader wrote while the assistant was off. */
  | 'asked_team'
  /** The team or the assistant wrote to the trader. */
  | 'answered'
  /** The assistant was switched off. */
  | 'handed_to_team'
  /** The assistant was switched on. */
  | 'handed_to_assistant'
  /** The team set a status: this one and the next three. */
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

/** All transitions (contract §3.1, G-56). `resolved` and `closed` are final and have none. */
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

/** Returns whether a status is final. */
export function isEnded(status: TicketStatus): status is 'resolved' | 'closed' {
  return status === 'resolved' || status === 'closed';
}

/** Returns the status after an event. Throws `ticket_ended` for a final status. */
export function statusAfter(event: StatusEvent, status: TicketStatus): TicketStatus {
  if (isEnded(status)) throw new ApiError('ticket_ended');
  return transitions[event][status];
}

/**
 * Returns the status of a ticket that another one was merged into, from the statuses of both, neither of which is final. A
 * question to the assistant waits for the team if the assistant is off.
 */
export function mergedStatus(both: readonly [TicketStatus, TicketStatus], aiEnabled: boolean): TicketStatus {
  if (both.includes('awaiting_admin')) return 'awaiting_admin';
  if (both.includes('open')) return aiEnabled ? 'open' : 'awaiting_admin';
  return 'awaiting_trader';
}

/** A ticket of an import file, with its conversation. */
export interface ImportedTicket {
  status: TicketStatus;
  ai_enabled: boolean;
  messages: readonly { from: MessageAuthor; internal: boolean; at: string }[];
}

/**
 * Returns the status of an imported ticket, and whether the assistant is on. It is off once the team has answered (contract
 * §3.1). The assistant does not answer imported messages, because its answers would reach many traders at the same time. So
 * an `open` ticket waits for the team if the trader wrote last, and for the trader if the team did.
 */
export function importedState({ status, ai_enabled, messages }: ImportedTicket): {
  status: TicketStatus;
  ai_enabled: boolean;
} {
  // Notes and system messages neither need an answer nor are one.
  const written = messages.filter(({ from, internal }) => !internal && from !== 'system');
  const last = written.reduce<(typeof written)[number] | null>(
    (latest, message) => (latest && latest.at > message.at ? latest : message),
    null,
  );
  const isOn = ai_enabled && written.every(({ from }) => from !== 'admin');
  if (status !== 'open') return { status, ai_enabled: isOn };
  if (last?.from === 'trader') return { status: 'awaiting_admin', ai_enabled: isOn };
  if (isOn) return { status, ai_enabled: isOn };
  return { status: last ? 'awaiting_trader' : 'awaiting_admin', ai_enabled: isOn };
}

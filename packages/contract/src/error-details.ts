import type { TicketMessage } from './tickets.ts';

/** What an error says beside its code, for the codes that have more to say. */
export interface ErrorDetails {
  /** With `newer_messages`: the messages that the caller had not seen, oldest first. At most 20, the newest ones. */
  messages: TicketMessage[];
}

import type { TicketMessage } from '../tickets/tickets.ts';

/** What an error says beside its code, for the codes that have more to say. */
export interface ErrorDetails {
  /** With `newer_messages`: the messages that the caller had not seen, oldest first. At most 20, the newest ones. */
  messages?: TicketMessage[];
  /** With `second_factor_required`: what stands for the verified password in the next call. Over REST it is `error.challenge`. */
  challenge?: string;
  /** With `provider_required`: the slug of the firm. */
  workspace?: string;
}

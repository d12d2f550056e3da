import type { OperationContext } from '../platform/database/context.ts';
import type { TicketState } from './ticket-state.ts';

/**
 * The port by which tickets use the assistant. The assistant depends on tickets, because it writes messages; with this port
 * tickets do not depend on the assistant.
 */
export interface TicketAssistant {
  /** Requests an answer to the trader if the assistant answers this locked ticket. */
  answerTrader(ctx: OperationContext, ticket: TicketState): Promise<void>;
  /** Stops the replies that must no longer be written after a change of this locked ticket. Returns the ticket. */
  stopObsoleteRuns(ctx: OperationContext, ticket: TicketState): Promise<TicketState>;
}

declare module '../platform/services.ts' {
  interface Services {
    ticketAssistant: TicketAssistant;
  }
}

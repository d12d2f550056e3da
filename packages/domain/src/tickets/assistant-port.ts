import type { RawBuilder } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import type { TicketState } from './ticket-state.ts';

/**
 * The port by which tickets use the assistant. The assistant depends on tickets, because it writes messages; with this port
 * tickets do not depend on the assistant.
 */
export interface TicketAssistant {
  /** The statement that draws the id of a new run, to be sent with another one under the ticket's lock. */
  newRunId: RawBuilder<{ id: string }>;
  /**
   * Requests an answer to the trader if the assistant answers this locked ticket. By default it draws the run's id, which takes
   * a round trip.
   */
  answerTrader(ctx: OperationContext, ticket: TicketState, runId?: string): Promise<void>;
  /** Stops the replies that must no longer be written after a change of this locked ticket. Returns the ticket. */
  stopObsoleteRuns(ctx: OperationContext, ticket: TicketState): Promise<TicketState>;
}

declare module '../platform/services.ts' {
  interface Services {
    ticketAssistant: TicketAssistant;
  }
}

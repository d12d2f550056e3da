import type { OperationContext } from '../platform/context.ts';
import type { TicketState } from './changes.ts';

/**
 * What changes of a ticket ask of the assistant. The assistant writes to tickets and so depends on them: this port lets tickets
 * ask it without depending on it.
 */
export interface TicketAssistant {
  /** Has the assistant answer the trader who has just written, where it answers this locked ticket. */
  answerTrader(ctx: OperationContext, ticket: TicketState): Promise<void>;
  /** Whether an answer to the trader waits or is being written on this locked ticket. */
  isAnswering(ctx: OperationContext, ticketId: string): Promise<boolean>;
  /** Stops the replies that a change of this locked ticket has made needless. */
  stopObsoleteRuns(ctx: OperationContext, ticket: TicketState): Promise<void>;
}

declare module '../platform/services.ts' {
  interface Services {
    ticketAssistant: TicketAssistant;
  }
}

import type { TicketMessage } from '@firmdesk/contract';
import type { OperationContext } from '../platform/database/context.ts';
import type { TicketState } from './ticket-state.ts';

/** The port by which tickets use mail. */
export interface TicketMailer {
  /** Sends a reply, which the trader sees, by mail if the ticket came by mail. */
  sendReply(ctx: OperationContext, ticket: TicketState, message: TicketMessage): Promise<void>;
  /** Makes the mails of a ticket those of the one that it is merged into. */
  moveMails(ctx: OperationContext, workspaceId: number, from: string, into: string): Promise<void>;
}

declare module '../platform/services.ts' {
  interface Services {
    ticketMailer: TicketMailer;
  }
}

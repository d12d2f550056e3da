import type { Attachment, MailRecipient } from '@firmdesk/contract';
import type { OperationContext } from '../platform/database/context.ts';
import type { MailboxRef, TicketSenders } from './mailboxes/mailbox-directory.ts';

/** A mail to a support address. */
export interface TicketMail {
  mailbox: MailboxRef;
  from: MailRecipient;
  /** Null: it opens none, and continues one that it answers. */
  senders: TicketSenders | null;
  subject: string;
  /** The whole text, with what it quotes. */
  text: string;
  references: readonly string[];
  /** Whether nobody found that the sender's domain may not have sent it. */
  isTrusted: boolean;
  /** Its files, stored for the ticket. */
  files: readonly Attachment[];
}

/**
 * The port by which mail uses tickets. Replies to tickets are mail, so tickets depend on mail; with this port mail does not depend on tickets.
 */
export interface TicketInbox {
  /** Opens a ticket for a mail, or continues one. Returns the ticket; null if the mail stays mail. */
  receive(ctx: OperationContext, mail: TicketMail): Promise<string | null>;
  /** Opens a ticket of the sender of a mail, which a colleague wants. Null: the sender is no member, and cannot become one. */
  open(ctx: OperationContext, mail: TicketMail): Promise<{ id: string; number: string } | null>;
  /** Shows the team that a mail, which may be a reply on a ticket, did not reach the trader. `lines`: the recipients with the reasons. */
  notDelivered(ctx: OperationContext, workspaceId: number, mail: string, lines: string): Promise<void>;
}

declare module '../platform/services.ts' {
  interface Services {
    ticketInbox: TicketInbox;
  }
}

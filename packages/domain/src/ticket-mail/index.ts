import type { TicketInbox } from '../mail/index.ts';
import type { TicketMailer } from '../tickets/index.ts';
import { openTicketOf, receiveTicketMail } from './receive-ticket-mail.ts';
import { moveTicketMails, noteUndelivered, sendTicketReply } from './send-ticket-mail.ts';

/** Tickets by mail: what each of the two features needs of the other. */
export const ticketInbox: TicketInbox = {
  receive: receiveTicketMail,
  open: openTicketOf,
  notDelivered: noteUndelivered,
};
export const ticketMailer: TicketMailer = { sendReply: sendTicketReply, moveMails: moveTicketMails };

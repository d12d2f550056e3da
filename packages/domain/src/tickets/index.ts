/** What other features use of this one. */
export { addMessage, lockTicket, moveReplyToEnd, settleReply, type TicketState } from './changes.ts';
export { isEnded, statusAfter } from './status.ts';
export { tellReset } from './tell.ts';
export type { TicketAssistant } from './ticket-assistant.ts';

/** What other features may use of this one. */

export type { TicketAssistant } from './assistant-port.ts';
export { addMessage, finishReply, lockTicket, moveReplyToEnd, type TicketState } from './changes.ts';
export { publishReset } from './publish.ts';
export { isEnded, statusAfter } from './status.ts';

/** What other features may use of this one. */

export type { TicketAssistant } from './assistant-port.ts';
export { ASSISTANT, addMessage, finishReply, moveReplyToEnd } from './changes.ts';
export type { PendingRun } from './pending-run.ts';
export { publishReset } from './publish.ts';
export { deleteSentDraft } from './reply-drafts.ts';
export { isEnded, statusAfter } from './status.ts';
export { lockTicket, lockTicketAsSeen, type TicketState } from './ticket-state.ts';
export { openTicket } from './trader-messages.ts';

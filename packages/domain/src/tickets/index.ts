/** What other features may use of this one. */

export type { TicketAssistant } from './assistant-port.ts';
export { replaceTagInRules } from './automation/replace-tag.ts';
export { findTicketsOf, reassignTickets } from './bulk/reassign-tickets.ts';
export {
  ASSISTANT,
  addInternalMessage,
  addMessage,
  deleteMessages,
  finishReply,
  moveReplyToEnd,
} from './changes/changes.ts';
export { isEnded, statusAfter } from './changes/status.ts';
export { deleteSentDraft } from './drafts/reply-drafts.ts';
export type { TicketMailer } from './mail-port.ts';
export type { PendingRun } from './messages/pending-run.ts';
export {
  findTrader,
  openTicket,
  type WorkspaceContext,
  writeTraderMessage,
} from './messages/trader-messages.ts';
export { publishReset } from './streams/publish.ts';
export { lockTicket, lockTicketAsSeen, type TicketState } from './ticket-state.ts';

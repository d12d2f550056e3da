import {
  AssignInput,
  AssistantSettings,
  BlockAssistantInput,
  CountTicketsInput,
  DelayedSend,
  DelayedSendRef,
  DelayedSendState,
  FollowTicketInput,
  LinkTicketsInput,
  ListTicketHistoryInput,
  ListTicketMessagesInput,
  ListTicketsInput,
  MESSAGE_BODY_LIMIT,
  MergeTicketsInput,
  NoteInput,
  PreviewTicketsInput,
  ReplyDiscarded,
  ReplyDraftList,
  ReplyDraftSave,
  ReplyDraftsOfTicket,
  ReplyInput,
  ReplyTakenBack,
  ReplyTakenOver,
  SaveReplyDraftInput,
  SearchTicketsInput,
  SetPriorityInput,
  SetStatusInput,
  SetTagsInput,
  SnoozeInput,
  StartTicketInput,
  SupportDirectory,
  SwitchAssistantInput,
  Ticket,
  TicketCounts,
  TicketFollowing,
  TicketHistoryPage,
  TicketLinks,
  TicketMessage,
  TicketMessagePage,
  TicketPage,
  TicketPreviews,
  TicketRef,
  TicketStarted,
  TicketWithCan,
  UndoChangesInput,
  UndoEndInput,
  UnsentReplies,
  UnsentReplyRef,
  UpdateAssistantInput,
} from '@firmdesk/contract';
import { adminProcedure, NoInput, router } from '../procedures/trpc.ts';
import { slaRouter } from '../sla/index.ts';
import { getAssistantSettings, updateAssistantSettings } from './assistant-settings.ts';
import { assignmentRouter } from './automation/assignment-router.ts';
import { rulesRouter } from './automation/rules-router.ts';
import { bulkChangeRouter } from './bulk/bulk-change-router.ts';
import {
  assignTicket,
  blockAssistant,
  markRead,
  markUnread,
  setPriority,
  setStatus,
  setTags,
  switchAssistant,
} from './changes/edit-ticket.ts';
import { setFollowing } from './changes/followers.ts';
import { listTicketHistory } from './changes/list-ticket-history.ts';
import { endSnooze, snoozeTicket } from './changes/snooze.ts';
import { undoChanges } from './changes/undo-changes.ts';
import { undoEnd } from './changes/undo-end.ts';
import { getReplyDrafts, listReplyDrafts, saveReplyDraft } from './drafts/reply-drafts.ts';
import { discardReply, listUnsentReplies, takeOverReply } from './drafts/unsent-replies.ts';
import { getTicket } from './get-ticket.ts';
import { mergeTickets } from './links/merge-tickets.ts';
import { linkTickets, unlinkTickets } from './links/ticket-links.ts';
import { countTickets } from './list/count-tickets.ts';
import { getSupportDirectory } from './list/get-support-directory.ts';
import { listTickets, searchTickets } from './list/list-tickets.ts';
import { previewTickets } from './list/preview-tickets.ts';
import { delaySend, getDelayedSend, undoSend } from './messages/delayed-sends.ts';
import { listTicketMessages } from './messages/list-ticket-messages.ts';
import { addNote, replyToTrader } from './messages/team-messages.ts';
import { platformRouter } from './platform-router.ts';
import { startTicket } from './start-ticket.ts';
import { ticketViewRouter } from './views/ticket-view-router.ts';

const tag = 'Tickets';
const viewing = { tag, scope: 'admin:read', permissions: ['view_tickets'] } as const;
const managing = { tag, scope: 'admin:write', permissions: ['view_tickets', 'manage_tickets'] } as const;
const writing = { ...managing, largeBody: { limit: MESSAGE_BODY_LIMIT, maxConcurrent: 4 } };

export const ticketsRouter = router({
  list: adminProcedure({
    ...viewing,
    rest: 'GET /v1/admin/tickets',
    conditional: true,
    summary: 'List the firm’s support tickets',
    input: ListTicketsInput,
    output: TicketPage,
  }).query(({ ctx, input }) => listTickets(ctx, input)),

  search: adminProcedure({
    ...viewing,
    summary: 'List tickets by filters, with phrases and excluded words',
    input: SearchTicketsInput,
    output: TicketPage,
  }).query(({ ctx, input }) => searchTickets(ctx, input)),

  previews: adminProcedure({
    ...viewing,
    summary: 'Read the beginnings of the latest messages of tickets',
    input: PreviewTicketsInput,
    output: TicketPreviews,
  }).query(({ ctx, input }) => previewTickets(ctx, input)),

  counts: adminProcedure({
    ...viewing,
    summary: 'Count the tickets of each group of the queue',
    input: CountTicketsInput,
    output: TicketCounts,
  }).query(({ ctx, input }) => countTickets(ctx, input)),

  get: adminProcedure({
    ...viewing,
    summary: 'Get a ticket and what the caller can do with it',
    errors: ['resource_not_found'],
    input: TicketRef,
    output: TicketWithCan,
  }).query(({ ctx, input }) => getTicket(ctx, input)),

  messages: adminProcedure({
    ...viewing,
    summary: 'List a ticket’s conversation, newest first',
    errors: ['resource_not_found'],
    input: ListTicketMessagesInput,
    output: TicketMessagePage,
  }).query(({ ctx, input }) => listTicketMessages(ctx, input)),

  history: adminProcedure({
    ...viewing,
    summary: 'List the changes of a ticket, newest first',
    errors: ['resource_not_found'],
    input: ListTicketHistoryInput,
    output: TicketHistoryPage,
  }).query(({ ctx, input }) => listTicketHistory(ctx, input)),

  desk: adminProcedure({
    ...viewing,
    summary: 'List the agents, teams and tags of the firm',
    input: NoInput,
    output: SupportDirectory,
  }).query(({ ctx }) => getSupportDirectory(ctx)),

  reply: adminProcedure({
    ...writing,
    summary: 'Reply to the trader',
    status: [201],
    errors: ['resource_not_found', 'ticket_ended', 'newer_messages'],
    input: ReplyInput,
    output: TicketMessage,
  }).mutation(({ ctx, input }) => replyToTrader(ctx, input)),

  holdReply: adminProcedure({
    ...writing,
    summary: 'Send a reply to the trader after some seconds, during which its author can take it back',
    status: [201],
    errors: ['resource_not_found', 'ticket_ended', 'newer_messages'],
    input: ReplyInput,
    output: DelayedSend,
  }).mutation(({ ctx, input }) => delaySend(ctx, input)),

  heldReply: adminProcedure({
    ...viewing,
    summary: 'Get whether a reply of the caller is delayed, was sent, or is a draft again',
    errors: ['resource_not_found'],
    input: DelayedSendRef,
    output: DelayedSendState,
  }).query(({ ctx, input }) => getDelayedSend(ctx, input)),

  takeBackReply: adminProcedure({
    ...managing,
    summary: 'Undo a delayed send, so that the reply is not sent',
    errors: ['resource_not_found', 'reply_sent'],
    input: DelayedSendRef,
    output: ReplyTakenBack,
  }).mutation(async ({ ctx, input }) => {
    await undoSend(ctx, input);
    return { object: 'reply_taken_back' as const, id: input.id };
  }),

  unsentReplies: adminProcedure({
    ...viewing,
    summary: 'List the replies of a ticket that may no longer be sent and are kept for the team',
    permissions: managing.permissions,
    errors: ['resource_not_found'],
    input: TicketRef,
    output: UnsentReplies,
  }).query(({ ctx, input }) => listUnsentReplies(ctx, input)),

  takeOverReply: adminProcedure({
    ...managing,
    summary: 'Add an unsent reply to the caller’s draft, unless a colleague was faster',
    errors: ['resource_not_found', 'ticket_ended'],
    input: UnsentReplyRef,
    output: ReplyTakenOver,
  }).mutation(({ ctx, input }) => takeOverReply(ctx, input)),

  discardReply: adminProcedure({
    ...managing,
    summary: 'Delete an unsent reply',
    errors: ['resource_not_found'],
    input: UnsentReplyRef,
    output: ReplyDiscarded,
  }).mutation(({ ctx, input }) => discardReply(ctx, input)),

  addNote: adminProcedure({
    ...writing,
    summary: 'Add a note for the team',
    status: [201],
    errors: ['resource_not_found', 'ticket_ended', 'newer_messages'],
    input: NoteInput,
    output: TicketMessage,
  }).mutation(({ ctx, input }) => addNote(ctx, input)),

  follow: adminProcedure({
    ...managing,
    summary: 'Follow a ticket: its new messages of the trader notify the caller; or end that',
    permissions: ['view_tickets'],
    errors: ['resource_not_found'],
    input: FollowTicketInput,
    output: TicketFollowing,
  }).mutation(({ ctx, input }) => setFollowing(ctx, input)),

  drafts: adminProcedure({
    ...viewing,
    summary: 'List the caller’s unsent replies and notes, without their texts',
    input: NoInput,
    output: ReplyDraftList,
  }).query(({ ctx }) => listReplyDrafts(ctx)),

  draftsOf: adminProcedure({
    ...viewing,
    summary: 'Get the caller’s unsent reply and note of a ticket',
    errors: ['resource_not_found'],
    input: TicketRef,
    output: ReplyDraftsOfTicket,
  }).query(({ ctx, input }) => getReplyDrafts(ctx, input)),

  saveDraft: adminProcedure({
    ...writing,
    summary: 'Save an unsent reply or note, unless another device has saved a newer one',
    errors: ['resource_not_found', 'ticket_ended'],
    input: SaveReplyDraftInput,
    output: ReplyDraftSave,
  }).mutation(({ ctx, input }) => saveReplyDraft(ctx, input)),

  assign: adminProcedure({
    ...managing,
    summary: 'Assign a ticket to an agent or a team, or unassign it',
    errors: ['resource_not_found'],
    input: AssignInput,
    output: Ticket,
  }).mutation(({ ctx, input }) => assignTicket(ctx, input)),

  setPriority: adminProcedure({
    ...managing,
    summary: 'Set a ticket’s priority',
    errors: ['resource_not_found'],
    input: SetPriorityInput,
    output: Ticket,
  }).mutation(({ ctx, input }) => setPriority(ctx, input)),

  setTags: adminProcedure({
    ...managing,
    summary: 'Set a ticket’s tags',
    errors: ['resource_not_found'],
    input: SetTagsInput,
    output: Ticket,
  }).mutation(({ ctx, input }) => setTags(ctx, input)),

  undoChanges: adminProcedure({
    ...managing,
    summary: 'Undo changes of a ticket that nobody has changed since',
    errors: ['resource_not_found', 'undo_expired', 'ticket_ended', 'assistant_unavailable'],
    input: UndoChangesInput,
    output: Ticket,
  }).mutation(({ ctx, input }) => undoChanges(ctx, input)),

  undoEnd: adminProcedure({
    ...managing,
    summary: 'Undo that a ticket was resolved or closed, within 15 seconds',
    errors: ['resource_not_found', 'ticket_ended'],
    input: UndoEndInput,
    output: Ticket,
  }).mutation(({ ctx, input }) => undoEnd(ctx, input)),

  setStatus: adminProcedure({
    ...managing,
    summary: 'Set a ticket’s status, or resolve or close it',
    errors: ['resource_not_found', 'ticket_ended'],
    input: SetStatusInput,
    output: Ticket,
  }).mutation(({ ctx, input }) => setStatus(ctx, input)),

  markRead: adminProcedure({
    ...managing,
    summary: 'Mark a ticket’s messages as read',
    permissions: ['view_tickets'],
    errors: ['resource_not_found'],
    input: TicketRef,
    output: Ticket,
  }).mutation(({ ctx, input }) => markRead(ctx, input)),

  markUnread: adminProcedure({
    ...managing,
    summary: 'Mark the latest message of a ticket’s trader as unread',
    permissions: ['view_tickets'],
    errors: ['resource_not_found'],
    input: TicketRef,
    output: Ticket,
  }).mutation(({ ctx, input }) => markUnread(ctx, input)),

  snooze: adminProcedure({
    ...managing,
    summary: 'Snooze a ticket until a time or until the trader writes',
    errors: ['resource_not_found', 'ticket_ended'],
    input: SnoozeInput,
    output: Ticket,
  }).mutation(({ ctx, input }) => snoozeTicket(ctx, input)),

  endSnooze: adminProcedure({
    ...managing,
    summary: 'End the snooze of a ticket',
    errors: ['resource_not_found'],
    input: TicketRef,
    output: Ticket,
  }).mutation(({ ctx, input }) => endSnooze(ctx, input)),

  start: adminProcedure({
    ...managing,
    summary: 'Open a ticket for a trader, with a reply or a note',
    errors: ['resource_not_found'],
    status: [201],
    input: StartTicketInput,
    output: TicketStarted,
  }).mutation(({ ctx, input }) => startTicket(ctx, input)),

  link: adminProcedure({
    ...managing,
    summary: 'Link two tickets with each other',
    errors: ['resource_not_found'],
    input: LinkTicketsInput,
    output: TicketLinks,
  }).mutation(({ ctx, input }) => linkTickets(ctx, input)),

  unlink: adminProcedure({
    ...managing,
    summary: 'Remove the link between two tickets',
    errors: ['resource_not_found'],
    input: LinkTicketsInput,
    output: TicketLinks,
  }).mutation(({ ctx, input }) => unlinkTickets(ctx, input)),

  merge: adminProcedure({
    ...managing,
    summary: 'Merge a ticket into another one of the same trader, which cannot be undone',
    errors: ['resource_not_found', 'ticket_ended'],
    input: MergeTicketsInput,
    output: Ticket,
  }).mutation(({ ctx, input }) => mergeTickets(ctx, input)),

  switchAssistant: adminProcedure({
    ...managing,
    summary: 'Switch the assistant on or off for the trader; once the team has replied it stays off',
    errors: ['resource_not_found', 'ticket_ended', 'assistant_unavailable'],
    input: SwitchAssistantInput,
    output: Ticket,
  }).mutation(({ ctx, input }) => switchAssistant(ctx, input)),

  blockAssistant: adminProcedure({
    ...managing,
    summary: 'Block or unblock the assistant for the trader',
    errors: ['resource_not_found'],
    input: BlockAssistantInput,
    output: Ticket,
  }).mutation(({ ctx, input }) => blockAssistant(ctx, input)),

  assistantSettings: adminProcedure({
    ...viewing,
    summary: 'Get the assistant’s settings and how much of its allowance is used',
    input: NoInput,
    output: AssistantSettings,
  }).query(({ ctx }) => getAssistantSettings(ctx)),

  updateAssistantSettings: adminProcedure({
    ...managing,
    summary: 'Change the assistant’s settings',
    permissions: ['manage_assistant'],
    input: UpdateAssistantInput,
    output: AssistantSettings,
  }).mutation(({ ctx, input }) => updateAssistantSettings(ctx, input)),

  bulkChanges: bulkChangeRouter,

  assignment: assignmentRouter,

  rules: rulesRouter,

  serviceTargets: slaRouter,

  views: ticketViewRouter,

  platform: platformRouter,
});

import {
  AskAssistantInput,
  AssistantStopped,
  CommandUndone,
  DraftReplyInput,
  DraftStreamEvent,
  StopAssistantInput,
  TicketMessage,
  UndoCommandInput,
} from '@firmdesk/contract';
import { trackedStreamOf } from '../procedures/tracked-stream.ts';
import { adminProcedure, router } from '../procedures/trpc.ts';
import { draftReply } from './drafts/draft-reply.ts';
import { askAssistant, stopAssistant, undoCommand } from './runs/team-commands.ts';

/** Part of the router `tickets`: the team's commands to the assistant. */
export const assistantRouter = router({
  askAssistant: adminProcedure({
    rest: 'POST /v1/admin/tickets/{ticket}/ai',
    tag: 'Tickets',
    summary: 'Ask the AI assistant to write the next reply',
    description:
      'Stores the instruction as an internal note and returns that. The reply is then streamed to the ticket’s viewers, and ' +
      'stored. If the assistant cannot write it, a note with the event `ai_command_failed` states the reason, and the trader ' +
      'sees nothing. Each call counts against the firm’s monthly allowance.',
    status: [201],
    errors: ['resource_not_found', 'newer_messages', 'ticket_ended', 'assistant_unavailable'],
    scope: 'admin:write',
    permissions: ['view_tickets', 'manage_tickets'],
    input: AskAssistantInput,
    output: TicketMessage,
  }).mutation(({ ctx, input }) => askAssistant(ctx, input)),

  draftReply: adminProcedure({
    tag: 'Tickets',
    summary: 'Let the assistant draft a reply for the caller, who can edit and send it',
    description:
      'The text is streamed to the caller only, and is not stored. Each call counts against the firm’s monthly allowance.',
    errors: ['resource_not_found', 'ticket_ended', 'assistant_unavailable'],
    scope: 'admin:write',
    permissions: ['view_tickets', 'manage_tickets'],
    input: DraftReplyInput,
    output: trackedStreamOf(DraftStreamEvent),
  }).subscription(({ ctx, input, signal }) => draftReply(ctx, input, signal!)),

  stopAssistant: adminProcedure({
    tag: 'Tickets',
    summary: 'Stop the assistant’s replies on a ticket',
    errors: ['resource_not_found'],
    scope: 'admin:write',
    permissions: ['view_tickets', 'manage_tickets'],
    input: StopAssistantInput,
    output: AssistantStopped,
  }).mutation(({ ctx, input }) => stopAssistant(ctx, input)),

  undoCommand: adminProcedure({
    tag: 'Tickets',
    summary: 'Undo a command of the caller to the assistant while its reply is written',
    description:
      'The note with the instruction and what is written of the reply are deleted, and the ticket is as before. The call still counts against the ' +
      'firm’s monthly allowance. Viewers get `resync`.',
    errors: ['resource_not_found', 'reply_sent'],
    scope: 'admin:write',
    permissions: ['view_tickets', 'manage_tickets'],
    input: UndoCommandInput,
    output: CommandUndone,
  }).mutation(({ ctx, input }) => undoCommand(ctx, input)),
});

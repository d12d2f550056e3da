import {
  AttendThreadInput,
  EmptyTrashInput,
  idOf,
  ListThreadsInput,
  MAX_CORRESPONDENTS,
  MailRecipient,
  MailThreadPage,
  MailThreadsChanged,
  MailThreadsMoved,
  MailTicketOpened,
  MarkThreadsInput,
  MessagesChanged,
  MoveThreadsInput,
  OpenMailThread,
  RestoreMessagesInput,
  SnoozeThreadsInput,
  ThreadPresenceEvent,
  TicketTag,
  TrashEmptied,
} from '@firmdesk/contract';
import { z } from 'zod';
import { listTags } from '../../access/workspaces/find-tags.ts';
import { trackedStreamOf } from '../../procedures/tracked-stream.ts';
import { accountProcedure, adminProcedure, NoInput, router } from '../../procedures/trpc.ts';
import { listCorrespondents } from '../mailboxes/list-correspondents.ts';
import { openTicketOfMail, prepareTicketOfMail } from '../messages/open-ticket.ts';
import { restoreMessages } from '../messages/restore-message.ts';
import { emptyTrash } from '../messages/trash.ts';
import { attendThread } from '../streams/attend-thread.ts';
import { getThread } from './get-thread.ts';
import { listThreads } from './list-threads.ts';
import { markThreads } from './mark-threads.ts';
import { moveThreads } from './move-threads.ts';
import { snoozeThreads } from './snooze-threads.ts';

const tag = 'Mail';

/** Conversations as the console shows them: lists, marks, and what acts on whole conversations. Only typed. */
export const threadsRouter = router({
  list: accountProcedure({
    tag,
    summary: 'List conversations, newest first',
    scope: 'mail:read',
    errors: ['resource_not_found', 'invalid_cursor'],
    input: ListThreadsInput,
    output: MailThreadPage,
  }).query(({ ctx, input }) => listThreads(ctx, input)),

  get: accountProcedure({
    tag,
    summary: 'Open the conversation of a message',
    scope: 'mail:read',
    errors: ['resource_not_found'],
    input: z.object({ id: idOf('mailMessage') }),
    output: OpenMailThread,
  }).query(({ ctx, input }) => getThread(ctx, input)),

  move: accountProcedure({
    tag,
    summary: 'Move conversations to a folder',
    scope: 'mail:write',
    input: MoveThreadsInput,
    output: MailThreadsMoved,
  }).mutation(({ ctx, input }) => moveThreads(ctx, input)),

  mark: accountProcedure({
    tag,
    summary: 'Mark conversations: read or unread, with a star, with tags',
    scope: 'mail:write',
    input: MarkThreadsInput,
    output: MailThreadsChanged,
  }).mutation(async ({ ctx, input }) => ({
    object: 'mail_threads_changed' as const,
    changed: await markThreads(ctx, input),
  })),

  snooze: accountProcedure({
    tag,
    summary: 'Snooze conversations',
    scope: 'mail:write',
    input: SnoozeThreadsInput,
    output: MailThreadsChanged,
  }).mutation(async ({ ctx, input }) => ({
    object: 'mail_threads_changed' as const,
    changed: await snoozeThreads(ctx, input),
  })),

  restoreMessages: accountProcedure({
    tag,
    summary: 'Restore messages from trash, spam or archive',
    scope: 'mail:write',
    input: RestoreMessagesInput,
    output: MessagesChanged,
  }).mutation(async ({ ctx, input }) => ({
    object: 'mail_messages_changed' as const,
    changed: await restoreMessages(ctx, input),
  })),

  emptyTrash: accountProcedure({
    tag,
    summary: 'Delete the messages in the trash of a mailbox permanently',
    scope: 'mail:write',
    errors: ['resource_not_found'],
    input: EmptyTrashInput,
    output: TrashEmptied,
  }).mutation(async ({ ctx, input }) => ({
    object: 'mail_trash_emptied' as const,
    ...(await emptyTrash(ctx, input)),
  })),

  attend: accountProcedure({
    tag,
    summary:
      'Show colleagues that the caller has a conversation open, and follow who has, until the subscription ends',
    scope: 'mail:read',
    errors: ['resource_not_found'],
    input: AttendThreadInput,
    output: trackedStreamOf(ThreadPresenceEvent),
  }).subscription(({ ctx, input, signal }) => attendThread(ctx, input, signal!)),

  openTicket: adminProcedure({
    tag,
    summary: 'Open a ticket from a received message',
    description:
      'For the trader with the address of the sender, with the text and the files of the message. Mail of strangers opens tickets where a support address takes it, and makes ' +
      'traders of them. A message opens one ticket.',
    scope: 'admin:write',
    permissions: ['view_tickets', 'manage_tickets'],
    errors: ['resource_not_found'],
    input: z.object({ id: idOf('mailMessage') }),
    output: MailTicketOpened,
    prepare: prepareTicketOfMail,
  }).mutation(({ ctx, input }) => openTicketOfMail(ctx, input)),

  tags: accountProcedure({
    tag,
    summary: 'List the tags of the firm',
    scope: 'mail:read',
    input: NoInput,
    output: z.array(TicketTag),
  }).query(({ ctx }) => listTags(ctx)),

  correspondents: accountProcedure({
    tag,
    summary: `List people to write to, at most ${MAX_CORRESPONDENTS}`,
    scope: 'mail:read',
    input: NoInput,
    output: z.array(MailRecipient),
  }).query(({ ctx }) => listCorrespondents(ctx)),
});

import * as z from 'zod';
import { TicketTag } from '../tickets/tickets.ts';
import { folders } from '../values/enumerations.ts';
import { fieldErrorCodes, Limit, pageOf, Timestamp } from '../values/fields.ts';
import { IntegerId, idOf } from '../values/ids.ts';
import {
  MAX_MESSAGES_PER_CALL,
  MAX_THREAD_MESSAGES,
  MAX_THREAD_TAGS,
  MAX_THREADS_PER_CALL,
} from '../values/limits.ts';
import { FilingFolder, Folder, MailListRow, MailRecipient } from './mail.ts';

/** What a list of conversations shows: a folder, or the conversations with a mark, outside of spam and trash. */
export const MailView = z.enum([...folders, 'starred', 'snoozed']);
export type MailView = z.infer<typeof MailView>;

/** The marks of a conversation, which all readers of its mailbox share. */
const threadMarks = {
  is_starred: z.boolean(),
  snoozed_until: Timestamp.nullable(),
  tags: z.array(TicketTag),
};

/** A conversation in a list. Its counts are of its newest {@link MAX_THREAD_MESSAGES} messages outside of spam and trash, or of those in the folder. */
export const MailThreadRow = z.object({
  object: z.literal('mail_thread'),
  id: IntegerId,
  address_id: IntegerId,
  /** Its newest message in the view. */
  message: MailListRow,
  messages: z.int(),
  unread: z.int(),
  drafts: z.int(),
  has_files: z.boolean(),
  /** Who wrote, each once: the first one, and the last ones. */
  participants: z.array(MailRecipient),
  ...threadMarks,
});
export type MailThreadRow = z.infer<typeof MailThreadRow>;

export const ListThreadsInput = z.object({
  address_id: z.int(),
  view: MailView.default('inbox'),
  /** Only conversations with this tag, in all folders but spam and trash. */
  tag: z.int().optional(),
  unread: z.boolean().default(false),
  limit: Limit,
  starting_after: z.string().max(500).optional().register(fieldErrorCodes, { code: 'invalid_cursor' }),
});

export const MailThreadPage = pageOf(MailThreadRow);

/** The ticket of a message. */
const MailTicket = z.object({ id: idOf('ticket'), number: z.string() });

/** `opened`: whether the ticket is new. */
export const MailTicketOpened = z.object({
  object: z.literal('mail_ticket'),
  ticket: MailTicket,
  opened: z.boolean(),
});
export type MailTicketOpened = z.infer<typeof MailTicketOpened>;

/** A message of an open conversation. `in_reply_to`: of a draft or a message that was sent here, the message that it answers. */
const ThreadMessage = MailListRow.extend({
  in_reply_to: idOf('mailMessage').nullable(),
  has_files: z.boolean(),
  /** The account that has sent it from here; null for other messages. */
  author: z.object({ id: idOf('user'), name: z.string() }).nullable(),
  /** The ticket that it has opened, or in which it is a message; null for other messages. */
  ticket: MailTicket.nullable(),
});
export type ThreadMessage = z.infer<typeof ThreadMessage>;

/** A conversation, opened by one of its messages: its newest messages, oldest first, without those in spam and trash unless that message is there. */
export const OpenMailThread = z.object({
  object: z.literal('mail_thread'),
  id: IntegerId,
  address_id: IntegerId,
  /** Whether it has older messages. */
  has_earlier: z.boolean(),
  messages: z.array(ThreadMessage),
  ...threadMarks,
});
export type OpenMailThread = z.infer<typeof OpenMailThread>;

const ThreadIds = z.array(z.int()).min(1).max(MAX_THREADS_PER_CALL);

/** The tags of conversations. Those that the caller cannot read are ignored. */
const Tags = z.array(z.int()).max(MAX_THREAD_TAGS).default([]);

/** `from`: the folder from which the conversations are moved, for those in spam or trash. */
export const MoveThreadsInput = z.object({
  threads: ThreadIds,
  to: FilingFolder,
  from: z.enum(['spam', 'trash']).optional(),
});

export const MailThreadsMoved = z.object({
  object: z.literal('mail_threads_moved'),
  /** The messages that moved, with the folder in which each was. */
  moved: z.array(z.object({ id: idOf('mailMessage'), folder: Folder })),
});
export type MailThreadsMoved = z.infer<typeof MailThreadsMoved>;

export const MarkThreadsInput = z.object({
  threads: ThreadIds,
  is_read: z.boolean().optional(),
  is_starred: z.boolean().optional(),
  add_tags: Tags,
  remove_tags: Tags,
});

/** `until`: null ends the snooze. */
export const SnoozeThreadsInput = z.object({
  threads: ThreadIds,
  until: Timestamp.nullable().meta({ examples: [null] }),
});

export const MailThreadsChanged = z.object({ object: z.literal('mail_threads_changed'), changed: z.int() });

export const EmptyTrashInput = z.object({ address_id: z.int() });

/** `has_more`: call again to go on. */
export const TrashEmptied = z.object({
  object: z.literal('mail_trash_emptied'),
  deleted: z.int(),
  has_more: z.boolean(),
});

export const RestoreMessagesInput = z.object({
  ids: z.array(idOf('mailMessage')).min(1).max(MAX_MESSAGES_PER_CALL),
});

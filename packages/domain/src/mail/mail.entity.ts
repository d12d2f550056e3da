import type {
  Folder,
  LeftOutFiles,
  MailAttachment,
  MailboxSettings,
  MailRecipient,
  MailRule,
  SenderCheck,
} from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../access/accounts/user.entity.ts';
import { Workspace } from '../access/workspaces/workspace.entity.ts';

/** The automatic answer of a mailbox, in the name of the account that has set it. */
export type Absence = MailboxSettings['absence'] & { user_id: string };

/** A rule of a mailbox, which forwards as long as the account that has set it may write from the mailbox. */
export type StoredRule = MailRule & { user_id: string };

export const MailboxSchema = defineEntity({
  name: 'Mailbox',
  tableName: 'mailboxes',
  properties: {
    id: p.integer().primary().autoincrement(),
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    email: p.text(),
    name: p.text(),
    createdAt: p.datetime(3),
    /** Plain text below what is written from it. */
    signature: p.text().default(''),
    /** The automatic answer; null if there was never one. */
    absence: p.json().$type<Absence>().nullable(),
    /** In the order in which they run. */
    rules: p
      .json()
      .$type<StoredRule[]>()
      .default('[]')
      // Instead of the default, which a new entity would take for a text.
      .onCreate(() => []),
  },
});
export class Mailbox extends MailboxSchema.class {}
MailboxSchema.setClass(Mailbox);

/**
 * The mailbox of each address, over all firms: delivery knows only the address, and two firms cannot have the same one. Each
 * mailbox has a row, which is written with it.
 */
export const MailboxAddressSchema = defineEntity({
  name: 'MailboxAddress',
  tableName: 'mailbox_addresses',
  properties: {
    /** In lower case. */
    address: p.text().primary(),
    workspaceId: p.integer(),
    mailboxId: p.integer(),
    /** Whose mail to the address opens tickets; null if it is mail. */
    tickets: p.text().$type<'members' | 'anyone'>().nullable(),
  },
});
export class MailboxAddress extends MailboxAddressSchema.class {}
MailboxAddressSchema.setClass(MailboxAddress);

/** A reader of a mailbox. `notify` is the reader's own switch for push. */
export const MailboxMemberSchema = defineEntity({
  name: 'MailboxMember',
  tableName: 'mailbox_members',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    mailboxId: p.integer().primary(),
    userId: p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
    canWrite: p.boolean().default(true),
    notify: p.boolean().default(true),
  },
});
export class MailboxMember extends MailboxMemberSchema.class {}
MailboxMemberSchema.setClass(MailboxMember);

/** A conversation within a mailbox. Code, tables and the wire call it a thread. */
export const MailThreadSchema = defineEntity({
  name: 'MailThread',
  tableName: 'mail_threads',
  properties: {
    id: p.integer().columnType('bigint').primary().autoincrement(),
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    mailboxId: p.integer(),
    createdAt: p.datetime(3),
    isStarred: p.boolean().default(false),
    /** Until then the console leaves it out of the inbox. */
    snoozedUntil: p.datetime(3).nullable(),
  },
});
export class MailThread extends MailThreadSchema.class {}
MailThreadSchema.setClass(MailThread);

export const MailThreadTagSchema = defineEntity({
  name: 'MailThreadTag',
  tableName: 'mail_thread_tags',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    threadId: p.integer().columnType('bigint').primary(),
    tagId: p.integer().primary(),
  },
});
export class MailThreadTag extends MailThreadTagSchema.class {}
MailThreadTagSchema.setClass(MailThreadTag);

export const MailMessageSchema = defineEntity({
  name: 'MailMessage',
  tableName: 'mail_messages',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    id: p.text().primary(),
    /** The integer that `draft_id` accepts instead of the id (contract, G-14). Assigned by the database. */
    alias: p.integer().columnType('bigint').autoincrement(),
    mailboxId: p.integer(),
    threadId: p.integer().columnType('bigint'),
    folder: p.text().$type<Folder>(),
    /** The folder that a message in trash, spam or archive came from. Restoring returns it there (contract §3.2). */
    previousFolder: p.text().$type<Folder>().nullable(),
    fromEmail: p.text(),
    fromName: p.text().nullable(),
    toRecipients: p.json().$type<MailRecipient[]>(),
    ccRecipients: p.json().$type<MailRecipient[]>(),
    bccRecipients: p.json().$type<MailRecipient[]>(),
    /** To whom the sender of a received message wants answers; empty if to the sender. */
    replyTo: p.json().$type<MailRecipient[]>().default('[]'),
    subject: p.text(),
    /** HTML as received. It is sanitised where it is shown. */
    body: p.text(),
    snippet: p.text(),
    /** The names, types and sizes of its files, whose contents are in the object store. */
    attachments: p.json().$type<MailAttachment[]>().default('[]'),
    leftOut: p.json().$type<LeftOutFiles[]>().default('[]'),
    isRead: p.boolean().default(false),
    /** Read and written by plain SQL only: the ORM converts it to a Date, which has no microseconds. */
    messageAt: p.text().columnType('timestamptz(6)'),
    /** `Message-ID`, `In-Reply-To` and `References` of RFC 5322 §3.6.4, without angle brackets. */
    internetMessageId: p.text().nullable(),
    /** The hash of the content of a delivered message. Null in others. */
    contentDigest: p.text().nullable(),
    inReplyTo: p.text().nullable(),
    /** The id of the message that a draft, or one that was sent here, answers. */
    answersId: p.text().nullable(),
    references: p.array().$type<string[]>().columnType('text[]').fieldName('reference_ids').default([]),
    createdAt: p.datetime(3),
    /** Whether the domain of the sender vouches for it; null if nobody has checked. */
    senderCheck: p.json().$type<SenderCheck>().nullable(),
    /** The ticket to which it was added, or in which it is a reply, which may have been deleted since. */
    aboutTicket: p.text().nullable(),
    /** What a search reads (`search/mail-search-text.ts`); null if a process of an earlier version has written the message. */
    searchText: p.text().nullable(),
    /** Whether the search text is not yet in the postings. Whoever changes it sets this. */
    searchPending: p.boolean().default(true),
    /** Its number in the postings. */
    searchNumber: p.integer().nullable(),
    /** Since when it is in the trash. */
    trashedAt: p.datetime(3).nullable(),
  },
});
export class MailMessage extends MailMessageSchema.class {}
MailMessageSchema.setClass(MailMessage);

import type { deliveryStates } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../access/accounts/user.entity.ts';
import type { SystemMailKind } from '../system/system-mail.ts';

/**
 * A mail that an account or the product sends: a message, which is in a sent folder as soon as it has this row, or a system mail, which is in no mailbox and
 * is written when it is sent.
 */
export const OutgoingMessageSchema = defineEntity({
  name: 'OutgoingMessage',
  tableName: 'outgoing_messages',
  properties: {
    workspaceId: p.integer().primary(),
    /** That of the message, if it has one. */
    id: p.text().primary(),
    /** The message in a sent folder; null for a system mail. */
    messageId: p.text().nullable(),
    /** The number by which mail that comes back names it. Null: none does. */
    alias: p.integer().columnType('bigint').nullable(),
    /** What a system mail is; null for a message. */
    kind: p.text().$type<SystemMailKind>().nullable(),
    /** The account that gets a system mail, or in whose name it is sent. */
    userId: p.manyToOne(User).mapToPk().nullable().fieldName('user_id'),
    /** What a system mail is written of. */
    content: p.json().nullable(),
    /** Null for mail that the product writes. */
    authorId: p.manyToOne(User).mapToPk().nullable().fieldName('author_id'),
    sendAt: p.datetime(3),
    /** Null while it is delayed: until then it can be taken back. */
    startedAt: p.datetime(3).nullable(),
    /** How many jobs have tried to send it. A job for another attempt does nothing. */
    attempts: p.integer().default(0),
    /** The id of what the product writes about. A second system mail about the same is not stored. */
    about: p.text().nullable(),
    /** It is not sent later. */
    sendUntil: p.datetime(3).nullable(),
    /** Whether no person has written it. */
    isAutomatic: p.boolean().default(false),
  },
});

/** What became of an outgoing message for a recipient. */
export const OutgoingRecipientSchema = defineEntity({
  name: 'OutgoingRecipient',
  tableName: 'outgoing_recipients',
  properties: {
    workspaceId: p.integer().primary(),
    messageId: p.text().primary(),
    position: p.smallint().primary(),
    /** Null for a system mail until it is written. */
    email: p.text().nullable(),
    state: p.text().$type<(typeof deliveryStates)[number]>().default('queued'),
    /** The words of the mail server, or the reason. */
    detail: p.text().nullable(),
    /** When a mail server accepted the message or refused it for good, or returned it later. Null for other outcomes. */
    answeredAt: p.datetime(3).nullable(),
    complainedAt: p.datetime(3).nullable(),
    /** Whether the author was told that it failed. */
    isReported: p.boolean().default(false),
  },
});

/** How many messages an account has sent in a day (UTC). */
export const MailUsageSchema = defineEntity({
  name: 'MailUsage',
  tableName: 'mail_usage',
  properties: {
    workspaceId: p.integer().primary(),
    userId: p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
    day: p.date(),
    sent: p.integer().default(0),
  },
});

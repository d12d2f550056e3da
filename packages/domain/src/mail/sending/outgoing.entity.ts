import type { deliveryStates } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../access/accounts/user.entity.ts';

/** A message that an account or the product sends. It is in a sent folder as soon as it has this row. */
export const OutgoingMessageSchema = defineEntity({
  name: 'OutgoingMessage',
  tableName: 'outgoing_messages',
  properties: {
    workspaceId: p.integer().primary(),
    messageId: p.text().primary(),
    /** Null for mail that the product writes. */
    authorId: p.manyToOne(User).mapToPk().nullable().fieldName('author_id'),
    sendAt: p.datetime(3),
    /** Null while it is delayed: until then it can be taken back. */
    startedAt: p.datetime(3).nullable(),
    /** How many jobs have tried to send it. A job for another attempt does nothing. */
    attempts: p.integer().default(0),
    /** The id of what the product writes about. */
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
    email: p.text(),
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

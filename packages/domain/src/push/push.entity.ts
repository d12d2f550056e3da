import type { PushApp } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../access/accounts/user.entity.ts';
import { Token } from '../access/tokens/token.entity.ts';

/** A notification for a device. Its id is the provider's apns-id, the same at every try. */
export const PushSchema = defineEntity({
  name: 'Push',
  tableName: 'push_outbox',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    tokenId: p.manyToOne(Token).mapToPk().fieldName('token_id'),
    app: p.text().$type<PushApp>(),
    type: p.text(),
    /** The subject of the push: a message, an occurrence with its reminder, or a notification. */
    subject: p.text(),
    reminder: p.json().nullable(),
    state: p.text().$type<'waiting' | 'sent' | 'refused' | 'dropped' | 'unsent'>().default('waiting'),
    reason: p.text().nullable(),
    attempts: p.integer().default(0),
    /** The time of the next attempt. */
    dueAt: p.datetime(3),
    /** Until when a sender has taken the row; if the sender dies, another one takes it afterwards. */
    leasedUntil: p.datetime().columnType('timestamptz').nullable(),
    /** What would have been sent, for a test token. */
    payload: p.json().nullable(),
    /** The trace that the push continues, for the process that sends it. */
    trace: p.text().nullable(),
    expiresAt: p.datetime(3),
    createdAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
  },
});

/** A due reminder that was not sent, with the reason. */
export const UnsentReminderSchema = defineEntity({
  name: 'UnsentReminder',
  tableName: 'unsent_reminders',
  properties: {
    id: p.integer().columnType('bigint').primary().autoincrement(),
    workspaceId: p.integer().primary(),
    eventId: p.integer().columnType('bigint'),
    userId: p.manyToOne(User).mapToPk().fieldName('user_id'),
    minutesBefore: p.integer(),
    channel: p.text(),
    /** When the occurrence starts. */
    startsAt: p.datetime(3),
    reason: p.text(),
    createdAt: p.datetime(3),
  },
});

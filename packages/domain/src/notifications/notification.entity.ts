import type {
  NotificationChannel,
  NotificationKind,
  NotificationReason,
  NotificationTopic,
} from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../access/accounts/user.entity.ts';
import { Workspace } from '../access/workspaces/workspace.entity.ts';

/** A notification in an account's notification centre. */
export const NotificationSchema = defineEntity({
  name: 'Notification',
  tableName: 'notifications',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    id: p.uuid().primary(),
    userId: p.manyToOne(User).mapToPk().fieldName('user_id'),
    kind: p.text().$type<NotificationKind>(),
    reason: p.text().$type<NotificationReason>().nullable(),
    /** The account with whose name the title begins; null if it begins with none. */
    personId: p.manyToOne(User).mapToPk().fieldName('person_id').nullable(),
    title: p.text(),
    body: p.text().nullable(),
    actionUrl: p.text(),
    readAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});
export class Notification extends NotificationSchema.class {}
NotificationSchema.setClass(Notification);

/** The channels that an account has turned off for a topic. */
export const NotificationMuteSchema = defineEntity({
  name: 'NotificationMute',
  tableName: 'notification_mutes',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    userId: p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
    kind: p.text().$type<NotificationTopic>().primary(),
    channels: p
      .array()
      .$type<NotificationChannel[]>()
      .columnType('text[]')
      .defaultRaw(`'{desktop,sound,push}'::text[]`),
  },
});
export class NotificationMute extends NotificationMuteSchema.class {}
NotificationMuteSchema.setClass(NotificationMute);

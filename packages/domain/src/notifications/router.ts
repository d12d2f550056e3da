import {
  ListNotificationsInput,
  MarkReadInput,
  MuteInput,
  Notification,
  NotificationMutes,
  NotificationStreamEvent,
  NotificationsRaised,
  NotificationsRead,
  NotifyInput,
  pageOf,
  StreamNotificationsInput,
  UnreadCount,
} from '@firmdesk/contract';
import { trackedStreamOf } from '../procedures/tracked-stream.ts';
import { accountProcedure, NoInput, router } from '../procedures/trpc.ts';
import { countUnreadNotifications } from './count-unread-notifications.ts';
import { listNotifications } from './list-notifications.ts';
import { markRead } from './mark-read.ts';
import { listMutes, mute } from './mute.ts';
import { notifyForCaller } from './notify.ts';
import { streamNotifications } from './stream-notifications.ts';

export const notificationsRouter = router({
  markRead: accountProcedure({
    rest: 'POST /v1/me/notifications/read',
    tag: 'Notifications',
    summary: 'Mark in-app notifications read',
    description:
      'Send `ids`, or `all`: true. Ids of other accounts’ notifications and of notifications that are already read are ignored.',
    scope: 'notifications:write',
    errors: ['nothing_to_mark'],
    input: MarkReadInput,
    output: NotificationsRead,
  }).mutation(({ ctx, input }) => markRead(ctx, input)),

  list: accountProcedure({
    tag: 'Notifications',
    summary: 'List notifications, newest first',
    scope: 'notifications:read',
    input: ListNotificationsInput,
    output: pageOf(Notification),
  }).query(({ ctx, input }) => listNotifications(ctx, input)),

  unread: accountProcedure({
    tag: 'Notifications',
    summary: 'Count unread notifications',
    scope: 'notifications:read',
    input: NoInput,
    output: UnreadCount,
  }).query(async ({ ctx }) => ({
    object: 'unread_count' as const,
    unread: await countUnreadNotifications(ctx),
  })),

  mutes: accountProcedure({
    tag: 'Notifications',
    summary: 'List the muted kinds of notification',
    scope: 'notifications:read',
    input: NoInput,
    output: NotificationMutes,
  }).query(({ ctx }) => listMutes(ctx)),

  mute: accountProcedure({
    tag: 'Notifications',
    summary: 'Mute or unmute pushes of a kind of notification',
    description: 'The notification centre shows muted kinds too.',
    scope: 'notifications:write',
    input: MuteInput,
    output: NotificationMutes,
  }).mutation(({ ctx, input }) => mute(ctx, input)),

  live: accountProcedure({
    tag: 'Notifications',
    summary: 'Follow new notifications and the unread count',
    scope: 'notifications:read',
    input: StreamNotificationsInput,
    output: trackedStreamOf(NotificationStreamEvent),
  }).subscription(({ ctx, input, signal }) => streamNotifications(ctx, input, signal!)),

  notify: accountProcedure({
    tag: 'Notifications',
    summary: 'Raise a notification in a workspace',
    description:
      'A platform token may name the firms in which its account may act, and `platform` if these are all; a firm’s token only the firm. ' +
      'Notifications of a suspended firm are stored.',
    scope: 'platform:write',
    errors: ['workspace_not_permitted'],
    input: NotifyInput,
    output: NotificationsRaised,
  }).mutation(({ ctx, input }) => notifyForCaller(ctx, input)),
});

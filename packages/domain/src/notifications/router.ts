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
import { countUnread, listNotifications } from './list-notifications.ts';
import { markRead } from './mark-read.ts';
import { listMutes, mute } from './mute.ts';
import { ensureMayNotify, notify } from './notify.ts';
import { streamNotifications } from './stream-notifications.ts';

export const notificationsRouter = router({
  markRead: accountProcedure({
    rest: 'POST /v1/me/notifications/read',
    tag: 'Notifications',
    summary: 'Mark in-app notifications read',
    description: 'Send `ids`, or `all`: true. Ids that are not the caller’s, or read already, count nothing.',
    scope: 'notifications:write',
    errors: ['nothing_to_mark'],
    input: MarkReadInput,
    output: NotificationsRead,
  }).mutation(({ ctx, input }) => markRead(ctx, input)),

  list: accountProcedure({
    tag: 'Notifications',
    summary: 'List the notification centre, newest first',
    scope: 'notifications:read',
    input: ListNotificationsInput,
    output: pageOf(Notification),
  }).query(({ ctx, input }) => listNotifications(ctx, input)),

  unread: accountProcedure({
    tag: 'Notifications',
    summary: 'Count the unread notifications',
    scope: 'notifications:read',
    input: NoInput,
    output: UnreadCount,
  }).query(async ({ ctx }) => ({ object: 'unread_count' as const, unread: await countUnread(ctx) })),

  mutes: accountProcedure({
    tag: 'Notifications',
    summary: 'List the kinds of notification that the caller’s phones are silent for',
    scope: 'notifications:read',
    input: NoInput,
    output: NotificationMutes,
  }).query(({ ctx }) => listMutes(ctx)),

  mute: accountProcedure({
    tag: 'Notifications',
    summary: 'Silence the caller’s phones for a kind of notification, or no longer',
    description: 'The notification centre shows notifications of the kind either way.',
    scope: 'notifications:write',
    input: MuteInput,
    output: NotificationMutes,
  }).mutation(({ ctx, input }) => mute(ctx, input)),

  live: accountProcedure({
    tag: 'Notifications',
    summary: 'Follow the notification centre: what is raised, and how many are unread',
    scope: 'notifications:read',
    input: StreamNotificationsInput,
    output: trackedStreamOf(NotificationStreamEvent),
  }).subscription(({ ctx, input, signal }) => streamNotifications(ctx, input, signal!)),

  notify: accountProcedure({
    tag: 'Notifications',
    summary: 'Raise a notification in an environment',
    scope: 'platform:write',
    errors: ['workspace_not_permitted', 'resource_not_found'],
    input: NotifyInput,
    output: NotificationsRaised,
  }).mutation(({ ctx, input }) => {
    ensureMayNotify(ctx.identity, input.workspace);
    return notify(ctx, input);
  }),
});

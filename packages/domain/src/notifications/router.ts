import {
  ChangeNotificationSettingInput,
  ListNotificationsInput,
  MarkReadInput,
  MuteInput,
  Notification,
  NotificationMutes,
  NotificationSettings,
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
import { notifyForCaller } from './notify.ts';
import { changeSetting, listMutes, listSettings, mute } from './settings.ts';
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

  settings: accountProcedure({
    tag: 'Notifications',
    summary: 'List of what the account is notified, and how',
    description:
      'A row for each kind that the account may be notified of; mentions and assignments have rows of their own. What the bell does not ' +
      'get is not raised for the account, so it is neither counted nor pushed.',
    scope: 'notifications:read',
    input: NoInput,
    output: NotificationSettings,
  }).query(({ ctx }) => listSettings(ctx)),

  changeSetting: accountProcedure({
    tag: 'Notifications',
    summary: 'Turn a channel on or off for a kind of notification',
    description:
      'The bell cannot be turned off for what concerns the security of the account or the service of the firm.',
    scope: 'notifications:write',
    input: ChangeNotificationSettingInput,
    output: NotificationSettings,
  }).mutation(({ ctx, input }) => changeSetting(ctx, input)),

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
    description:
      'The notification centre shows muted kinds too. A mute of `ticket_awaiting_admin` includes mentions and assignments.',
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

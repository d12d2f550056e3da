import * as z from 'zod';
import { Slug } from '../firm/access.ts';
import { Email } from '../mail/email.ts';
import { isWebPath, WEB_PATH } from '../texts/web-path.ts';
import { AnyText, fieldErrorCodes, Limit, Timestamp, VisibleLine } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';
import { MAX_IDS_PER_MARK } from '../values/limits.ts';
import { notificationReasons } from '../values/schema-enumerations.ts';
import {
  type NotificationTopic,
  notificationChannels,
  notificationKinds,
  notificationTopics,
} from './notification-kinds.ts';

/** Why a text is no {@link ActionUrl}. */
const OTHER_PATH =
  'must be a path of the web application: one that begins with a single "/", stays on the site and has only the characters of a URL';

const NotificationId = z.guid().toLowerCase();

/** A notification in an account's notification centre. */
export const Notification = z.object({
  object: z.literal('notification'),
  id: NotificationId,
  kind: z.enum(notificationKinds),
  reason: z.enum(notificationReasons).nullable().default(null).meta({
    description:
      'mention: a note mentions the account; assignment: a ticket was assigned to it; null: the kind says why',
  }),
  title: z.string(),
  body: z.string().nullable(),
  action_url: z.string().meta({ description: 'Path inside the web application' }),
  created_at: Timestamp,
  read_at: Timestamp.nullable(),
});
export type Notification = z.infer<typeof Notification>;

export const ListNotificationsInput = z.object({
  unread: z.boolean().default(false).meta({ description: 'Only unread notifications' }),
  limit: Limit,
  starting_after: NotificationId.optional().register(fieldErrorCodes, { code: 'invalid_cursor' }),
});

/** Turns pushes for a kind of notification off or on, whatever their reason. The notification centre shows the kind in both cases. */
export const MuteInput = z.object({ kind: z.enum(notificationKinds), muted: z.boolean() });

/** The kinds that the caller has muted on phones, in the token's workspace. */
export const NotificationMutes = z.object({
  object: z.literal('notification_mutes'),
  kinds: z.array(z.enum(notificationKinds)),
});
export type NotificationMutes = z.infer<typeof NotificationMutes>;

const Topic = z.enum(notificationTopics as [NotificationTopic, ...NotificationTopic[]]);

/** What the caller has chosen for each topic that it may be notified of, in the token's workspace. */
export const NotificationSettings = z.object({
  object: z.literal('notification_settings'),
  topics: z.array(
    z.object({
      topic: Topic.meta({
        description: 'mention, assignment, or a kind of notification without such a reason',
      }),
      bell: z.boolean().meta({ description: 'Whether the notification is raised at all' }),
      desktop: z.boolean(),
      sound: z.boolean(),
      push: z.boolean().meta({ description: 'Whether it is pushed to phones and browsers' }),
      required: z.enum(['security', 'service']).nullable().meta({
        description:
          'Why the bell cannot be turned off: it concerns the security of the account, or the firm’s service',
      }),
    }),
  ),
});
export type NotificationSettings = z.infer<typeof NotificationSettings>;

/** Turns a channel on or off for a topic. */
export const ChangeNotificationSettingInput = z.object({
  topic: Topic,
  channel: z.enum(notificationChannels),
  on: z.boolean(),
});
export type ChangeNotificationSettingInput = z.output<typeof ChangeNotificationSettingInput>;

export const UnreadCount = z.object({ object: z.literal('unread_count'), unread: z.int() });

/** Contract §4.5. */
export const MarkReadInput = z.object({
  ids: z
    .array(NotificationId)
    .max(MAX_IDS_PER_MARK)
    .optional()
    .meta({
      description: 'The notifications to mark; unknown ids are ignored',
      examples: [['6f1f2f0e-6a44-4f7e-9d53-0c1f0a5f7b10']],
    }),
  all: z.boolean().optional().meta({ description: 'Marks every unread notification; overrides `ids`' }),
});

/** Contract §2.4. */
export const NotificationsRead = z.object({
  object: z.literal('notifications_read'),
  marked: z.int().min(0).meta({ description: 'The number of notifications that this call marked' }),
  unread: z.int().min(0).meta({ description: 'The number of unread notifications that remain' }),
});
export type NotificationsRead = z.infer<typeof NotificationsRead>;

/** The path inside the web application that a notification opens. */
export const ActionUrl = z.string().max(2000).regex(WEB_PATH, OTHER_PATH).refine(isWebPath, OTHER_PATH);

/** The input with which the platform's other systems raise a notification. Accounts are named by email. */
export const NotifyInput = z.object({
  workspace: Slug.meta({ description: 'A firm’s slug, or `platform`' }),
  kind: z.enum(notificationKinds),
  title: VisibleLine.max(200),
  body: AnyText.max(2000).optional(),
  action_url: ActionUrl,
  actor: Email.optional().meta({
    description: 'The account that caused the notification. It is not notified itself',
  }),
  to: z
    .array(Email)
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'The recipients; by default every account that may see the kind' }),
});
export type NotifyInput = z.output<typeof NotifyInput>;

/** The stored notifications, one for each recipient. The wire keeps the earlier name `notice_raised`. */
export const NotificationsRaised = z.object({
  object: z.literal('notice_raised'),
  notifications: z.array(z.object({ id: NotificationId, user_id: idOf('user') })),
});
export type NotificationsRaised = z.infer<typeof NotificationsRaised>;

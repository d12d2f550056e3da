import {
  type ChangeNotificationSettingInput,
  kindOfTopic,
  type MuteInput,
  type NotificationChannel,
  type NotificationMutes,
  type NotificationSettings,
  type NotificationTopic,
  notificationKinds,
  notificationTopics,
  requiredTopics,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { visibleKinds } from '../access/visible-kinds.ts';
import { executeWrites } from '../platform/database/execute-writes.ts';
import { eventsWrite } from '../platform/events/append-events.ts';
import { invalidField } from '../platform/process/errors.ts';
import type { NotificationCentreContext } from './list-notifications.ts';
import { settingsEvent } from './notification-events.ts';

/** Why the bell of a topic stays on, after `must be true: `. */
const REQUIRED = {
  security: 'it tells that somebody else may use the account',
  service: 'it tells that the firm’s service stops',
};

/** Returns what the caller has chosen for the topics that it may be notified of now, in the token's workspace. */
export async function listSettings(ctx: NotificationCentreContext): Promise<NotificationSettings> {
  return settingsOf(ctx, await readKinds(ctx));
}

async function settingsOf(
  ctx: NotificationCentreContext,
  kinds: ReadonlySet<string>,
): Promise<NotificationSettings> {
  const off = await readOff(ctx);
  return {
    object: 'notification_settings',
    topics: notificationTopics
      .filter((topic) => kinds.has(kindOfTopic(topic)))
      .map((topic) => {
        const isOn = (channel: NotificationChannel) => !off.get(topic)?.includes(channel);
        const required = requiredTopics[topic] ?? null;
        return {
          topic,
          bell: required !== null || isOn('bell'),
          desktop: isOn('desktop'),
          sound: isOn('sound'),
          push: isOn('push'),
          required,
        };
      }),
  };
}

/** Turns a channel on or off for a topic of the caller, also for pushes that are queued. Returns all settings. */
export async function changeSetting(
  ctx: NotificationCentreContext,
  { topic, channel, on }: ChangeNotificationSettingInput,
): Promise<NotificationSettings> {
  const required = requiredTopics[topic];
  if (required && channel === 'bell' && !on) throw invalidField('on', `must be true: ${REQUIRED[required]}`);
  return settingsOf(ctx, await turn(ctx, [topic], channel, on));
}

/** Returns the kinds whose pushes the caller muted in the token's workspace, in the order of the contract. */
export async function listMutes(ctx: NotificationCentreContext): Promise<NotificationMutes> {
  const off = await readOff(ctx);
  const kinds = notificationKinds.filter((kind) => off.get(kind)?.includes('push'));
  return { object: 'notification_mutes', kinds };
}

/** Mutes or unmutes pushes of a kind for the caller, whatever their reason. Returns all muted kinds. */
export async function mute(
  ctx: NotificationCentreContext,
  { kind, muted }: z.output<typeof MuteInput>,
): Promise<NotificationMutes> {
  const topics = notificationTopics.filter((topic) => kindOfTopic(topic) === kind);
  await turn(ctx, topics, 'push', !muted);
  return listMutes(ctx);
}

/** Returns the kinds that the caller may be notified of now; none if it no longer belongs to the workspace. */
async function readKinds({ db, identity, workspace }: NotificationCentreContext): Promise<Set<string>> {
  const { rows } = await sql<{ kinds: readonly string[] | null }>`
    select ${visibleKinds(identity.user.id, workspace.id)} as kinds`.execute(db);
  return new Set(rows[0]?.kinds);
}

/** Returns the channels that the caller turned off, by topic. */
async function readOff({ db, identity, workspace }: NotificationCentreContext) {
  const rows = await db
    .selectFrom('notification_mutes')
    .select(['kind', 'channels'])
    .where('workspace_id', '=', workspace.id)
    .where('user_id', '=', identity.user.id)
    .execute();
  return new Map<string, readonly string[]>(rows.map(({ kind, channels }) => [kind, channels]));
}

/** Two windows may turn channels of one topic at once, so one statement changes them. Returns the kinds that the caller may be notified of. */
async function turn(
  ctx: NotificationCentreContext,
  topics: readonly NotificationTopic[],
  channel: NotificationChannel,
  on: boolean,
): Promise<Set<string>> {
  const { db, identity, workspace } = ctx;
  const kinds = await readKinds(ctx);
  const write = on
    ? sql`
      update notification_mutes set channels = array_remove(channels, ${channel}::text)
      where workspace_id = ${workspace.id} and user_id = ${identity.user.id} and kind = any(${topics}::text[])`
    : sql`
      insert into notification_mutes as m (workspace_id, user_id, kind, channels)
      values ${sql.join(topics.map((topic) => sql`(${workspace.id}, ${identity.user.id}, ${topic}, array[${channel}::text])`))}
      on conflict (workspace_id, user_id, kind)
      do update set channels = array_remove(m.channels, ${channel}::text) || ${channel}::text`;
  // Who no longer belongs to the firm has no stream there.
  const event = () => eventsWrite(ctx, workspace.id, [settingsEvent(identity.user.id)]);
  await executeWrites(db, kinds.size > 0 ? [write, event()] : [write]);
  return kinds;
}

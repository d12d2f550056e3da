import { randomUUID } from 'node:crypto';
import {
  type Audience,
  type Notification,
  type NotificationKind,
  type NotificationsRaised,
  notificationAudiences,
  PLATFORM,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import { IS_ADMIN, IS_MEMBER, IS_STAFF } from '../access/policy.ts';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { invalidField } from '../platform/errors.ts';
import { appendEvents } from '../platform/events/append-events.ts';
import { queueNotificationPushes } from '../push/index.ts';
import { NOTIFICATION_COLUMNS } from './list-notifications.ts';

export interface NewNotification {
  /** The environment that it is about: a firm, or `platform`. */
  workspace: { id: number; slug: string };
  kind: NotificationKind;
  title: string;
  body?: string | null;
  /** A path inside the web application. */
  actionUrl: string;
  /** Who caused it. */
  actorId?: string | null;
  /** Whom to tell, by user id; left out: everybody who may see the kind. */
  to?: readonly string[] | undefined;
}

/**
 * Puts a notification into the centre of each person that it is for (contract §6.1; the rule of each kind is
 * `notificationAudiences`). Returns what was stored. Raises `validation_failed` for a kind that the environment does not
 * have, and for a person who may not be told of it.
 */
export async function raiseNotification(
  ctx: OperationContext,
  notification: NewNotification,
): Promise<NotificationsRaised['notifications']> {
  const audience: Audience = notificationAudiences[notification.kind];
  if (audience.to === 'staff' && notification.workspace.slug !== PLATFORM) {
    throw invalidField(
      'workspace',
      `must be ${PLATFORM}: ${notification.kind} is for the service's own staff`,
    );
  }
  if (audience.to === 'person' && !notification.to) {
    throw invalidField('to', `is needed: ${notification.kind} is for one person`);
  }
  const people = await peopleOf(ctx, notification, audience);
  const stranger = notification.to?.findIndex((id) => !people.includes(id)) ?? -1;
  if (stranger >= 0) throw invalidField(`to[${stranger}]`, `may not be told of ${notification.kind}`);
  const told = new Set(notification.to ?? people);
  if (audience.to !== 'person' && notification.actorId) told.delete(notification.actorId);
  if (told.size === 0) return [];
  const raised = await store(ctx, notification, [...told]);
  await publishRaised(ctx, notification.workspace.id, raised);
  await queueNotificationPushes(
    ctx,
    raised.map(({ id }) => id),
  );
  return raised.map(({ id, user_id }) => ({ id, user_id }));
}

type Raised = Omit<Notification, 'object'> & { user_id: string };

function store(
  { em, now }: OperationContext,
  notification: NewNotification,
  people: readonly string[],
): Promise<Raised[]> {
  return sqlOf(em)
    .insertInto('notifications')
    .values(
      people.map((userId) => ({
        id: randomUUID(),
        workspace_id: notification.workspace.id,
        user_id: userId,
        kind: notification.kind,
        title: notification.title,
        body: notification.body ?? null,
        action_url: notification.actionUrl,
        created_at: now,
        read_at: null,
      })),
    )
    .returning(['user_id', ...NOTIFICATION_COLUMNS])
    .execute();
}

/** Publishes the new notifications to the viewers of each account, in the transaction that stores them. */
async function publishRaised(
  ctx: OperationContext,
  workspaceId: number,
  raised: readonly Raised[],
): Promise<void> {
  await appendEvents(
    ctx,
    raised.map(({ user_id: userId, ...row }) => ({
      workspaceId,
      userId,
      type: 'notification.created',
      body: { notification: { object: 'notification', ...row } },
    })),
  );
}

/** Everybody who may be told, by user id. */
async function peopleOf(
  { em }: OperationContext,
  notification: NewNotification,
  audience: Audience,
): Promise<string[]> {
  const users = sqlOf(em).selectFrom('users as u').select('u.id').orderBy('u.id');
  if (notification.workspace.slug === PLATFORM) {
    const staff = await users.where(sql.raw<boolean>(IS_STAFF)).execute();
    return staff.map(({ id }) => id);
  }
  let members = users
    .innerJoin('memberships as m', 'm.user_id', 'u.id')
    .where('m.workspace_id', '=', notification.workspace.id)
    .where(sql.raw<boolean>(audience.to === 'person' ? IS_MEMBER : IS_ADMIN));
  if (audience.to === 'admins' || (audience.to === 'assigned' && !notification.to)) {
    members = members.where(sql<boolean>`${audience.permission} = any(m.permissions)`);
  }
  return (await members.execute()).map(({ id }) => id);
}

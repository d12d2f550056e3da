import {
  type Audience,
  type NotificationKind,
  type NotificationsRaised,
  notificationAudiences,
  PLATFORM,
} from '@firmdesk/contract';
import { type SqlBool, sql } from 'kysely';
import { firmIdOf, IS_STAFF } from '../access/policy.ts';
import { VISIBLE_KINDS } from '../access/visible-kinds.ts';
import { isPlatform } from '../access/workspaces/sandbox.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { invalidField } from '../platform/process/errors.ts';
import { storeNotifications } from './store-notifications.ts';

/** The notification that {@link raiseNotification} stores once per recipient. */
export interface NewNotification {
  /** The workspace that it concerns: a firm, or `platform`. */
  workspace: { id: number; slug: string };
  kind: NotificationKind;
  title: string;
  body?: string | null;
  /** A path inside the web application. */
  actionUrl: string;
  /** The id of the account that caused it. That account is not notified, unless the kind is for a single account. */
  actorId?: string | null;
  /** The ids of the recipients. Default: all accounts that may see the kind. */
  to?: readonly string[] | undefined;
  /** The id of a session whose devices get no push. */
  exceptSession?: string | undefined;
}

/**
 * Stores a notification for each recipient and queues its pushes (contract §6.1; `notificationAudiences` has the rule of each
 * kind). Returns the stored notifications. Throws `validation_failed` for a kind that does not exist in the workspace, and for a
 * recipient who may not see it.
 */
export async function raiseNotification(
  ctx: OperationContext,
  notification: NewNotification,
): Promise<NotificationsRaised['notifications']> {
  const audience: Audience = notificationAudiences[notification.kind];
  if (audience.to === 'staff' && !isPlatform(notification.workspace)) {
    throw invalidField(
      'workspace',
      `must be ${PLATFORM}: ${notification.kind} is for the service's own staff`,
    );
  }
  if (audience.to === 'person' && !notification.to) {
    throw invalidField('to', `is required: ${notification.kind} is for one account`);
  }
  const permitted = await findPermitted(ctx, notification);
  const mayReceive = new Set(permitted);
  const notPermitted = notification.to?.findIndex((id) => !mayReceive.has(id)) ?? -1;
  if (notPermitted >= 0) throw invalidField(`to[${notPermitted}]`, `may not receive ${notification.kind}`);
  const recipients = new Set(notification.to ?? permitted);
  if (audience.to !== 'person' && notification.actorId) recipients.delete(notification.actorId);
  const { workspace, kind, title, body = null, actionUrl, exceptSession } = notification;
  return storeNotifications(ctx, { workspaceId: workspace.id, kind, title, body, actionUrl, exceptSession }, [
    ...recipients,
  ]);
}

/** Returns the ids of all accounts that may receive the notification. */
async function findPermitted({ db }: OperationContext, notification: NewNotification): Promise<string[]> {
  const users = db.selectFrom('users as u').select('u.id').orderBy('u.id');
  if (isPlatform(notification.workspace)) {
    const isPersonal = notificationAudiences[notification.kind].to === 'person';
    const staff = await users
      .where(sql.raw<boolean>(IS_STAFF))
      .where(sql<boolean>`(${isPersonal}::boolean or u.staff_of_all_firms)`)
      .execute();
    return staff.map(({ id }) => id);
  }
  const members = await users
    .innerJoin('memberships as m', 'm.user_id', 'u.id')
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .where('w.id', '=', firmIdOf(notification.workspace.id))
    .where(sql<SqlBool>`${notification.kind} = any(${sql.raw(VISIBLE_KINDS)})`)
    .execute();
  return members.map(({ id }) => id);
}

import { randomUUID } from 'node:crypto';
import {
  type Audience,
  type NoticeRaised,
  type Notification,
  type NotificationKind,
  notificationAudiences,
  PLATFORM,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import { IS_ADMIN, IS_MEMBER, IS_STAFF } from '../access/policy.ts';
import type { VerbContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { invalidField } from '../platform/errors.ts';
import { appendEvents } from '../platform/events/append-events.ts';
import { pushNotices } from '../push/index.ts';
import { NOTIFICATION_COLUMNS } from './list-notifications.ts';

export interface Notice {
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
 * Puts a notice into the centre of each person that it is for (contract §6.1; the rule of each kind is
 * `notificationAudiences`). Returns what was stored. Raises `validation_failed` for a kind that the environment does not
 * have, and for a person who may not be told of it.
 */
export async function raiseNotice(ctx: VerbContext, notice: Notice): Promise<NoticeRaised['notifications']> {
  const audience: Audience = notificationAudiences[notice.kind];
  if (audience.to === 'staff' && notice.workspace.slug !== PLATFORM) {
    throw invalidField('workspace', `must be ${PLATFORM}: ${notice.kind} is for the service's own staff`);
  }
  if (audience.to === 'person' && !notice.to) {
    throw invalidField('to', `is needed: ${notice.kind} is for one person`);
  }
  const people = await peopleOf(ctx, notice, audience);
  const stranger = notice.to?.findIndex((id) => !people.includes(id)) ?? -1;
  if (stranger >= 0) throw invalidField(`to[${stranger}]`, `may not be told of ${notice.kind}`);
  const told = new Set(notice.to ?? people);
  if (audience.to !== 'person' && notice.actorId) told.delete(notice.actorId);
  if (told.size === 0) return [];
  const raised = await store(ctx, notice, [...told]);
  await publishRaised(ctx, notice.workspace.id, raised);
  await pushNotices(
    ctx,
    raised.map(({ id }) => id),
  );
  return raised.map(({ id, user_id }) => ({ id, user_id }));
}

type Raised = Omit<Notification, 'object'> & { user_id: string };

function store({ em, now }: VerbContext, notice: Notice, people: readonly string[]): Promise<Raised[]> {
  return sqlOf(em)
    .insertInto('notifications')
    .values(
      people.map((userId) => ({
        id: randomUUID(),
        workspace_id: notice.workspace.id,
        user_id: userId,
        kind: notice.kind,
        title: notice.title,
        body: notice.body ?? null,
        action_url: notice.actionUrl,
        created_at: now,
        read_at: null,
      })),
    )
    .returning(['user_id', ...NOTIFICATION_COLUMNS])
    .execute();
}

/** Publishes the new notifications to the viewers of each account, in the transaction that stores them. */
async function publishRaised(
  ctx: VerbContext,
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
async function peopleOf({ em }: VerbContext, notice: Notice, audience: Audience): Promise<string[]> {
  const users = sqlOf(em).selectFrom('users as u').select('u.id').orderBy('u.id');
  if (notice.workspace.slug === PLATFORM) {
    const staff = await users.where(sql.raw<boolean>(IS_STAFF)).execute();
    return staff.map(({ id }) => id);
  }
  let members = users
    .innerJoin('memberships as m', 'm.user_id', 'u.id')
    .where('m.workspace_id', '=', notice.workspace.id)
    .where(sql.raw<boolean>(audience.to === 'person' ? IS_MEMBER : IS_ADMIN));
  if (audience.to === 'admins' || (audience.to === 'assigned' && !notice.to)) {
    members = members.where(sql<boolean>`${audience.permission} = any(m.permissions)`);
  }
  return (await members.execute()).map(({ id }) => id);
}

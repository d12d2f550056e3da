import { randomUUID } from 'node:crypto';
import { type NotificationKind, type NotificationReason, requiredTopics } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../platform/database/context.ts';
import { executeWrites } from '../platform/database/execute-writes.ts';
import { eventsWrite } from '../platform/events/append-events.ts';
import { notificationPushWrite } from '../push/index.ts';
import { createdEvent } from './notification-events.ts';

/** What a notification says, to each of its recipients. */
export interface NotificationContent {
  workspaceId: number;
  kind: NotificationKind;
  reason?: NotificationReason;
  title: string;
  /** The id of the account with whose name the title begins. The name is added when the title is read. */
  personId?: string | undefined;
  body: string | null;
  /** A path inside the web application. */
  actionUrl: string;
  /** The id of a session whose devices get no push. */
  exceptSession?: string | undefined;
}

export interface StoredNotification {
  id: string;
  user_id: string;
}

/**
 * Stores a notification for each recipient whose bell is on for it, publishes them to their streams, and enqueues their pushes. The caller
 * decides who may receive it. Takes a number of statements that does not depend on the number of recipients.
 */
export async function storeNotifications(
  ctx: OperationContext,
  { workspaceId, kind, reason, title, personId, body, actionUrl, exceptSession }: NotificationContent,
  recipients: readonly string[],
): Promise<StoredNotification[]> {
  if (recipients.length === 0) return [];
  const topic = reason ?? kind;
  const createdAt = ctx.now.toISOString();
  const { rows: stored } = await sql<StoredNotification>`
    insert into notifications (workspace_id, user_id, id, kind, reason, title, person_id, body, action_url, created_at)
    select ${workspaceId}::integer, user_id, id, ${kind}::text, ${reason ?? null}::text, ${title}::text, ${personId ?? null}::text, ${body}::text, ${actionUrl}::text,
      ${createdAt}::timestamptz
    from unnest(${recipients}::text[], ${recipients.map(() => randomUUID())}::uuid[]) as recipient (user_id, id)
    where ${topic in requiredTopics} or not exists (select from notification_mutes m
      where m.workspace_id = ${workspaceId} and m.user_id = recipient.user_id and m.kind = ${topic}::text and 'bell' = any(m.channels))
    returning id, user_id`.execute(ctx.db);
  if (stored.length === 0) return [];
  const ids = stored.map(({ id }) => id);
  const notification = {
    object: 'notification',
    kind,
    reason: reason ?? null,
    title,
    body,
    action_url: actionUrl,
    created_at: createdAt,
    read_at: null,
  } as const;
  await executeWrites(ctx.db, [
    eventsWrite(ctx, workspaceId, [createdEvent(notification, stored, personId)]),
    notificationPushWrite(ctx, workspaceId, ids, exceptSession),
  ]);
  return stored;
}

import type { Notification, NotificationStreamEvent, StreamNotificationsInput } from '@firmdesk/contract';
import { type TrackedEnvelope, tracked } from '@trpc/server';
import type { z } from 'zod';
import { retryWhileUnavailable } from '../platform/events/follow.ts';
import type { StreamEvent } from '../platform/events/subscriber.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import type { TrackedStream } from '../procedures/tracked-stream.ts';
import { readUnread, type Unread } from './count-unread-notifications.ts';
import { type CreatedPayload, NOTIFICATIONS, payloadFor } from './notification-events.ts';

/** Streams the caller's new notifications and unread count in the token's workspace, from now on or after `lastEventId`. */
export async function streamNotifications(
  ctx: AccountContext,
  { lastEventId }: z.output<typeof StreamNotificationsInput>,
  signal: AbortSignal,
): Promise<TrackedStream<NotificationStreamEvent>> {
  const { services, identity, workspace } = ctx;
  const events = await services.live.follow({
    topic: { workspaceId: workspace.id, subject: NOTIFICATIONS },
    isFor: ({ type, body }) => payloadFor(identity.user.id, type, body) !== null,
    lastEventId,
    async findStart(received) {
      const start = await services.live.resumeOrEnd(workspace.id, received);
      // Clients ignore the type `began`: it only makes the stream send the current unread count first.
      return { ...start, first: [...start.first, { type: 'began', body: {} }] };
    },
    signal,
  });
  const counts = services.unreadCounts;
  const account = { workspaceId: workspace.id, userId: identity.user.id };
  const count = (position: number) =>
    retryWhileUnavailable(() => counts.count(account, position, () => readUnread(ctx)), signal);
  const unreadCount = {
    count,
    discard: () => counts.discard(account),
    retain: () => counts.retain(account),
  };
  return withUnread(eventsFor(events, identity.user.id), unreadCount, (created) =>
    retryWhileUnavailable(() => withName(ctx, created), signal),
  );
}

/** Returns a created notification, its title with the name that the account has now. */
async function withName(
  { db }: AccountContext,
  { notification, person }: CreatedPayload,
): Promise<Notification> {
  if (person === undefined) return notification;
  const found = await db.selectFrom('users').select('name').where('id', '=', person).executeTakeFirst();
  return found ? { ...notification, title: `${found.name} ${notification.title}` } : notification;
}

/** Yields the events that concern an account, with their payload for it. */
async function* eventsFor(events: AsyncIterable<StreamEvent>, userId: string): AsyncGenerator<StreamEvent> {
  for await (const event of events) {
    const body = payloadFor(userId, event.type, event.body);
    if (body) yield { ...event, body };
  }
}

/**
 * Yields the unread count after each event, except `resync` and `settings`, and leaves out notifications of kinds that the account may not see. Both are
 * read when the event is delivered, not when it is written: concurrent transactions cannot see each other's changes, and the last count
 * must be correct; and an event that is sent again after a reconnect may be of a kind that the account might see then.
 */
async function* withUnread(
  events: AsyncIterable<StreamEvent>,
  unreadCount: {
    count: (position: number) => Promise<Unread | null>;
    discard: () => void;
    retain: () => () => void;
  },
  withName: (created: CreatedPayload) => Promise<Notification | null>,
): AsyncGenerator<TrackedEnvelope<NotificationStreamEvent>> {
  const release = unreadCount.retain();
  try {
    for await (const { id, position, type, body } of events) {
      if (type === 'resync' || type === 'began') unreadCount.discard();
      if (type === 'resync') {
        yield tracked(id, { type, ...body } as NotificationStreamEvent);
        continue;
      }
      if (type === 'settings') {
        yield tracked(id, { type });
        continue;
      }
      const now = await unreadCount.count(position);
      if (now === null) return;
      if (type === 'notification.created' && now.kinds.includes((body as CreatedPayload).notification.kind)) {
        const notification = await withName(body as CreatedPayload);
        if (notification === null) return;
        yield tracked(id, { type, notification });
      }
      yield tracked(id, { type: 'unread', unread: now.unread });
    }
  } finally {
    release();
  }
}

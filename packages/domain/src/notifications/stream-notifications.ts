import type { NotificationStreamEvent, StreamNotificationsInput } from '@firmdesk/contract';
import { type TrackedEnvelope, tracked } from '@trpc/server';
import type { z } from 'zod';
import type { Topic, TopicKind } from '../platform/events/event-log.ts';
import { retryWhileUnavailable, type StreamEvent } from '../platform/events/follow.ts';
import { resumeOrEnd } from '../platform/events/resume.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import type { TrackedStream } from '../procedures/tracked-stream.ts';
import { countUnreadNotifications } from './count-unread-notifications.ts';
import { unreadCounts } from './unread-counts.ts';

/** The events of one account in one workspace. */
const userEvents: TopicKind = {
  name: 'live-user',
  condition: 'workspace_id = $3 and user_id = $4',
  keyOf: ({ workspaceId, userId }) => (userId === undefined ? null : `${workspaceId} ${userId}`),
};

/** Streams the caller's new notifications and unread count in the token's workspace, from now on or after `lastEventId`. */
export async function streamNotifications(
  ctx: AccountContext,
  { lastEventId }: z.output<typeof StreamNotificationsInput>,
  signal: AbortSignal,
): Promise<TrackedStream<NotificationStreamEvent>> {
  const { services, identity, workspace } = ctx;
  const begin = async () => {
    const { position, first } = await resumeOrEnd(services.pool, lastEventId);
    // Clients ignore the type `began`: it only makes the stream send the current unread count first.
    return { position, first: [...first, { type: 'began', body: {} }] };
  };
  const topic = userTopic(workspace.id, identity.user.id);
  const events = await services.live.follow(topic, begin, signal);
  const account = topic.key;
  const counts = unreadCounts(services.live);
  const count = (position: number) =>
    retryWhileUnavailable(() => counts.count(account, position, () => countUnreadNotifications(ctx)), signal);
  return withUnread(events, count, () => counts.retain(account));
}

/** Returns the topic of an account's events in a workspace. */
function userTopic(workspaceId: number, userId: string): Topic {
  return { kind: userEvents, key: `${workspaceId} ${userId}`, values: [workspaceId, userId] };
}

/**
 * Yields the unread count after each event, except `resync`. It is counted when the event is delivered, not when it is written:
 * concurrent transactions cannot see each other's changes, and the last count must be correct.
 */
async function* withUnread(
  events: AsyncIterable<StreamEvent>,
  count: (position: number) => Promise<number | null>,
  retain: () => () => void,
): AsyncGenerator<TrackedEnvelope<NotificationStreamEvent>> {
  const release = retain();
  try {
    for await (const { position, type, body } of events) {
      const id = String(position);
      if (type === 'notification.created' || type === 'resync') {
        yield tracked(id, { type, ...body } as NotificationStreamEvent);
      }
      if (type === 'resync') continue;
      const unread = await count(position);
      if (unread === null) return;
      yield tracked(id, { type: 'unread', unread });
    }
  } finally {
    release();
  }
}

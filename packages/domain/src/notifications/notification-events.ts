import type { Notification } from '@firmdesk/contract';
import type { NewLiveEvent } from '../platform/events/event-log.ts';

/**
 * The subject of all notification events of a firm. A notification is one event for all of its recipients: with an event for each,
 * notifying 500 agents would take half as long again.
 */
export const NOTIFICATIONS = 'notifications';

interface CreatedBody {
  notification: Omit<Notification, 'id'>;
  /** The id of the account with whose name the title begins. */
  person?: string;
  /** The id of each recipient's notification, by the recipient's id. */
  ids: Record<string, string>;
}

/** The payload of `notification.created` for one account. */
export interface CreatedPayload {
  notification: Notification;
  person?: string;
}

interface OwnBody {
  user: string;
}

/** Returns the event that a notification was stored for some accounts. */
export function createdEvent(
  notification: Omit<Notification, 'id'>,
  stored: readonly { id: string; user_id: string }[],
  person?: string,
): NewLiveEvent {
  const ids = Object.fromEntries(stored.map(({ id, user_id }) => [user_id, id]));
  const body: CreatedBody = { notification, ids, ...(person !== undefined && { person }) };
  return { subject: NOTIFICATIONS, type: 'notification.created', body };
}

/** Returns the event that an account has read notifications. */
export function readEvent(user: string): NewLiveEvent {
  const body: OwnBody = { user };
  return { subject: NOTIFICATIONS, type: 'notifications.read', body };
}

/** Returns the event that an account has changed what it is notified of. */
export function settingsEvent(user: string): NewLiveEvent {
  const body: OwnBody = { user };
  return { subject: NOTIFICATIONS, type: 'settings', body };
}

/** Returns the payload of an event for one account; null if the event is for others. */
export function payloadFor(userId: string, type: string, body: object): object | null {
  if (type === 'notifications.read' || type === 'settings')
    return (body as OwnBody).user === userId ? {} : null;
  if (type !== 'notification.created') return body;
  const { notification, person, ids } = body as CreatedBody;
  const id = Object.hasOwn(ids, userId) ? ids[userId] : undefined;
  if (id === undefined) return null;
  const payload: CreatedPayload = {
    notification: { ...notification, id },
    ...(person !== undefined && { person }),
  };
  return payload;
}

import { createHash } from 'node:crypto';
import { notificationAudiences } from '@firmdesk/contract';
import { isAtLeast } from '../calendar/index.ts';
import type { Services } from '../platform/services.ts';
import { findOccurrences, type RemindedOccurrence } from './find-occurrences.ts';
import {
  countBadges,
  type EventSubject,
  findEvents,
  findMail,
  findNotifications,
  findRecipients,
  type MailSubject,
  type NotificationSubject,
  type Recipient,
} from './find-subjects.ts';
import type { TakenPush } from './outbox.ts';
import { type PushContent, writePayload } from './payload.ts';
import type { Push } from './provider.ts';
import { startsText, wordsOf } from './words/index.ts';

/** A row ready to be sent, or the reason why nobody may or need be told any more. */
export type Composed = { push: Push } | { drop: string };

type Told = Omit<PushContent, 'badge'> & { carriesBadge: boolean; collapseId?: string };

/**
 * What the rows say, as things are now and not as they were when they were put into the outbox: whether the session
 * lives, what it and its account may see, what they want to hear, where the message lies, when the event is.
 */
export async function compose(
  services: Services,
  taken: readonly TakenPush[],
): Promise<Map<string, Composed>> {
  const { pool, clock, log } = services;
  const now = clock.now();
  const idsOf = (type: TakenPush['type']) => taken.filter((row) => row.type === type).map(({ id }) => id);
  const all = taken.map(({ id }) => id);
  const [recipients, mail, events, notifications] = await Promise.all([
    findRecipients(pool, all, now),
    findMail(pool, idsOf('mail.message')),
    findEvents(pool, idsOf('calendar.reminder')),
    findNotifications(pool, idsOf('admin.notification')),
  ]);

  const occurrences = await findOccurrences(services, taken, events);
  const composeContent = (row: TakenPush, recipient: Recipient): Told | string => {
    if (row.type === 'mail.message') return composeMail(mail.get(row.id), recipient);
    if (row.type === 'calendar.reminder') {
      const event = events.get(row.id);
      const occurrence = occurrences.get(row.id);
      return event && occurrence ? composeReminder(row, event, occurrence, recipient, now) : 'not_in_reach';
    }
    if (row.type === 'admin.notification') return composeNotification(notifications.get(row.id), recipient);
    return test(recipient);
  };
  // One row that cannot be written must not hold the others up.
  const composeSafely = (row: TakenPush, recipient: Recipient): Told | string => {
    try {
      return composeContent(row, recipient);
    } catch (error) {
      log.error({ push: row.id, type: row.type, err: error }, 'push cannot be written');
      return 'unwritable';
    }
  };
  const told = new Map<string, { told: Told; recipient: Recipient }>();
  const composed = new Map<string, Composed>();
  for (const row of taken) {
    const recipient = recipients.get(row.id);
    const refusal = recipient ? refusalOf(row, recipient, now) : 'session_ended';
    const content = refusal ?? composeSafely(row, recipient!);
    if (typeof content === 'string') composed.set(row.id, { drop: content });
    else told.set(row.id, { told: content, recipient: recipient! });
  }
  const unread = await countBadges(
    pool,
    [...told.values()].filter(hasBadge).map(({ recipient }) => recipient),
  );
  for (const row of taken) {
    const ready = told.get(row.id);
    if (!ready) continue;
    const { told: content, recipient } = ready;
    const payload = writePayload({
      ...content,
      badge: hasBadge(ready) ? unread(recipient) : null,
      fields: { type: row.type, session: row.token_id, ...content.fields },
    });
    const push: Push = {
      id: row.id,
      app: row.app,
      environment: recipient.environment!,
      deviceToken: recipient.device_token!,
      payload,
      expiresAt: new Date(row.expires_at),
      // The provider does not recognise a repeat by its `apns-id`.
      collapseId: content.collapseId ?? row.id,
    };
    composed.set(row.id, { push });
  }
  return composed;
}

/** The badge counts unread mail: a token that may not read mail gets none. */
function hasBadge({ told, recipient }: { told: Told; recipient: Recipient }): boolean {
  return told.carriesBadge && recipient.reads_mail;
}

/** Why nothing may go to this device any more; null when it may. */
function refusalOf(row: TakenPush, recipient: Recipient, now: Date): string | null {
  if (!recipient.is_alive) return 'session_ended';
  if (!recipient.belongs) return 'not_a_member';
  if (recipient.device_token === null) return 'no_device';
  if (!recipient.has_scope) return 'no_scope';
  if (Date.parse(row.expires_at) <= now.getTime()) return 'too_late';
  return null;
}

function whoAndWhere({ user_id, workspace }: Recipient): Record<string, string> {
  return { user_id, workspace };
}

function composeMail(mail: MailSubject | undefined, recipient: Recipient): Told | string {
  if (!mail) return 'not_readable';
  if (mail.folder !== 'inbox') return 'not_in_inbox';
  if (!mail.notify) return 'muted';
  if (mail.from_email.toLowerCase() === recipient.user_email.toLowerCase()) return 'own';
  const { words } = wordsOf(recipient.language);
  const alert =
    recipient.push_content === 'none'
      ? { title: recipient.firm, body: words.newMail }
      : { title: mail.from_name || mail.from_email, body: mail.subject || words.noSubject };
  return {
    alert,
    carriesBadge: true,
    threadId: `mailbox-${mail.mailbox_id}`,
    fields: {
      ...whoAndWhere(recipient),
      message_id: mail.message_id,
      thread_id: String(mail.thread_id),
      mailbox_id: String(mail.mailbox_id),
    },
  };
}

function composeReminder(
  row: TakenPush,
  event: EventSubject,
  occurrence: RemindedOccurrence | string,
  recipient: Recipient,
  now: Date,
): Told | string {
  if (typeof occurrence === 'string') return occurrence;
  const { override, start } = occurrence;
  const reminder = row.reminder!;
  const seesMore = isAtLeast(event.level, 'read');
  const allDay = override?.all_day ?? event.all_day;
  return {
    alert: {
      title: seesMore ? (override?.title ?? event.title) : 'Busy',
      body: startsText(
        recipient.language,
        { start, allDay, eventZone: event.timezone },
        recipient.timezone,
        now,
      ),
    },
    carriesBadge: true,
    threadId: null,
    // All reminders that a session has of one occurrence: the phone may have sessions of other accounts, with their own.
    collapseId: createHash('sha256')
      .update(`${row.token_id} ${event.event_id} ${reminder.occurrence_start ?? ''}`)
      .digest('base64url'),
    fields: {
      ...whoAndWhere(recipient),
      event_id: String(event.event_id),
      occurrence_start: reminder.occurrence_start,
      conference_url: seesMore ? (event.conference?.url ?? null) : null,
    },
  };
}

function composeNotification(
  notification: NotificationSubject | undefined,
  recipient: Recipient,
): Told | string {
  if (!notification) return 'gone';
  if (!recipient.is_admin) return 'no_admin';
  if (notification.muted) return 'muted';
  const audience = notificationAudiences[notification.kind];
  const held = recipient.permissions?.split(' ');
  if (audience.to === 'admins' && held && !held.includes(audience.permission)) return 'no_permission';
  return {
    alert: { title: notification.title, body: notification.body ?? '' },
    carriesBadge: false,
    threadId: null,
    fields: {
      ...whoAndWhere(recipient),
      kind: notification.kind,
      notification_id: notification.notification_id,
      action_url: notification.action_url,
    },
  };
}

function test({ language }: Recipient): Told {
  const { words } = wordsOf(language);
  return {
    alert: { title: words.testTitle, body: words.testBody },
    carriesBadge: false,
    threadId: null,
    fields: {},
  };
}

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
import { messagesFor, startsText } from './messages/index.ts';
import type { LeasedPush } from './outbox.ts';
import { type PushContent, writePayload } from './payload.ts';
import type { Push } from './push-provider.ts';

/** A push ready to be sent, or the reason why it is dropped. */
export type ComposedPush = { push: Push } | { dropReason: string };

type PushDraft = Omit<PushContent, 'badge'> & { carriesBadge: boolean; collapseId?: string };

/**
 * Composes the pushes of leased rows, by row id, from the current state of the database: permissions, mutes, folders and event times
 * may have changed since the rows were queued.
 */
export async function composePushes(
  services: Services,
  rows: readonly LeasedPush[],
): Promise<Map<string, ComposedPush>> {
  const { pool, clock, log } = services;
  const now = clock.now();
  const idsOf = (type: LeasedPush['type']) => rows.filter((row) => row.type === type).map(({ id }) => id);
  const all = rows.map(({ id }) => id);
  const [recipients, mail, events, notifications] = await Promise.all([
    findRecipients(pool, all, now),
    findMail(pool, idsOf('mail.message')),
    findEvents(pool, idsOf('calendar.reminder')),
    findNotifications(pool, idsOf('admin.notification')),
  ]);

  const occurrences = await findOccurrences(services, rows, events);
  const composeContent = (row: LeasedPush, recipient: Recipient): PushDraft | string => {
    if (row.type === 'mail.message') return composeMail(mail.get(row.id), recipient);
    if (row.type === 'calendar.reminder') {
      const event = events.get(row.id);
      const occurrence = occurrences.get(row.id);
      return event && occurrence ? composeReminder(row, event, occurrence, recipient, now) : 'not_in_reach';
    }
    if (row.type === 'admin.notification') return composeNotification(notifications.get(row.id), recipient);
    return composeTest(recipient);
  };
  // One row that fails must not delay the others.
  const composeSafely = (row: LeasedPush, recipient: Recipient): PushDraft | string => {
    try {
      return composeContent(row, recipient);
    } catch (error) {
      log.error({ push: row.id, type: row.type, err: error }, 'push cannot be composed');
      return 'unwritable';
    }
  };
  const drafts = new Map<string, { draft: PushDraft; recipient: Recipient }>();
  const composed = new Map<string, ComposedPush>();
  for (const row of rows) {
    const recipient = recipients.get(row.id);
    const dropReason = recipient ? dropReasonOf(row, recipient, now) : 'session_ended';
    const draft = dropReason ?? composeSafely(row, recipient!);
    if (typeof draft === 'string') composed.set(row.id, { dropReason: draft });
    else drafts.set(row.id, { draft, recipient: recipient! });
  }
  const unread = await countBadges(
    pool,
    [...drafts.values()].filter(hasBadge).map(({ recipient }) => recipient),
  );
  for (const row of rows) {
    const ready = drafts.get(row.id);
    if (!ready) continue;
    const { draft, recipient } = ready;
    const payload = writePayload({
      ...draft,
      badge: hasBadge(ready) ? unread(recipient) : null,
      fields: { type: row.type, session: row.token_id, ...draft.fields },
    });
    const push: Push = {
      id: row.id,
      app: row.app,
      environment: recipient.environment!,
      deviceToken: recipient.device_token!,
      payload,
      expiresAt: new Date(row.expires_at),
      // Apple does not deduplicate by `apns-id`.
      collapseId: draft.collapseId ?? row.id,
    };
    composed.set(row.id, { push });
  }
  return composed;
}

/** The badge counts unread mail, so it needs a token that may read mail. */
function hasBadge({ draft, recipient }: { draft: PushDraft; recipient: Recipient }): boolean {
  return draft.carriesBadge && recipient.reads_mail;
}

/** Returns the reason why the device gets no pushes of this type any more, or null. */
function dropReasonOf(row: LeasedPush, recipient: Recipient, now: Date): string | null {
  if (!recipient.is_alive) return 'session_ended';
  if (!recipient.belongs) return 'not_a_member';
  if (recipient.device_token === null) return 'no_device';
  if (!recipient.has_scope) return 'no_scope';
  if (Date.parse(row.expires_at) <= now.getTime()) return 'too_late';
  return null;
}

function accountFields({ user_id, workspace }: Recipient): Record<string, string> {
  return { user_id, workspace };
}

function composeMail(mail: MailSubject | undefined, recipient: Recipient): PushDraft | string {
  if (!mail) return 'not_readable';
  if (mail.folder !== 'inbox') return 'not_in_inbox';
  if (!mail.notify) return 'muted';
  if (mail.from_email.toLowerCase() === recipient.user_email.toLowerCase()) return 'own';
  const { messages } = messagesFor(recipient.language);
  const alert =
    recipient.push_content === 'none'
      ? { title: recipient.firm, body: messages.newMail }
      : { title: mail.from_name || mail.from_email, body: mail.subject || messages.noSubject };
  return {
    alert,
    carriesBadge: true,
    threadId: `mailbox-${mail.mailbox_id}`,
    fields: {
      ...accountFields(recipient),
      message_id: mail.message_id,
      thread_id: String(mail.thread_id),
      mailbox_id: String(mail.mailbox_id),
    },
  };
}

function composeReminder(
  row: LeasedPush,
  event: EventSubject,
  occurrence: RemindedOccurrence | string,
  recipient: Recipient,
  now: Date,
): PushDraft | string {
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
    // One id for all reminders that a session gets of an occurrence. A phone may have sessions of several accounts.
    collapseId: createHash('sha256')
      .update(`${row.token_id} ${event.event_id} ${reminder.occurrence_start ?? ''}`)
      .digest('base64url'),
    fields: {
      ...accountFields(recipient),
      event_id: String(event.event_id),
      occurrence_start: reminder.occurrence_start,
      conference_url: seesMore ? (event.conference?.url ?? null) : null,
    },
  };
}

function composeNotification(
  notification: NotificationSubject | undefined,
  recipient: Recipient,
): PushDraft | string {
  if (!notification) return 'gone';
  if (!recipient.is_admin) return 'no_admin';
  if (notification.muted) return 'muted';
  const audience = notificationAudiences[notification.kind];
  const permissions = recipient.permissions?.split(' ');
  if (audience.to === 'admins' && permissions && !permissions.includes(audience.permission))
    return 'no_permission';
  return {
    alert: { title: notification.title, body: notification.body ?? '' },
    carriesBadge: false,
    threadId: null,
    fields: {
      ...accountFields(recipient),
      kind: notification.kind,
      notification_id: notification.notification_id,
      action_url: notification.action_url,
    },
  };
}

function composeTest({ language }: Recipient): PushDraft {
  const { messages } = messagesFor(language);
  return {
    alert: { title: messages.testTitle, body: messages.testBody },
    carriesBadge: false,
    threadId: null,
    fields: {},
  };
}

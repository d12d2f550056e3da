import { createHash } from 'node:crypto';
import { isAtLeast } from '../../calendar/index.ts';
import type { DropReason } from '../drop-reasons.ts';
import type { LeasedPush } from '../outbox.ts';
import type { RemindedOccurrence } from './find-occurrences.ts';
import type { EventSubject, MailSubject, NotificationSubject, Recipient } from './find-subjects.ts';
import { messagesFor, startsText } from './messages/index.ts';
import type { PushContent } from './payload.ts';

/** The content of a push whose badge has not been counted yet. */
export type PushDraft = Omit<PushContent, 'badge'> & { carriesBadge: boolean; collapseId?: string };

/** Returns the reason why the device gets no pushes of this type any more, or null. */
export function dropReasonOf(row: LeasedPush, recipient: Recipient, now: Date): DropReason | null {
  if (!recipient.is_live) return 'session_ended';
  if (!recipient.belongs) return 'not_a_member';
  if (recipient.device_token === null) return 'no_device';
  if (!recipient.has_scope) return 'no_scope';
  if (Date.parse(row.expires_at) <= now.getTime()) return 'too_late';
  return null;
}

function accountFields({ user_id, workspace }: Recipient): Record<string, string> {
  return { user_id, workspace };
}

/** Returns the push of a message, or the reason why it is dropped. */
export function composeMail(mail: MailSubject | undefined, recipient: Recipient): PushDraft | DropReason {
  if (!mail) return 'not_readable';
  if (mail.folder !== 'inbox') return 'not_in_inbox';
  if (!mail.notify) return 'muted';
  if (mail.from_email.toLowerCase() === recipient.user_email.toLowerCase()) return 'own';
  const messages = messagesFor(recipient.language);
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

/** Returns the push of a reminder, or the reason why it is dropped. */
export function composeReminder(
  row: LeasedPush,
  event: EventSubject,
  occurrence: RemindedOccurrence | DropReason,
  recipient: Recipient,
  now: Date,
): PushDraft | DropReason {
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
    // All reminders of an occurrence have one id per session. It includes the session, because a phone may have several accounts.
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

/** Returns the push of a notification, or the reason why it is dropped. */
export function composeNotification(
  notification: NotificationSubject | undefined,
  recipient: Recipient,
): PushDraft | DropReason {
  if (!notification) return 'gone';
  if (!recipient.is_admin) return 'no_admin';
  if (notification.muted) return 'muted';
  if (!recipient.visible_kinds.includes(notification.kind)) return 'no_permission';
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

/** Returns a test push. */
export function composeTest({ language }: Recipient): PushDraft {
  const messages = messagesFor(language);
  return {
    alert: { title: messages.testTitle, body: messages.testBody },
    carriesBadge: false,
    threadId: null,
    fields: {},
  };
}

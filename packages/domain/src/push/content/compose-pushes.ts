import type { Services } from '../../platform/services.ts';
import type { DropReason } from '../drop-reasons.ts';
import type { LeasedPush } from '../outbox.ts';
import type { BrowserPush, Push } from '../push-provider.ts';
import { findOccurrences } from './find-occurrences.ts';
import {
  countBadges,
  findEvents,
  findMail,
  findNotifications,
  findRecipients,
  type Recipient,
} from './find-subjects.ts';
import { MAX_BROWSER_BYTES, writePayload } from './payload.ts';
import {
  composeMail,
  composeNotification,
  composeReminder,
  composeTest,
  dropReasonOf,
  type PushDraft,
} from './push-content.ts';

/** A push ready to be sent, or in a sandbox to be recorded; or the reason why it is dropped; or one that waits because its firm is suspended. */
export type ComposedPush =
  | { push: Push | BrowserPush; isTest: boolean }
  | { dropReason: DropReason }
  | { isSuspended: true };

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
  const ofType = (type: LeasedPush['type']) => rows.filter((row) => row.type === type);
  const [recipients, mail, events, notifications] = await Promise.all([
    findRecipients(pool, rows, now),
    findMail(pool, ofType('mail.message')),
    findEvents(pool, ofType('calendar.reminder')),
    findNotifications(pool, ofType('admin.notification')),
  ]);

  const occurrences = await findOccurrences(services, rows, events);
  const composeContent = (row: LeasedPush, recipient: Recipient): PushDraft | DropReason => {
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
  const composeSafely = (row: LeasedPush, recipient: Recipient): PushDraft | DropReason => {
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
    if (recipient?.is_suspended) {
      composed.set(row.id, { isSuspended: true });
      continue;
    }
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
    const payload = writePayload(
      {
        ...draft,
        badge: hasBadge(ready) ? unread(recipient) : null,
        fields: { type: row.type, session: row.token_id, ...draft.fields },
      },
      row.app === 'browser' ? MAX_BROWSER_BYTES : undefined,
    );
    const common = {
      id: row.id,
      environment: recipient.environment!,
      deviceToken: recipient.device_token!,
      payload,
      expiresAt: new Date(row.expires_at),
      // Apple does not deduplicate by `apns-id`.
      collapseId: draft.collapseId ?? row.id,
    };
    const push: Push | BrowserPush =
      row.app === 'browser'
        ? { ...common, app: row.app, account: row.user_id, keys: recipient.keys! }
        : { ...common, app: row.app };
    composed.set(row.id, { push, isTest: recipient.is_test });
  }
  return composed;
}

/** The badge counts unread mail, so it needs a token that may read mail. */
function hasBadge({ draft, recipient }: { draft: PushDraft; recipient: Recipient }): boolean {
  return draft.carriesBadge && recipient.reads_mail;
}

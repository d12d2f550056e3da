import { describe, expect, test } from 'vitest';
import type { LeasedPush } from '../outbox.ts';
import type { EventSubject, MailSubject, NotificationSubject, Recipient } from './find-subjects.ts';
import { composeMail, composeNotification, composeReminder, dropReasonOf } from './push-content.ts';

const now = new Date('2026-01-01T12:00:00Z');

const recipient = (over: Partial<Recipient> = {}): Recipient => ({
  id: 'row',
  keys: null,
  device_token: 'ab',
  environment: 'production',
  last_seen_at: null,
  timezone: 'UTC',
  language: 'en',
  user_id: 'usr_1',
  user_email: 'me@example.com',
  workspace_id: 1,
  workspace: 'acme',
  firm: 'Acme',
  push_content: 'full',
  is_test: false,
  is_live: true,
  belongs: true,
  is_suspended: false,
  has_scope: true,
  reads_mail: true,
  is_admin: true,
  visible_kinds: [],
  ...over,
});
const row = (over: Partial<LeasedPush> = {}): LeasedPush => ({
  id: 'row',
  token_id: 'key_1',
  workspace_id: 2,
  user_id: 'usr_1',
  app: 'mail',
  type: 'test',
  subject: '1',
  reminder: null,
  attempts: 1,
  expires_at: '2026-01-02T00:00:00.000Z',
  trace: null,
  ...over,
});

describe('dropReasonOf', () => {
  test.each<[Partial<Recipient>, string | null]>([
    [{}, null],
    [{ is_live: false, belongs: false }, 'session_ended'],
    [{ belongs: false, device_token: null }, 'not_a_member'],
    [{ device_token: null, has_scope: false }, 'no_device'],
    [{ has_scope: false }, 'no_scope'],
  ])('of a recipient with %j is %s', (over, reason) => {
    expect(dropReasonOf(row(), recipient(over), now)).toBe(reason);
  });

  test('of an expired row is too_late', () => {
    expect(dropReasonOf(row({ expires_at: now.toISOString() }), recipient(), now)).toBe('too_late');
  });
});

describe('composeMail', () => {
  const mail = (over: Partial<MailSubject> = {}): MailSubject => ({
    id: 'row',
    message_id: 'msg_1',
    thread_id: 2,
    mailbox_id: 3,
    folder: 'inbox',
    from_name: 'Ann',
    from_email: 'ann@example.com',
    subject: 'Numbers',
    notify: true,
    ...over,
  });

  test.each<[MailSubject | undefined, string]>([
    [undefined, 'not_readable'],
    [mail({ folder: 'spam' }), 'not_in_inbox'],
    [mail({ notify: false }), 'muted'],
    [mail({ from_email: 'ME@Example.com' }), 'own'],
  ])('drops %j as %s', (subject, reason) => expect(composeMail(subject, recipient())).toBe(reason));

  test.each<[Partial<MailSubject>, Partial<Recipient>, object]>([
    [{}, {}, { title: 'Ann', body: 'Numbers' }],
    [{ from_name: null, subject: '' }, {}, { title: 'ann@example.com', body: '(no subject)' }],
    [{}, { push_content: 'none' }, { title: 'Acme', body: 'You have a new message.' }],
  ])('shows a message with %j to a recipient with %j', (over, of, alert) => {
    expect(composeMail(mail(over), recipient(of))).toMatchObject({ alert, carriesBadge: true });
  });
});

describe('composeReminder', () => {
  const event = {
    event_id: 5,
    title: 'Stand-up',
    all_day: false,
    timezone: 'UTC',
    level: 'read',
    conference: { provider: null, url: 'https://meet.example/1', meeting_id: null, passcode: null },
  } as EventSubject;
  const reminder = { event_id: 5, minutes_before: 10, occurrence_start: null, starts_at: now.toISOString() };
  const occurrence = { start: Date.parse('2026-01-01T14:00:00Z'), override: null };

  test('shows the title and the conference link to a reader', () => {
    expect(composeReminder(row({ reminder }), event, occurrence, recipient(), now)).toMatchObject({
      alert: { title: 'Stand-up', body: expect.stringContaining('2:00') },
      fields: { event_id: '5', conference_url: 'https://meet.example/1' },
    });
  });

  test('shows neither with the access level busy', () => {
    const busy = { ...event, level: 'busy' as const };
    expect(composeReminder(row({ reminder }), busy, occurrence, recipient(), now)).toMatchObject({
      alert: { title: 'Busy' },
      fields: { conference_url: null },
    });
  });

  test('is dropped with the reason why its occurrence was not found', () => {
    expect(composeReminder(row({ reminder }), event, 'moved', recipient(), now)).toBe('moved');
  });
});

describe('composeNotification', () => {
  const notification = (over: Partial<NotificationSubject> = {}): NotificationSubject => ({
    id: 'row',
    notification_id: 'one',
    kind: 'payout_requested',
    title: 'A payout',
    body: null,
    action_url: '/payouts/1',
    muted: false,
    ...over,
  });

  test.each<[NotificationSubject | undefined, Partial<Recipient>, string]>([
    [undefined, {}, 'gone'],
    [notification(), { is_admin: false }, 'no_admin'],
    [notification({ muted: true }), {}, 'muted'],
    [notification(), { visible_kinds: ['risk_flag_raised'] }, 'no_permission'],
  ])('drops %j for a recipient with %j as %s', (subject, over, reason) => {
    expect(composeNotification(subject, recipient(over))).toBe(reason);
  });

  test('shows it to a recipient who may see its kind', () => {
    const over: Partial<Recipient> = { visible_kinds: ['payout_requested'] };
    expect(composeNotification(notification(), recipient(over))).toMatchObject({
      alert: { title: 'A payout', body: '' },
      carriesBadge: false,
    });
  });
});

import {
  notificationKinds,
  preRegistrationStatuses,
  ticketPriorities,
  ticketStatuses,
} from '@firmdesk/contract';
import { expand, formatLocal, parseRule, utcToLocal } from '@firmdesk/recurrence';
import { describe, expect, test } from 'vitest';
import { parseSeed, resolveTimestamp, type Seed } from '../index.ts';
import { DEMO_EMAIL, DEMO_PASSWORD, DEMO_TOKEN } from './account.ts';
import { weekdays } from './calendar/days.ts';
import { demoSeed } from './index.ts';

const DAYS = [
  ['an ordinary Wednesday', '2026-05-13T10:20:30.456Z'],
  ['a leap day', '2028-02-29T23:59:59.999Z'],
  ['the day before a leap day', '2028-02-28T00:00:00Z'],
  ["New Year's Eve", '2026-12-31T23:30:00Z'],
  ["New Year's Day, a Monday", '2029-01-01T00:30:00Z'],
  ['a Sunday', '2026-11-22T12:00:00Z'],
  ['the start of summer time in Europe', '2026-03-29T01:30:00Z'],
  ['the start of summer time in New York', '2026-03-08T07:30:00Z'],
  ['the end of summer time in Europe', '2026-10-25T01:30:00Z'],
  ['the end of summer time in New York', '2026-11-01T06:30:00Z'],
] as const;

describe.each(DAYS)('the demo data on %s', (_name, text) => {
  const now = new Date(text);
  const seed = parseSeed(demoSeed(now));
  const instant = (timestamp: string) => Date.parse(resolveTimestamp(timestamp, now));

  test('dates everything that has happened before now', () => {
    const past = [
      ...seed.messages.map(({ message_at }) => message_at),
      ...seed.tickets.flatMap(({ created_at, closed_at }) => [created_at, closed_at]),
      ...seed.tickets.flatMap(({ messages }) => messages.flatMap((m) => [m.created_at, m.read_at])),
      ...seed.notifications.flatMap((n) => [n.created_at, n.read_at]),
      ...seed.pre_registrations.flatMap((r) => [r.created_at, r.claimed_at, r.last_sent_at]),
    ].filter((timestamp) => timestamp != null);
    expect(past.filter((timestamp) => instant(timestamp) >= now.getTime())).toEqual([]);
  });

  test('has what the platform says about every trader with a ticket, unless the account was deleted', () => {
    const without = seed.tickets.filter(({ firm, trader }) => {
      const user = seed.users.find(({ key }) => key === trader)!;
      return !user.deleted && !user.memberships.some((of) => of.firm === firm && of.profile);
    });
    expect(without.map(({ key, trader }) => `${trader}: ${key}`)).toEqual([]);
  });

  test('lists the messages of tickets and mail conversations in chronological order', () => {
    for (const { key, messages } of seed.tickets) {
      const times = messages.map(({ created_at }) => instant(created_at));
      expect(times, key).toEqual([...new Set(times)].sort((a, b) => a - b));
    }
    const conversations = Map.groupBy(seed.messages, ({ mailbox, thread }) => `${mailbox}/${thread}`);
    for (const [key, messages] of conversations) {
      const times = messages.map(({ message_at }) => instant(message_at));
      expect(times, key).toEqual([...new Set(times)].sort((a, b) => a - b));
    }
  });

  test('has events that end after they start, and series that begin on an occurrence of their rule', () => {
    for (const event of seed.events) {
      expect(instant(event.ends_at), event.key).toBeGreaterThan(instant(event.starts_at));
      if (event.recurrence_rule == null) continue;
      parseRule(event.recurrence_rule);
      const day = formatLocal(utcToLocal(instant(event.starts_at), event.timezone)).slice(0, 10);
      const weekday = weekdays[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7];
      const byDay = /BYDAY=([^;]+)/.exec(event.recurrence_rule)?.[1]?.split(',') ?? [];
      if (byDay.length > 0)
        expect(
          byDay.map((name) => name.slice(-2)),
          event.key,
        ).toContain(weekday);
    }
  });

  test('overrides and excludes only occurrences of the series', () => {
    for (const event of seed.events) {
      const recurrenceIds = [
        ...event.exdates,
        ...event.overrides.map(({ occurrence_start }) => occurrence_start),
      ];
      const series = {
        start: instant(event.starts_at),
        end: instant(event.ends_at),
        zone: event.timezone,
        rule: event.recurrence_rule,
      };
      for (const recurrenceId of recurrenceIds.map(instant)) {
        const { occurrences } = expand(series, { from: recurrenceId, until: recurrenceId + 1 });
        expect(
          occurrences.map(({ start }) => start),
          event.key,
        ).toEqual([recurrenceId]);
      }
    }
  });

  test('has a meeting today and tickets of the last hours', () => {
    const dayAgo = now.getTime() - 86_400_000;
    expect(
      seed.tickets.filter((t) => instant(t.messages.at(-1)?.created_at ?? '') > dayAgo).length,
    ).toBeGreaterThan(15);
    const week = { from: now.getTime() - 3 * 86_400_000, until: now.getTime() + 4 * 86_400_000 };
    const seen = seed.events.filter((event) => {
      const series = {
        start: instant(event.starts_at),
        end: instant(event.ends_at),
        zone: event.timezone,
        allDay: event.all_day,
        rule: event.recurrence_rule,
      };
      return expand(series, week).occurrences.length > 0;
    });
    expect(seen.length).toBeGreaterThan(12);
  });
});

const seed: Seed = parseSeed(demoSeed(new Date('2026-05-13T10:20:30Z')));
const northgate = seed.tickets.filter(({ firm }) => firm === 'northgate');

test('gives the demo sign-in and token to an account with every permission', () => {
  const owner = seed.users.find(({ email }) => email === DEMO_EMAIL);
  expect(owner?.password).toBe(DEMO_PASSWORD);
  expect(owner?.memberships[0]?.permissions).toContain('manage_tickets');
  expect(seed.tokens.find(({ key }) => key === DEMO_TOKEN)).toMatchObject({
    user: owner?.key,
    firm: 'northgate',
  });
});

test('has tickets of every status and priority, consistent with their messages', () => {
  expect(northgate).toHaveLength(60);
  expect(new Set(northgate.map(({ status }) => status))).toEqual(new Set(ticketStatuses));
  expect(new Set(northgate.map(({ priority }) => priority))).toEqual(new Set(ticketPriorities));
  for (const { key, status, closed_at, ai_enabled, messages } of seed.tickets) {
    const ended = status === 'resolved' || status === 'closed';
    expect(closed_at != null, key).toBe(ended);
    const visible = messages.filter(({ internal }) => !internal);
    if (status === 'awaiting_trader') expect(['admin', 'ai'], key).toContain(visible.at(-1)?.from);
    if (status === 'awaiting_admin') expect(visible.at(-1)?.from, key).toBe('trader');
    if (status === 'open') {
      expect(ai_enabled, key).toBe(true);
      // The import would change the status of an open ticket in which the trader wrote last.
      expect(visible.at(-1)?.from, key).toBe('ai');
    }
    if (ai_enabled)
      expect(
        visible.some(({ from }) => from === 'admin'),
        key,
      ).toBe(false);
  }
});

test('counts unanswered messages as unread, except on ended tickets', () => {
  const unread = (key: string) =>
    seed.tickets
      .find((ticket) => ticket.key === key)
      ?.messages.filter((m) => !m.internal && (m.from === 'trader' || m.from === 'ai') && m.read_at == null)
      .length;
  expect(unread('two-factor-lost')).toBe(2);
  expect(unread('first-payout-when')).toBe(3);
  expect(unread('approved-not-paid')).toBe(0);
  expect(unread('angry-review')).toBe(0);
});

test('has notifications of every kind; staff kinds only in the platform workspace', () => {
  expect(new Set(seed.notifications.map(({ kind }) => kind))).toEqual(new Set(notificationKinds));
  const ofStaff = new Set(notificationKinds.slice(-4));
  for (const { key, kind, firm } of seed.notifications)
    expect(firm === 'platform', key).toBe(ofStaff.has(kind));
  expect(new Set(seed.notifications.map(({ read_at }) => read_at == null))).toEqual(new Set([true, false]));
});

test('has pre-registrations of every status, one of them pending past its expiry', () => {
  expect(new Set(seed.pre_registrations.map(({ status }) => status))).toEqual(
    new Set(preRegistrationStatuses),
  );
  expect(
    seed.pre_registrations.filter((r) => r.status === 'pending' && r.expires_at?.startsWith('now-')),
  ).toHaveLength(1);
});

test('has mail in every folder, with and without a previous folder', () => {
  expect(new Set(seed.messages.map(({ folder }) => folder))).toEqual(
    new Set(['inbox', 'drafts', 'sent', 'archive', 'spam', 'trash']),
  );
  const spam = seed.messages.filter(({ folder }) => folder === 'spam');
  expect(new Set(spam.map(({ previous_folder }) => previous_folder))).toEqual(new Set([undefined, 'inbox']));
});

test('uses only addresses under reserved domains', () => {
  const addresses = [...seed.users, ...seed.mailboxes, ...seed.pre_registrations].map(({ email }) => email);
  const written = seed.messages.flatMap(({ from, to, cc }) => [from, ...to, ...cc].map(({ email }) => email));
  const invited = seed.events.flatMap(({ attendees }) => attendees.map(({ email }) => email));
  // RFC 2606 and RFC 6761 reserve these names.
  const reserved = /(\.example|@example\.(com|net|org))$/;
  expect([...addresses, ...written, ...invited].filter((address) => !reserved.test(address))).toEqual([]);
});

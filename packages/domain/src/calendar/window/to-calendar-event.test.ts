import { CalendarEvent } from '@firmdesk/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AccessLevel } from '../calendars/access-level.ts';
import type { OverrideColumns } from '../events/series.ts';
import type { Candidate } from './candidate.ts';
import { limitByTextSize, toCalendarEvent, toCalendarEvents } from './to-calendar-event.ts';

const texts = fc.string({ unit: 'grapheme', maxLength: 20 });
const maybe = fc.option(texts);
const instant = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.getTime());

/** The fields that must not affect what a viewer at `busy` sees. */
const secrets = fc.record({
  title: texts,
  description: maybe,
  location: maybe,
  source: fc.constantFrom('manual' as const, 'mail' as const, 'import' as const),
  conference: fc.option(fc.record({ provider: maybe, url: maybe, meeting_id: maybe, passcode: maybe })),
  organizer_name: maybe,
  organizer_email: maybe,
  attendees: fc.option(
    fc.array(
      fc.record({
        name: maybe,
        email: texts,
        response: texts,
        is_organizer: fc.boolean(),
        is_optional: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
  ),
  reminders: fc.option(fc.array(fc.record({ minutes_before: fc.nat(), channel: texts }), { maxLength: 2 })),
  tags: fc.option(
    fc.array(fc.record({ id: fc.nat().map((n) => n + 1), name: texts, color: texts }), { maxLength: 2 }),
  ),
  recurrence_rule: fc.constantFrom('FREQ=DAILY', 'FREQ=DAILY;COUNT=9'),
  overrideTitle: maybe,
  overrideLocation: maybe,
});

const times = fc.record({
  recurrenceId: instant,
  start: instant,
  end: instant,
  all_day: fc.boolean(),
  isMoved: fc.boolean(),
});

type Secrets = typeof secrets extends fc.Arbitrary<infer T> ? T : never;
type Times = typeof times extends fc.Arbitrary<infer T> ? T : never;

/** Returns an occurrence of an event, and what its viewer may see of it. */
function occurrenceOf(level: AccessLevel, times: Times, content: Secrets) {
  const { overrideTitle, overrideLocation, conference, attendees, reminders, tags, ...texts } = content;
  const { recurrenceId, start, end, all_day, isMoved } = times;
  const event: Candidate = {
    ...texts,
    id: 1,
    calendar_id: 2,
    level,
    description: texts.description || null,
    location: texts.location || null,
    status: 'confirmed',
    conference,
    attendees,
    reminders,
    tags,
    text_bytes: [texts.title, texts.description, texts.location].reduce(
      (sum, text) => sum + Buffer.byteLength(text ?? ''),
      0,
    ),
    local_start: '2026-11-02T09:00:00',
    local_end: '2026-11-02T10:00:00',
    all_day,
    timezone: 'Europe/Berlin',
    added_dates: null,
    removed_dates: null,
    overrides: null,
    is_partial: false,
  };
  const override: OverrideColumns = {
    occurrence_start: '',
    cancelled: false,
    this_and_future: false,
    local_start: null,
    local_end: null,
    all_day: null,
    title: overrideTitle,
    description: null,
    location: overrideLocation,
    status: null,
  };
  const occurrence = { event, recurrenceId, start, end, override: isMoved ? override : null };
  return { occurrence, expected: seenAt(level, times, content) };
}

/** Returns occurrences of one event, which are all-day if the first one is. */
function occurrencesOf(level: AccessLevel, whens: Times[], content: Secrets) {
  const all = whens.map((when) => occurrenceOf(level, { ...when, all_day: whens[0]!.all_day }, content));
  return all.map(({ occurrence, expected }) => ({
    occurrence: { ...occurrence, event: all[0]!.occurrence.event },
    expected,
  }));
}

function seenAt(level: AccessLevel, times: Times, content: Secrets): CalendarEvent {
  const { recurrenceId, start, end, all_day, isMoved } = times;
  const isBusy = level === 'busy';
  const iso = (instant: number) => new Date(instant).toISOString();
  const none = { provider: null, url: null, meeting_id: null, passcode: null };
  return {
    occurrence_start: iso(recurrenceId),
    starts_at: iso(start),
    ends_at: iso(end),
    object: 'calendar_event',
    id: 1,
    calendar_id: 2,
    all_day,
    timezone: 'Europe/Berlin',
    status: 'confirmed',
    is_recurring: true,
    title: isBusy ? 'Busy' : ((isMoved ? content.overrideTitle : null) ?? content.title),
    description: isBusy ? null : content.description || null,
    location: isBusy ? null : ((isMoved ? content.overrideLocation : null) ?? content.location) || null,
    source: isBusy ? 'manual' : content.source,
    recurrence_rule: isBusy ? null : content.recurrence_rule,
    conference: isBusy ? none : (content.conference ?? none),
    organizer: isBusy
      ? { name: null, email: null }
      : { name: content.organizer_name, email: content.organizer_email },
    attendees: (!isBusy && content.attendees) || [],
    reminders: (!isBusy && content.reminders) || [],
    tags: (!isBusy && content.tags) || [],
    can_write: level === 'write' || level === 'owner',
  } as CalendarEvent;
}

test('shows only the times of an event at busy', () => {
  fc.assert(
    fc.property(times, secrets, secrets, (when, one, other) => {
      const shown = (content: Secrets) =>
        JSON.stringify(toCalendarEvent(occurrenceOf('busy', when, content).occurrence));
      expect(shown(one)).toBe(shown(other));
    }),
  );
});

test('shows occurrences as their viewer may see them', async () => {
  const level = fc.constantFrom('busy' as const, 'read' as const, 'write' as const, 'owner' as const);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(level, fc.array(times, { maxLength: 3 }), secrets), { maxLength: 4 }),
      async (series) => {
        const seen = series.flatMap(([level, whens, content]) => occurrencesOf(level, whens, content));
        const occurrences = seen.map(({ occurrence }) => occurrence);
        const shown = await toCalendarEvents(occurrences);
        expect(shown).toEqual(seen.map(({ expected }) => expected));
        expect(shown).toEqual(occurrences.map(toCalendarEvent));
        for (const one of shown) CalendarEvent.parse(one);
      },
    ),
  );
});

test('limits the texts of all occurrences together', () => {
  const [when, content] = [fc.sample(times, 1)[0]!, fc.sample(secrets, 1)[0]!];
  const texts = { title: 'x', description: 'y'.repeat(99), location: null, attendees: null };
  const { occurrence } = occurrenceOf('owner', { ...when, isMoved: false }, { ...content, ...texts });
  const occurrences = Array<typeof occurrence>(5).fill(occurrence);
  expect(limitByTextSize(occurrences, 500)).toHaveLength(5);
  expect(limitByTextSize(occurrences, 499)).toHaveLength(4);
});

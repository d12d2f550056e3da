import { text } from 'node:stream/consumers';
import { CalendarEvent } from '@firmdesk/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventOccurrence } from './occurrence-list.ts';
import { limitByTextSize, serializeCalendarEvents, toCalendarEvent } from './to-calendar-event.ts';
import type { Candidate } from './window-query.ts';

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

function occurrenceOf(level: Candidate['level'], times: Times, content: Secrets): EventOccurrence<Candidate> {
  const { overrideTitle, overrideLocation, conference, attendees, ...rest } = content;
  const { recurrenceId, start, end, all_day, isMoved } = times;
  const event: Candidate = {
    id: 1,
    calendar_id: 2,
    level,
    local_start: '',
    local_end: '',
    all_day,
    timezone: 'Europe/Berlin',
    status: 'confirmed',
    added_dates: null,
    removed_dates: null,
    overrides: null,
    is_partial: false,
    ...rest,
    conference: conference && JSON.stringify(conference),
    attendees: attendees && JSON.stringify(attendees),
  };
  const override = {
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
  return { event, recurrenceId, start, end, override: isMoved ? override : null };
}

test('shows only the times of an event at busy', () => {
  fc.assert(
    fc.property(times, secrets, secrets, (when, one, other) => {
      const shown = (content: Secrets) =>
        JSON.stringify(toCalendarEvent(occurrenceOf('busy', when, content)));
      expect(shown(one)).toBe(shown(other));
    }),
  );
});

test('serializes a list like its objects, each of which matches the contract', async () => {
  const level = fc.constantFrom('busy' as const, 'read' as const, 'write' as const, 'owner' as const);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(level, fc.array(times, { maxLength: 3 }), secrets), { maxLength: 4 }),
      async (series) => {
        const occurrences = series.flatMap(([level, whens, content]) => {
          const { event } = occurrenceOf(level, whens[0] ?? ({} as Times), content);
          return whens.map((when) => ({ ...occurrenceOf(level, when, content), event }));
        });
        const objects = occurrences.map(toCalendarEvent);
        expect(await text(serializeCalendarEvents(occurrences))).toBe(JSON.stringify(objects));
        for (const one of objects) CalendarEvent.parse(one);
      },
    ),
  );
});

test('yields to the event loop between long texts', async () => {
  const [when, content] = [fc.sample(times, 1)[0]!, fc.sample(secrets, 1)[0]!];
  const occurrences = Array.from({ length: 300 }, () => {
    const one = occurrenceOf('owner', when, content);
    return { ...one, event: { ...one.event, description: '"'.repeat(200_000) } };
  });
  let yields = 0;
  const count = () => {
    yields++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  await text(serializeCalendarEvents(occurrences));
  clearImmediate(timer);
  expect(yields).toBeGreaterThan(1);
});

test('limits the texts of all occurrences together', () => {
  const [when, content] = [fc.sample(times, 1)[0]!, fc.sample(secrets, 1)[0]!];
  const texts = { title: 'x', description: 'y'.repeat(99), location: null, attendees: null };
  const occurrences = Array.from({ length: 5 }, () =>
    occurrenceOf('owner', { ...when, isMoved: false }, { ...content, ...texts }),
  );
  expect(limitByTextSize(occurrences, 500)).toHaveLength(5);
  expect(limitByTextSize(occurrences, 499)).toHaveLength(4);
});

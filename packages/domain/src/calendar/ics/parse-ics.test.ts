import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventFieldError } from '../events/event-error.ts';
import { toEventRows } from '../events/event-rows.ts';
import { toNewEvent } from './ics-series.ts';
import { attempt, parseIcs } from './parse-ics.ts';

const LINES = [
  'BEGIN:VCALENDAR',
  'END:VCALENDAR',
  'BEGIN:VEVENT',
  'END:VEVENT',
  'BEGIN:VTIMEZONE',
  'TZID:Custom',
  'BEGIN:STANDARD',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+2560',
  'END:STANDARD',
  'END:VTIMEZONE',
  'UID:a',
  'UID:b',
  'SEQUENCE:99999999999999',
  'DTSTART:20261123T090000Z',
  'DTSTART;TZID=Custom:19700101T000000',
  'DTSTART;VALUE=DATE:20261123',
  'DTSTART;TZID=Europe/Berlin:00010101T000000',
  'DTSTART:99991231T235959',
  'DTEND:20261123T100000Z',
  'DTEND;VALUE=DATE:20261124',
  'DTEND:99991231T235959Z',
  'DURATION:P999999W',
  'DURATION:-P1D',
  'DURATION:P',
  'DURATION:PT',
  'DURATION:PT1H1H',
  'RRULE:FREQ=DAILY',
  'RRULE:FREQ=HOURLY;BYMINUTE=0,1,2,3;COUNT=1000000',
  'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'RRULE:FREQ=YEARLY;UNTIL=99991231',
  'RRULE:',
  'RDATE;VALUE=PERIOD:20261123T090000Z/PT1H,x/y',
  'RDATE;VALUE=DATE:20261130',
  'RDATE:20261130T090000',
  'EXDATE:20261124T090000Z',
  'EXDATE;VALUE=DATE:20261125',
  'RECURRENCE-ID:20261124T090000Z',
  'RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20261124',
  'STATUS:CANCELLED',
  'SUMMARY;LANGUAGE="en:x',
  'SUMMARY:\\',
  'ATTENDEE;CN=:mailto:',
  'ATTENDEE;CN=\0\uD800:mailto:y@example.com',
  'ATTENDEE;MEMBER="mailto:a@b","mailto:c@d":mailto:x@example.com',
  'ORGANIZER:mailto:x@example.com',
  'CONFERENCE;VALUE=URI:https://[',
  'ATTENDEE;CN="a:mailto:x@example.com',
  'ATTENDEE;CN=a: b;EMAIL=x@example.com:/principal/',
  'RRULE: RRULE:FREQ=DAILY; COUNT=2;X-A=1',
  'EXDATE;TZID="UTC+05:45":20261124T090000,,x',
  'DTSTAMP:99991231T235959Z',
  'RDATE:20261130T020000',
  ';;;:::',
  ' folded on',
  '\0\uD800',
];

const line = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...LINES) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...LINES), fc.string({ maxLength: 5 }), fc.nat(30))
      .map(([text, with_, at]) => text.slice(0, at) + with_ + text.slice(at)),
  },
);
const event = fc
  .array(line, { maxLength: 12 })
  .map((lines) => ['BEGIN:VEVENT', 'UID:a', 'DTSTART:20261123T090000Z', ...lines, 'END:VEVENT']);
const document = fc
  .array(fc.oneof({ weight: 3, arbitrary: event }, fc.array(line, { maxLength: 6 })), { maxLength: 6 })
  .map((parts) => ['BEGIN:VCALENDAR', ...parts.flat(), 'END:VCALENDAR'].join('\n'));

test('reads hostile documents in little time', () => {
  const inEvent = (line: string) => [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:a',
    'DTSTART:20261123T090000Z',
    line,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  const lines = [
    `ATTENDEE${';A="'.repeat(60_000)}`,
    `ATTENDEE;CN=",${'",'.repeat(90_000)}`,
    `ATTENDEE;CN=${':mailto:'.repeat(25_000)}`,
    `ATTENDEE;CN="${'\\"'.repeat(99_000)}":mailto:a@b.test`,
    `ATTENDEE:${'<a@'.repeat(60_000)}`,
    `RRULE:${' ;'.repeat(99_000)}`,
    `EXDATE:${'20261208T100000Z,'.repeat(11_000)}`,
    `RDATE:${'/'.repeat(199_000)}`,
    `UID${' '.repeat(199_000)}:x`,
    'junk\n'.repeat(200_000),
    'BEGIN:X\n'.repeat(200_000),
    'BEGIN:VCALENDAR\n'.repeat(200_000),
  ];
  const started = performance.now();
  for (const line of lines) {
    const { series, refused, notes } = parseIcs(inEvent(line).join('\n'), 'UTC');
    expect(series.length + refused.length).toBeLessThanOrEqual(1);
    expect(notes.length).toBeLessThanOrEqual(102);
  }
  const bytes = Buffer.from(`BEGIN:VEVENT\n${'X:\xfc\n'.repeat(200_000)}`, 'latin1');
  expect(parseIcs(bytes, 'UTC').refused).toHaveLength(1);
  // Some seconds at most; a quadratic step takes minutes.
  expect(performance.now() - started).toBeLessThan(30_000);
});

test('parses or refuses each event of any document', () => {
  fc.assert(
    fc.property(document, (text) => {
      const { series, refused } = parseIcs(text, 'Europe/Berlin');
      const lines = text.split('\n').length;
      for (const one of series) {
        const { line, uid } = one.master ?? one.overrides[0]!;
        const made = attempt({ line, uid }, refused, () =>
          toNewEvent(one, { calendarId: 1, source: 'import', status: 'confirmed' }, []),
        );
        if (!made) continue;
        try {
          const { event } = toEventRows(made);
          expect(Date.parse(event.span_start)).not.toBeNaN();
          expect(JSON.stringify(event)).not.toMatch(/\\u0000|\\ud8/);
        } catch (error) {
          expect(error).toBeInstanceOf(EventFieldError);
        }
      }
      for (const { line, reason } of refused) {
        expect(line).toBeGreaterThan(0);
        expect(line).toBeLessThanOrEqual(lines);
        expect(reason).not.toMatch(/undefined|\[object/);
      }
    }),
    { numRuns: 1_500 },
  );
});

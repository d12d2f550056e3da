import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventFieldError } from '../event-error.ts';
import { toEventRows } from '../event-rows.ts';
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

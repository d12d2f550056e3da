import { MAX_EVENTS_PER_CALENDAR } from '@firmdesk/contract';
import {
  createCalendar,
  createUser,
  createWorkspace,
  openTestServices,
  type TestServices,
} from '@firmdesk/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { withTransaction } from '../../platform/database/transaction.ts';
import { expandWindow } from '../window/expand-window.ts';
import { toCalendarEvent } from '../window/to-calendar-event.ts';
import { findCandidates } from '../window/window-query.ts';
import { importIcs } from './import-ics.ts';

let env: TestServices;
let firm: Awaited<ReturnType<typeof createWorkspace>>;
let owner: { id: string };
let calendar: number;
beforeAll(async () => {
  env = await openTestServices(inject('postgresUrl'));
  firm = await createWorkspace(env.services);
  owner = await createUser(env.services, { firm });
  await env.services.pool.query(`update users set timezone = 'Asia/Tokyo' where id = $1`, [owner.id]);
});
afterAll(() => env[Symbol.asyncDispose]());
beforeEach(async () => {
  calendar = await createCalendar(env.services, { firm, owner });
});

const document = (...lines: string[]) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n');
const event = (uid: string, ...lines: string[]) =>
  ['BEGIN:VEVENT', `UID:${uid}`, ...lines, 'END:VEVENT'].join('\r\n');
const put = (text: string) =>
  withTransaction(env.services, (ctx) => importIcs(ctx, { calendarId: calendar, document: text }));

/** Returns the occurrences of November 2026 as `title start/end`. */
async function shown(): Promise<string[]> {
  const window = { from: Date.parse('2026-11-01T00:00:00Z'), until: Date.parse('2026-12-01T00:00:00Z') };
  const query = { userId: owner.id, workspaceId: firm.id, window, calendars: [calendar] };
  const candidates = await findCandidates(env.services.pool, query);
  const time = (instant: number) => new Date(instant).toISOString().slice(5, 16);
  const { occurrences } = await expandWindow(candidates!.events, window, 1_000, {
    queue: 'account',
    log: env.log,
  });
  return occurrences.map((one) => `${toCalendarEvent(one).title} ${time(one.start)}/${time(one.end)}`);
}
const refusals = (result: Awaited<ReturnType<typeof put>>) =>
  result.refused.map(({ line, uid, reason }) => `${line} ${uid}: ${reason}`);

describe('zones', () => {
  test('an IANA name takes precedence over a different VTIMEZONE', async () => {
    await put(
      document(
        'BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:-0500\r\nTZOFFSETTO:-0500\r\nEND:STANDARD\r\nEND:VTIMEZONE',
        event('a', 'SUMMARY:x', 'DTSTART;TZID=Europe/Berlin:20261123T100000', 'DURATION:PT1H'),
      ),
    );
    expect(await shown()).toEqual(['x 11-23T09:00/11-23T10:00']);
  });

  test('a custom name means an IANA zone with the same offsets', async () => {
    const zone = (tzid: string, ...offsets: string[]) =>
      [
        `BEGIN:VTIMEZONE\r\nTZID:${tzid}`,
        `BEGIN:STANDARD\r\nDTSTART:19701025T030000\r\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\nTZOFFSETFROM:${offsets[1]}\r\nTZOFFSETTO:${offsets[0]}\r\nEND:STANDARD`,
        `BEGIN:DAYLIGHT\r\nDTSTART:19700329T020000\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\nTZOFFSETFROM:${offsets[0]}\r\nTZOFFSETTO:${offsets[1]}\r\nEND:DAYLIGHT`,
        'END:VTIMEZONE',
      ].join('\r\n');
    const result = await put(
      document(
        zone('Office', '+0100', '+0200'),
        zone('Fixed', '+0530', '+0530'),
        zone('Nowhere', '+0017', '+0213'),
        event('a', 'SUMMARY:a', 'DTSTART;TZID=Office:20261123T100000', 'DURATION:PT1H'),
        event('b', 'SUMMARY:b', 'DTSTART;TZID=Fixed:20261123T153000', 'DURATION:PT1H'),
        event('c', 'SUMMARY:c', 'DTSTART;TZID=Nowhere:20261123T100000'),
        event('e', 'DTSTART;TZID=Nowhere:20261123T100000', 'RRULE:FREQ=DAILY'),
        event('d', 'DTSTART;TZID=Unsaid:20261123T100000'),
      ),
    );
    expect(await shown()).toEqual([
      'a 11-23T09:00/11-23T10:00',
      'c 11-23T09:43/11-23T09:43',
      'b 11-23T10:00/11-23T11:00',
    ]);
    expect(refusals(result)).toEqual([
      expect.stringMatching(/ e: the event repeats, and no IANA time zone has the offsets of its time zone/),
      expect.stringMatching(/ d: the time zone "Unsaid" is unknown/),
    ]);
    const { rows } = await env.services.pool.query(
      'select timezone from events where calendar_id = $1 order by uid',
      [calendar],
    );
    expect(rows).toEqual([{ timezone: 'Europe/Berlin' }, { timezone: 'Asia/Kolkata' }, { timezone: 'UTC' }]);
  });

  test('limits the cost of a zone with an endless or unmatched rule', async () => {
    const hostile = ['FREQ=SECONDLY', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=HOURLY'].map(
      (rule, i) =>
        `BEGIN:VTIMEZONE\r\nTZID:Z${i}\r\nBEGIN:STANDARD\r\nDTSTART:00010101T000000\r\nRRULE:${rule}\r\nTZOFFSETFROM:+0000\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\nEND:VTIMEZONE`,
    );
    const { imported, refused } = await put(
      document(...hostile, ...[0, 1, 2].map((i) => event(`z${i}`, `DTSTART;TZID=Z${i}:20261123T100000`))),
    );
    expect(imported + refused.length).toBe(3);
  });

  test('floating times and days are in the zone of the account', async () => {
    await put(
      document(
        event('a', 'SUMMARY:floating', 'DTSTART:20261123T100000', 'DTEND:20261123T110000'),
        event('b', 'SUMMARY:day', 'DTSTART;VALUE=DATE:20261124'),
        event('c', 'SUMMARY:bare', 'DTSTART:20261125'),
      ),
    );
    expect(await shown()).toEqual([
      'floating 11-23T01:00/11-23T02:00',
      'day 11-23T15:00/11-24T15:00',
      'bare 11-24T15:00/11-25T15:00',
    ]);
  });
});

describe('the end of an event', () => {
  test.each([
    ['DURATION:PT90M', '11-23T11:30'],
    ['DURATION:P1D', '11-24T10:00'],
    ['DURATION:P1W', '11-30T10:00'],
    ['DURATION:P1DT1H', '11-24T11:00'],
    ['DTEND:20261123T120000Z', '11-23T12:00'],
    ['DTEND;TZID=America/New_York:20261123T070000', '11-23T12:00'],
    ['X-NOTHING:1', '11-23T10:00'],
  ])('%s', async (line, end) => {
    await put(document(event('a', 'SUMMARY:x', 'DTSTART:20261123T100000Z', line)));
    expect(await shown()).toEqual([`x 11-23T10:00/${end}`]);
  });

  test('hours of a DURATION are elapsed time, days are calendar days', async () => {
    await put(
      document(
        event('a', 'SUMMARY:a', 'DTSTART;TZID=America/New_York:20261031T120000', 'DURATION:PT24H'),
        event('b', 'SUMMARY:b', 'DTSTART;TZID=America/New_York:20261031T120000', 'DURATION:P1D'),
      ),
    );
    expect(await shown()).toEqual(['a 10-31T16:00/11-01T16:00', 'b 10-31T16:00/11-01T17:00']);
  });
});

describe('series', () => {
  const daily = ['DTSTART;TZID=Europe/Berlin:20261123T100000', 'DURATION:PT1H'];

  test('accepts an UNTIL of any form', async () => {
    await put(
      document(
        event('a', 'SUMMARY:local', ...daily, 'RRULE:FREQ=DAILY;UNTIL=20261124T100000'),
        event('b', 'SUMMARY:date', 'DTSTART:20261123T120000Z', 'RRULE:FREQ=DAILY;UNTIL=20261125'),
        event('c', 'SUMMARY:day', 'DTSTART;VALUE=DATE:20261126', 'RRULE:FREQ=DAILY;UNTIL=20261127T000000Z'),
      ),
    );
    expect(await shown()).toEqual([
      'local 11-23T09:00/11-23T10:00',
      'date 11-23T12:00/11-23T12:00',
      'local 11-24T09:00/11-24T10:00',
      'date 11-24T12:00/11-24T12:00',
      'day 11-25T15:00/11-26T15:00',
      'day 11-26T15:00/11-27T15:00',
    ]);
  });

  test('accepts an EXDATE in the zone, in UTC, without a zone, and as a date', async () => {
    const result = await put(
      document(
        event(
          'a',
          'SUMMARY:x',
          ...daily,
          'RRULE:FREQ=DAILY;COUNT=6',
          'EXDATE;TZID=Europe/Berlin:20261123T100000',
          'EXDATE:20261124T090000Z',
          'EXDATE:20261125T180000',
          'EXDATE;VALUE=DATE:20261126',
          'EXDATE:',
        ),
      ),
    );
    expect(result.refused).toEqual([]);
    expect(await shown()).toEqual(['x 11-27T09:00/11-27T10:00', 'x 11-28T09:00/11-28T10:00']);
  });

  test('a RECURRENCE-ID moves, cancels and matches by date; EXDATE and the higher SEQUENCE take precedence', async () => {
    const change = (id: string, ...lines: string[]) => event('a', `RECURRENCE-ID${id}`, ...lines);
    await put(
      document(
        change(
          ';TZID=Europe/Berlin:20261124T100000',
          'SEQUENCE:2',
          'SUMMARY:second',
          'DTSTART:20261124T200000Z',
        ),
        change(':20261124T090000Z', 'SEQUENCE:1', 'SUMMARY:first', 'DTSTART:20261124T210000Z'),
        change(':20261125T090000Z', 'STATUS:CANCELLED'),
        change(';VALUE=DATE:20261126', 'SUMMARY:by day', 'DTSTART:20261126T200000Z', 'DURATION:PT5M'),
        change(':20261127T090000Z', 'SUMMARY:excluded', 'DTSTART:20261127T200000Z'),
        event('a', 'SUMMARY:x', ...daily, 'RRULE:FREQ=DAILY;COUNT=6', 'EXDATE:20261127T090000Z'),
      ),
    );
    expect(await shown()).toEqual([
      'x 11-23T09:00/11-23T10:00',
      'second 11-24T20:00/11-24T20:00',
      'by day 11-26T20:00/11-26T20:05',
      'x 11-28T09:00/11-28T10:00',
    ]);
  });

  test('THISANDFUTURE changes all later occurrences', async () => {
    await put(
      document(
        event('a', 'SUMMARY:x', ...daily, 'RRULE:FREQ=DAILY;COUNT=4'),
        event(
          'a',
          'RECURRENCE-ID;RANGE=THISANDFUTURE:20261125T090000Z',
          'SUMMARY:later',
          'DTSTART:20261125T120000Z',
          'DURATION:PT2H',
        ),
      ),
    );
    expect(await shown()).toEqual([
      'x 11-23T09:00/11-23T10:00',
      'x 11-24T09:00/11-24T10:00',
      'later 11-25T12:00/11-25T14:00',
      'later 11-26T12:00/11-26T14:00',
    ]);
  });

  test('an RDATE with a period keeps its own length', async () => {
    await put(
      document(
        event(
          'a',
          'SUMMARY:x',
          ...daily,
          'RDATE;VALUE=PERIOD:20261125T090000Z/PT3H,20261126T090000Z/20261126T093000Z',
          'RDATE;VALUE=DATE:20261127',
        ),
      ),
    );
    expect(await shown()).toEqual([
      'x 11-23T09:00/11-23T10:00',
      'x 11-25T09:00/11-25T12:00',
      'x 11-26T09:00/11-26T09:30',
      'x 11-27T09:00/11-27T10:00',
    ]);
  });

  test.each([
    'FREQ=SECONDLY',
    'FREQ=DAILY;RSCALE=GREGORIAN',
    'FREQ=DAILY;COUNT=2;UNTIL=20261130T000000Z',
    'nonsense',
  ])('ignores the rule %s with a note, and imports the first occurrence', async (rule) => {
    const { imported, refused, notes } = await put(
      document(event('a', 'SUMMARY:x', ...daily, `RRULE:${rule}`)),
    );
    expect([imported, refused]).toEqual([1, []]);
    expect(notes).toMatchObject([{ line: 2, message: expect.stringMatching(/^the rule was ignored/) }]);
    expect(await shown()).toEqual(['x 11-23T09:00/11-23T10:00']);
  });
});

describe('an event that the calendar already has', () => {
  const meeting = (sequence: number, time: string, ...lines: string[]) =>
    document(
      event('a', `SUMMARY:v${sequence}`, `SEQUENCE:${sequence}`, `DTSTART:202611${time}00Z`, ...lines),
    );

  test('is replaced by a later or equal version; an earlier one is refused', async () => {
    await put(meeting(1, '23T0900'));
    await put(meeting(1, '23T1000'));
    await put(meeting(3, '23T1100'));
    expect(refusals(await put(meeting(2, '23T1200')))).toEqual([expect.stringMatching(/later version/)]);
    expect(await shown()).toEqual(['v3 11-23T11:00/11-23T11:00']);
  });

  test('gets the overrides of a document without the master', async () => {
    await put(
      document(event('a', 'SUMMARY:x', 'SEQUENCE:3', 'DTSTART:20261123T090000Z', 'RRULE:FREQ=DAILY;COUNT=3')),
    );
    await put(
      document(
        event('a', 'RECURRENCE-ID:20261124T090000Z', 'SUMMARY:moved', 'DTSTART:20261124T150000Z'),
        event('a', 'RECURRENCE-ID:20261125T090000Z', 'STATUS:CANCELLED'),
      ),
    );
    expect(await shown()).toEqual(['x 11-23T09:00/11-23T09:00', 'moved 11-24T15:00/11-24T15:00']);
  });

  test('refuses an older version of an override', async () => {
    await put(document(event('a', 'SUMMARY:x', 'DTSTART:20261123T090000Z', 'RRULE:FREQ=DAILY;COUNT=2')));
    const change = (sequence: number, time: string) =>
      document(
        event(
          'a',
          `SEQUENCE:${sequence}`,
          'RECURRENCE-ID:20261124T090000Z',
          `SUMMARY:v${sequence}`,
          `DTSTART:20261124T${time}00Z`,
        ),
      );
    await put(change(3, '1200'));
    expect(refusals(await put(change(2, '1500')))).toEqual([expect.stringMatching(/later version/)]);
    expect(await shown()).toEqual(['x 11-23T09:00/11-23T09:00', 'v3 11-24T12:00/11-24T12:00']);
  });

  test('is deleted by a cancelled version', async () => {
    await put(meeting(1, '23T0900'));
    const { imported, refused } = await put(meeting(2, '23T0900', 'STATUS:CANCELLED'));
    expect([imported, refused]).toEqual([0, []]);
    expect(await shown()).toEqual([]);
  });
});

describe('an invalid document', () => {
  test('imports what has a start and an identity, and refuses the others with their line and the reason', async () => {
    const text = document(
      event('good', 'SUMMARY:good', 'DTSTART:20261123T090000Z'),
      event('no start', 'SUMMARY:x'),
      event('bad time', 'DTSTART:20261332T090000Z'),
      event('backwards', 'SUMMARY:backwards', 'DTSTART:20261123T090000Z', 'DTEND:20261123T080000Z'),
      event('negative', 'SUMMARY:negative', 'DTSTART:20261123T090000Z', 'DURATION:-PT1H'),
      event('bad length', 'SUMMARY:bad length', 'DTSTART:20261123T090000Z', 'DURATION:an hour'),
      event('long', 'DTSTART:20261123T090000Z', `SUMMARY:${'x'.repeat(1_001)}`),
      event('junk', 'SUMMARY:junk', 'this is no property', 'DTSTART:20261123T100000Z'),
      'BEGIN:VEVENT\r\nUID:open\r\nDTSTART:20261123T090000Z',
      'BEGIN:VEVENT\r\nRECURRENCE-ID:20261123T090000Z\r\nDTSTART:20261123T090000Z\r\nEND:VEVENT',
      event('late', 'SUMMARY:late', 'DTSTART:20261123T110000Z'),
    );
    const result = await put(text);
    expect(result.imported).toBe(7);
    expect(refusals(result)).toEqual([
      '7 no start: DTSTART is missing',
      '11 bad time: line 13: DTSTART is not a valid time',
      '44 open: VEVENT is not closed',
      '47 null: an event with a RECURRENCE-ID must have a UID',
    ]);
    expect(result.notes).toEqual([
      { line: 19, message: 'DTEND is before the start; it was left out' },
      { line: 25, message: 'DURATION must not be negative; it was left out' },
      { line: 31, message: 'DURATION is not a valid duration; it was left out' },
      { line: 36, message: 'SUMMARY is longer than 1000 characters and was cut' },
      { line: 41, message: 'the line is not a property and was ignored' },
    ]);
    expect(await shown()).toEqual([
      'good 11-23T09:00/11-23T09:00',
      'backwards 11-23T09:00/11-23T09:00',
      'negative 11-23T09:00/11-23T09:00',
      'bad length 11-23T09:00/11-23T09:00',
      `${'x'.repeat(1_000)} 11-23T09:00/11-23T09:00`,
      'junk 11-23T10:00/11-23T10:00',
      'late 11-23T11:00/11-23T11:00',
    ]);
  });

  test.each([
    '',
    'hello',
    '{"json":true}',
    '\0\0',
    'BEGIN:VCALENDAR',
    'END:VEVENT\nBEGIN:VEVENT',
    'BEGIN:X\n'.repeat(500),
  ])('%j has no event', async (text) => {
    expect((await put(text)).imported).toBe(0);
  });

  test('accepts folded lines, line feeds without carriage returns, and escaped text', async () => {
    const text = document(event('a', 'SUMMARY:a\\, b\\;', '  c\\nd', 'DTSTART:20261123T090000Z')).replaceAll(
      '\r\n',
      '\n',
    );
    await put(text);
    expect(await shown()).toEqual(['a, b; c\nd 11-23T09:00/11-23T09:00']);
  });

  test('rejects an unknown calendar with resource_not_found', async () => {
    await expect(
      withTransaction(env.services, (ctx) => importIcs(ctx, { calendarId: 999_999, document: '' })),
    ).rejects.toMatchObject({ apiCode: 'resource_not_found' });
  });

  test('imports hundreds of events', async () => {
    const many = Array.from({ length: 800 }, (_, i) =>
      event(`e${i}`, `SUMMARY:${i}`, `DTSTART:20261123T${String(i % 24).padStart(2, '0')}0000Z`),
    );
    expect((await put(document(...many))).imported).toBe(800);
    expect(await shown()).toHaveLength(800);
  });
});

test('imports organizer, attendees and conference, and sets the source', async () => {
  await put(
    document(
      event(
        'a',
        'DTSTART:20261123T090000Z',
        'ORGANIZER;CN="Doe, Ann":mailto:ann@example.com',
        'ATTENDEE;CN=Bob;PARTSTAT=TENTATIVE;ROLE=OPT-PARTICIPANT:MAILTO:bob@example.com',
        'ATTENDEE;PARTSTAT=DELEGATED:mailto:ann@example.com',
        'ATTENDEE:urn:uuid:none',
        'X-GOOGLE-CONFERENCE:https://meet.google.com/abc-defg-hij',
      ),
    ),
  );
  const { rows } = await env.services.pool.query(
    'select source, organizer_name, organizer_email, attendees, conference from events where calendar_id = $1',
    [calendar],
  );
  expect(rows).toEqual([
    {
      source: 'import',
      organizer_name: 'Doe, Ann',
      organizer_email: 'ann@example.com',
      attendees: [
        {
          name: 'Bob',
          email: 'bob@example.com',
          response: 'tentative',
          is_organizer: false,
          is_optional: true,
        },
        {
          name: null,
          email: 'ann@example.com',
          response: 'needs_action',
          is_organizer: true,
          is_optional: false,
        },
      ],
      conference: {
        provider: 'google_meet',
        url: 'https://meet.google.com/abc-defg-hij',
        meeting_id: null,
        passcode: null,
      },
    },
  ]);
});

test('refuses each new event for a full calendar, and still updates events', async () => {
  await env.services.pool.query(
    `insert into events (workspace_id, calendar_id, title, local_start, local_end, timezone, span_start, span_end, created_at, updated_at)
     select (select workspace_id from calendars where id = $1), $1, 'x', '2020-01-01T09:00:00', '2020-01-01T10:00:00', 'UTC', '2020-01-01', '2020-01-01', now(), now()
     from generate_series(1, $2)`,
    [calendar, MAX_EVENTS_PER_CALENDAR - 1],
  );
  const result = await put(document(...['a', 'b', 'c'].map((uid) => event(uid, 'DTSTART:20261123T100000Z'))));
  expect(result.imported).toBe(1);
  expect(refusals(result)).toEqual([
    `6 b: a calendar can have at most ${MAX_EVENTS_PER_CALENDAR} events`,
    `10 c: a calendar can have at most ${MAX_EVENTS_PER_CALENDAR} events`,
  ]);
  const changed = await put(document(event('a', 'SEQUENCE:1', 'DTSTART:20261124T100000Z')));
  expect([changed.imported, changed.refused]).toEqual([1, []]);
});

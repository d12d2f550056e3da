import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecurrenceError } from './errors.ts';
import { parseRule, RULE_LIMITS } from './parse-rule.ts';
import { formatRule, type StartForm } from './rule.ts';
import { alignUntil } from './series.ts';
import { ruleText } from './testing/arbitrary.ts';

function reasonOf(text: string, start?: StartForm): string | null {
  try {
    parseRule(text, start);
    return null;
  } catch (error) {
    if (error instanceof RecurrenceError) return error.reason;
    throw error;
  }
}

describe('parseRule', () => {
  test('returns the parts of a rule', () => {
    expect(
      parseRule('freq=monthly;INTERVAL=2;COUNT=5;BYDAY=+1MO,-2FR,TU;BYSETPOS=3,-1,3;WKST=SU'),
    ).toMatchObject({
      freq: 'MONTHLY',
      interval: 2,
      count: 5,
      until: null,
      byDay: [
        { weekday: 'MO', nth: 1 },
        { weekday: 'FR', nth: -2 },
        { weekday: 'TU', nth: 0 },
      ],
      bySetPos: [-1, 3],
      byMonth: [],
      wkst: 'SU',
    });
  });

  test('ignores a semicolon at the end', () => {
    expect(parseRule('FREQ=WEEKLY;BYDAY=MO;')).toEqual(parseRule('FREQ=WEEKLY;BYDAY=MO'));
  });

  test('reads second 60, a leap second, as second 59', () => {
    expect(parseRule('FREQ=DAILY;BYSECOND=60').bySecond).toEqual([59]);
  });

  test.each([
    ['', 'syntax'],
    [';', 'syntax'],
    ['FREQ=DAILY;;', 'syntax'],
    [';FREQ=DAILY', 'syntax'],
    ['RRULE:FREQ=DAILY', 'unknown-part'],
    ['FREQ=DAILY;COUNT', 'syntax'],
    ['FREQ=DAILY;COUNT=', 'syntax'],
    ['FREQ=DAILY;COUNT=1=2', 'syntax'],
    ['FREQ=DAILY; COUNT=2', 'unknown-part'],
    ['FREQ=DAILY;COUNT=1.5', 'syntax'],
    ['FREQ=DAILY;COUNT=-1', 'syntax'],
    ['FREQ=DAILY;COUNT=0', 'out-of-range'],
    ['FREQ=DAILY;INTERVAL=0', 'out-of-range'],
    ['FREQ=DAILY;COUNT=1000001', 'out-of-range'],
    ['FREQ=DAILY;INTERVAL=100001', 'out-of-range'],
    ['COUNT=3', 'missing-freq'],
    ['FREQ=FORTNIGHTLY', 'unknown-freq'],
    ['FREQ=MINUTELY', 'too-fine'],
    ['FREQ=SECONDLY;INTERVAL=86400', 'too-fine'],
    ['FREQ=HOURLY;BYMINUTE=0,1,2,3,4,5,6,7;BYSECOND=0,1,2,3,4,5,6,7', 'too-fine'],
    ['FREQ=DAILY;COUNT=2;UNTIL=20300101T000000Z', 'forbidden'],
    ['FREQ=DAILY;COUNT=2;COUNT=2', 'repeated-part'],
    ['FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=FORWARD', 'unsupported'],
    ['FREQ=MONTHLY;SKIP=FORWARD', 'unsupported'],
    ['FREQ=DAILY;X-EVERY=1', 'unknown-part'],
    ['FREQ=DAILY;BYHOUR=24', 'out-of-range'],
    ['FREQ=DAILY;BYMINUTE=60', 'out-of-range'],
    ['FREQ=DAILY;BYSECOND=61', 'out-of-range'],
    ['FREQ=DAILY;BYHOUR=-1', 'syntax'],
    ['FREQ=DAILY;BYHOUR=1,', 'syntax'],
    ['FREQ=YEARLY;BYMONTH=0', 'out-of-range'],
    ['FREQ=YEARLY;BYMONTH=5L', 'syntax'],
    ['FREQ=YEARLY;BYWEEKNO=54', 'out-of-range'],
    ['FREQ=YEARLY;BYYEARDAY=-367', 'out-of-range'],
    ['FREQ=YEARLY;BYYEARDAY=0', 'out-of-range'],
    ['FREQ=MONTHLY;BYMONTHDAY=32', 'out-of-range'],
    ['FREQ=MONTHLY;BYDAY=0MO', 'out-of-range'],
    ['FREQ=YEARLY;BYDAY=-54MO', 'out-of-range'],
    ['FREQ=WEEKLY;BYDAY=MONDAY', 'syntax'],
    ['FREQ=WEEKLY;BYDAY=XX', 'syntax'],
    ['FREQ=WEEKLY;WKST=1MO', 'syntax'],
    ['FREQ=DAILY;BYSETPOS=1', 'forbidden'],
    ['FREQ=DAILY;BYHOUR=1;BYSETPOS=367', 'out-of-range'],
    ['FREQ=WEEKLY;BYMONTHDAY=1', 'forbidden'],
    ['FREQ=MONTHLY;BYWEEKNO=1', 'forbidden'],
    ['FREQ=DAILY;BYYEARDAY=1', 'forbidden'],
    ['FREQ=WEEKLY;BYYEARDAY=1', 'forbidden'],
    ['FREQ=MONTHLY;BYYEARDAY=1', 'forbidden'],
    ['FREQ=HOURLY;BYDAY=1MO', 'forbidden'],
    ['FREQ=WEEKLY;BYDAY=-1MO', 'forbidden'],
    ['FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO', 'forbidden'],
    ['FREQ=DAILY;UNTIL=2030', 'syntax'],
    ['FREQ=DAILY;UNTIL=20300230T000000Z', 'out-of-range'],
    ['FREQ=DAILY;UNTIL=20300101T240000Z', 'out-of-range'],
    [`FREQ=DAILY;BYHOUR=${'1,'.repeat(RULE_LIMITS.length)}1`, 'too-long'],
  ])('rejects %s with %s', (text, reason) => {
    expect(reasonOf(text)).toBe(reason);
  });

  test.each([
    ['FREQ=DAILY;UNTIL=20300101', 'date'],
    ['FREQ=DAILY;UNTIL=20300101T090000', 'floating'],
    ['FREQ=DAILY;UNTIL=20300101T090000Z', 'zoned'],
  ] as const)('%s fits only a %s start', (text, form) => {
    for (const start of ['date', 'floating', 'zoned'] as const) {
      expect(reasonOf(text, start)).toBe(start === form ? null : 'until-form');
    }
  });

  test.each(['FREQ=HOURLY', 'FREQ=DAILY;BYHOUR=9', 'FREQ=DAILY;BYMINUTE=9', 'FREQ=DAILY;BYSECOND=9'])(
    'rejects %s in an all-day series',
    (text) => {
      expect(reasonOf(text, 'date')).toBe('forbidden');
      expect(reasonOf(text, 'zoned')).toBeNull();
    },
  );

  test('returns a rule or throws a RecurrenceError for any text', () => {
    const piece = fc.constantFrom(
      'FREQ',
      'DAILY',
      'BYDAY',
      'UNTIL',
      'COUNT',
      '=',
      ';',
      ',',
      '-',
      '0',
      '1MO',
      '99',
      '2030',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
        ),
        (text) => {
          reasonOf(text);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('returns a frozen rule', () => {
    const rule = parseRule('FREQ=MONTHLY;BYMONTHDAY=1');
    expect(() => (rule.byMonthDay as number[]).push(2)).toThrow(TypeError);
  });
});

describe('formatRule', () => {
  test('is the inverse of parseRule', () => {
    fc.assert(
      fc.property(
        ruleText,
        fc.constantFrom(
          '',
          ';COUNT=7',
          ';UNTIL=20300101',
          ';UNTIL=20300101T090000',
          ';UNTIL=20300101T090000Z',
        ),
        (text, end) => {
          const rule = parseRule(text + end);
          expect(parseRule(formatRule(rule))).toEqual(rule);
        },
      ),
    );
  });

  test('writes a fixed order and no defaults', () => {
    expect(formatRule(parseRule('WKST=MO;BYDAY=1mo,TU;INTERVAL=1;BYMONTH=3,1;FREQ=YEARLY'))).toBe(
      'FREQ=YEARLY;BYMONTH=1,3;BYDAY=1MO,TU',
    );
  });
});

describe('alignUntil', () => {
  const aligned = (text: string, zone: string | null, allDay = false) =>
    formatRule(alignUntil(parseRule(text), { zone, allDay }));

  test('reads an UNTIL of the wrong form in the zone of the series', () => {
    expect(aligned('FREQ=DAILY;UNTIL=20300701T090000', 'Europe/Berlin')).toBe(
      'FREQ=DAILY;UNTIL=20300701T070000Z',
    );
    expect(aligned('FREQ=DAILY;UNTIL=20300701', 'Europe/Berlin')).toBe('FREQ=DAILY;UNTIL=20300630T220000Z');
    expect(aligned('FREQ=DAILY;UNTIL=20300701T230000Z', 'Europe/Berlin', true)).toBe(
      'FREQ=DAILY;UNTIL=20300702',
    );
    expect(aligned('FREQ=DAILY;UNTIL=20300701T230000Z', null)).toBe('FREQ=DAILY;UNTIL=20300701T230000');
  });

  test('keeps an UNTIL of the right form', () => {
    expect(aligned('FREQ=DAILY;UNTIL=20300701T090000Z', 'Europe/Berlin')).toBe(
      'FREQ=DAILY;UNTIL=20300701T090000Z',
    );
  });
});

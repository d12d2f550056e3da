import { describe, expect, test } from 'vitest';
import { spanOf } from './span.ts';
import { formatInstant, NINE_TO_TEN } from './testing/expansion.ts';

describe('spanOf', () => {
  test.each([
    ['FREQ=DAILY', null],
    ['FREQ=DAILY;COUNT=3', '2026-03-04T15:00Z'],
    ['FREQ=DAILY;UNTIL=20260310T000000Z', '2026-03-09T14:00Z'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', '2026-03-02T15:00Z'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=3', '2032-02-29T15:00Z'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;UNTIL=20310101T000000Z', '2028-02-29T15:00Z'],
  ])('%s ends at %s', (rule, end) => {
    const span = spanOf({ ...NINE_TO_TEN, rule });
    expect([formatInstant(span.start), span.end && formatInstant(span.end)]).toEqual([
      '2026-03-02T14:00Z',
      end,
    ]);
  });

  test('includes extra dates and moved occurrences', () => {
    const span = spanOf({
      ...NINE_TO_TEN,
      rule: 'FREQ=DAILY;COUNT=3',
      rdates: [{ start: '2026-01-01T00:00:00Z', end: '2026-01-01T01:00:00Z' }],
      overrides: [{ recurrenceId: '2026-03-03T14:00:00Z', start: '2027-01-01T00:00:00Z' }],
    });
    expect([formatInstant(span.start), formatInstant(span.end!)]).toEqual([
      '2026-01-01T00:00Z',
      '2027-01-01T01:00Z',
    ]);
  });
});

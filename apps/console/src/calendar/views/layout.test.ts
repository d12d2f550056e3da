import { describe, expect, test } from 'vitest';
import { wallClockMs } from '../wall-clock.ts';
import { layoutDay, layoutLanes, type Span, timedSpan } from './layout.ts';

const LONDON = 'Europe/London';

function at(event: string, starts: string, ends: string, zone = 'UTC'): Span<string> {
  return timedSpan(
    event,
    wallClockMs(starts, zone),
    wallClockMs(ends, zone),
    Date.parse(ends) - Date.parse(starts),
  );
}

function days(event: string, first: string, end: string): Span<string> {
  return { event, start: Date.parse(`${first}T00:00Z`), end: Date.parse(`${end}T00:00Z`), isWholeDays: true };
}

describe('a day', () => {
  test('places overlapping events side by side and a later one at full width', () => {
    const pieces = layoutDay(
      [
        at('a', '2026-11-23T09:00:00Z', '2026-11-23T10:00:00Z'),
        at('b', '2026-11-23T09:30:00Z', '2026-11-23T11:00:00Z'),
        at('c', '2026-11-23T11:00:00Z', '2026-11-23T12:00:00Z'),
      ],
      '2026-11-23',
    );
    expect(pieces).toEqual([
      { event: 'a', from: 540, until: 600, column: 0, columns: 2 },
      { event: 'b', from: 570, until: 660, column: 1, columns: 2 },
      { event: 'c', from: 660, until: 720, column: 0, columns: 1 },
    ]);
  });

  test('reuses a free column', () => {
    const pieces = layoutDay(
      [
        at('long', '2026-11-23T09:00:00Z', '2026-11-23T12:00:00Z'),
        at('first', '2026-11-23T09:00:00Z', '2026-11-23T10:00:00Z'),
        at('second', '2026-11-23T10:00:00Z', '2026-11-23T11:00:00Z'),
      ],
      '2026-11-23',
    );
    expect(pieces.map(({ event, column, columns }) => [event, column, columns])).toEqual([
      ['long', 0, 2],
      ['first', 1, 2],
      ['second', 1, 2],
    ]);
  });

  test('never overlaps two events in one column', () => {
    for (let round = 0; round < 200; round++) {
      const spans = Array.from({ length: 12 }, (_, event) => {
        const start = Date.UTC(2026, 10, 23, 0, (round * 37 + event * 101) % 1440);
        const lasts = (((round + 3) * (event + 7) * 13) % 240) * 60_000;
        return timedSpan(String(event), start, start + lasts, lasts);
      });
      const pieces = layoutDay(spans, '2026-11-23');
      for (const one of pieces) {
        expect(one.column).toBeLessThan(one.columns);
        for (const other of pieces) {
          const overlaps = one.from < other.until && other.from < one.until;
          if (one !== other && overlaps) expect(one.column).not.toBe(other.column);
        }
      }
    }
  });

  test('splits an event over midnight between both days', () => {
    const night = [at('night', '2026-11-23T22:00:00Z', '2026-11-24T02:00:00Z')];
    expect(layoutDay(night, '2026-11-23')).toMatchObject([{ from: 1320, until: 1440 }]);
    expect(layoutDay(night, '2026-11-24')).toMatchObject([{ from: 0, until: 120 }]);
    expect(layoutDay(night, '2026-11-25')).toEqual([]);
  });

  test('does not show an event that ends at midnight on the next day', () => {
    const late = [at('late', '2026-11-23T22:00:00Z', '2026-11-24T00:00:00Z')];
    expect(layoutDay(late, '2026-11-24')).toEqual([]);
  });

  test('shows an event without duration, also at the end of a day', () => {
    const last = [at('now', '2026-11-23T23:50:00Z', '2026-11-23T23:50:00Z')];
    expect(layoutDay(last, '2026-11-23')).toMatchObject([{ from: 1410, until: 1440 }]);
  });
});

describe('a day with a clock change', () => {
  test('places events after the skipped hour by local time', () => {
    const [piece] = layoutDay(
      [at('x', '2026-03-29T08:00:00Z', '2026-03-29T09:00:00Z', LONDON)],
      '2026-03-29',
    );
    expect(piece).toMatchObject({ from: 540, until: 600 });
  });

  test('ends an event over the skipped hour by local time', () => {
    const [piece] = layoutDay(
      [at('x', '2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z', LONDON)],
      '2026-03-29',
    );
    expect(piece).toMatchObject({ from: 30, until: 150 });
  });

  test('ends an event over the repeated hour by local time', () => {
    const [piece] = layoutDay(
      [at('x', '2026-10-24T23:30:00Z', '2026-10-25T03:30:00Z', LONDON)],
      '2026-10-25',
    );
    expect(piece).toMatchObject({ from: 30, until: 210 });
  });

  test('uses the real duration of an event whose local end is before its start', () => {
    const [piece] = layoutDay(
      [at('x', '2026-10-25T00:45:00Z', '2026-10-25T01:15:00Z', LONDON)],
      '2026-10-25',
    );
    expect(piece).toMatchObject({ from: 105, until: 135 });
  });
});

describe('a row of days', () => {
  test('shows an event over several days as one piece, cut at the ends of the row', () => {
    const pieces = layoutLanes([days('trip', '2026-11-21', '2026-12-02')], '2026-11-23', 7);
    expect(pieces).toEqual([
      { event: 'trip', firstDay: 0, lastDay: 6, lane: 0, continuesBefore: true, continuesAfter: true },
    ]);
  });

  test('puts events that share a day in different lanes and others in the same lane', () => {
    const pieces = layoutLanes(
      [
        days('tuesday', '2026-11-24', '2026-11-25'),
        days('monday to tuesday', '2026-11-23', '2026-11-25'),
        days('wednesday', '2026-11-25', '2026-11-26'),
      ],
      '2026-11-23',
      7,
    );
    expect(pieces.map(({ event, lane }) => [event, lane])).toEqual([
      ['monday to tuesday', 0],
      ['tuesday', 1],
      ['wednesday', 0],
    ]);
  });
});

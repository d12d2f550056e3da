import fc from 'fast-check';
import { RRuleTemporal } from 'rrule-temporal';
import { describe, expect, test } from 'vitest';
import { DAY, formatLocal } from './civil.ts';
import { expand, nextAfter } from './expand.ts';
import type { Occurrence } from './occurrence-collector.ts';
import { parseRule } from './parse-rule.ts';
import { planOf } from './plan-cache.ts';
import type { Rule } from './rule.ts';
import type { Series } from './series.ts';
import { spanOf } from './span.ts';
import { ruleText, startWall, zoneName } from './testing/arbitrary.ts';
import { naiveTimes } from './testing/naive.ts';
import { localToUtc } from './zone.ts';

const days = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((count) => count * DAY);
const text = (instant: number) => new Date(instant).toISOString();

describe('a rule', () => {
  test('yields the same times from any point on as a walk from the start', () => {
    fc.assert(
      fc.property(ruleText, startWall, days(0, 3000), days(1, 400), (rule, start, ahead, width) => {
        const from = start + ahead;
        const walked = naiveTimes(parseRule(rule), start, from + width).filter(
          (time) => time > start && time >= from,
        );
        const jumped = planOf(parseRule(rule), start).times(from, from + width, Number.POSITIVE_INFINITY);
        expect(jumped.map(formatLocal)).toEqual(walked.map(formatLocal));
      }),
      { numRuns: 250, endOnFailure: true },
    );
  });

  test('ends with the same COUNTth time as a walk from the start', () => {
    fc.assert(
      fc.property(ruleText, startWall, fc.integer({ min: 1, max: 60 }), (rule, start, count) => {
        const horizon = start + 4000 * DAY;
        const counted = parseRule(`${rule};COUNT=${count}`);
        const walked = naiveTimes(counted, start, horizon).slice(1);
        const jumped = planOf(counted, start).times(start, horizon, Number.POSITIVE_INFINITY);
        expect(jumped.map(formatLocal)).toEqual(walked.map(formatLocal));
      }),
      { numRuns: 400, endOnFailure: true },
    );
  });
});

const series: fc.Arbitrary<Series> = fc
  .record({
    wall: startWall,
    hours: fc.constantFrom(0, 1, 8, 30, 24 * 9),
    zone: zoneName,
    rule: ruleText,
    end: fc.oneof(
      fc.constant(''),
      fc.integer({ min: 1, max: 500 }).map((count) => `;COUNT=${count}`),
      days(1, 2500),
    ),
    removed: fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 3 }),
    moved: fc.option(
      fc.record({ place: fc.integer({ min: 0, max: 30 }), by: days(-40, 40), future: fc.boolean() }),
      {
        nil: null,
      },
    ),
  })
  .map(({ wall, hours, zone, rule, end, removed, moved }) => {
    const last = typeof end === 'number' ? `;UNTIL=${formatLocal(wall + end).replace(/[-:]/g, '')}Z` : end;
    const plain: Series = {
      start: formatLocal(wall),
      end: formatLocal(wall + hours * 3_600_000),
      zone,
      rule: rule + last,
    };
    const from = localToUtc(wall, zone);
    const { occurrences } = expand(plain, { from, until: from + 400 * DAY }, { limit: 40 });
    const at = (place: number) => occurrences[place % occurrences.length]?.recurrenceId ?? from;
    return {
      ...plain,
      exdates: removed.map(at),
      overrides: moved
        ? [
            {
              recurrenceId: at(moved.place),
              start: at(moved.place) + moved.by,
              thisAndFuture: moved.future,
            },
          ]
        : [],
    };
  });

describe('windows', () => {
  test('a wide window has the occurrences of the narrow windows that it consists of', () => {
    fc.assert(
      fc.property(
        series,
        days(-30, 2500),
        fc.uniqueArray(fc.integer({ min: 1, max: 90 * 24 }), { maxLength: 4 }),
        (event, ahead, cuts) => {
          const from = Number(localToUtc(Date.parse(`${event.start}Z`), event.zone!)) + ahead;
          const edges = [0, ...cuts.sort((a, b) => a - b), 91 * 24].map((hours) => from + hours * 3_600_000);
          const wide = expand(event, { from, until: edges.at(-1)! }).occurrences;
          const joined = new Map<number, Occurrence>();
          for (let index = 1; index < edges.length; index++) {
            const window = { from: edges[index - 1]!, until: edges[index]! };
            for (const occurrence of expand(event, window).occurrences)
              joined.set(occurrence.recurrenceId, occurrence);
          }
          const shown = (list: Iterable<Occurrence>) =>
            [...list].map(({ recurrenceId, start, end }) => `${recurrenceId} ${start} ${end}`).sort();
          expect(shown(joined.values())).toEqual(shown(wide));
        },
      ),
      { numRuns: 300, endOnFailure: true },
    );
  });

  test('a limit keeps the first occurrences', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 1, max: 12 }), (event, limit) => {
        const from = localToUtc(Date.parse(`${event.start}Z`), event.zone!) - 50 * DAY;
        const all = expand(event, { from, until: from + 200 * DAY });
        const cut = expand(event, { from, until: from + 200 * DAY }, { limit });
        expect(cut.occurrences).toEqual(all.occurrences.slice(0, limit));
        expect(cut.truncated).toBe(all.occurrences.length > limit);
      }),
      { numRuns: 300, endOnFailure: true },
    );
  });

  test('the span covers the occurrences of any window, and nextAfter returns the first that starts in it', () => {
    fc.assert(
      fc.property(series, days(-60, 3000), (event, ahead) => {
        const from = localToUtc(Date.parse(`${event.start}Z`), event.zone!) + ahead;
        const { occurrences } = expand(event, { from, until: from + 120 * DAY });
        const span = spanOf(event);
        for (const { start, end } of occurrences) {
          expect(start).toBeGreaterThanOrEqual(span.start);
          if (span.end !== null) expect(end).toBeLessThanOrEqual(span.end);
        }
        const next = nextAfter(event, from);
        const first = occurrences.find(({ start }) => start >= from);
        if (first) expect(next).toEqual(first);
        else if (next) expect(next.start).toBeGreaterThanOrEqual(from + 120 * DAY);
        if (span.end !== null) expect(nextAfter(event, span.end + 1)).toBeNull();
      }),
      { numRuns: 300, endOnFailure: true },
    );
  });
});

describe('rrule-temporal', () => {
  /** Returns the known difference between the two libraries for a rule. The cases in `cases/` confirm our result. */
  function difference(rule: Rule, zone: string): string | null {
    const changing = zone !== 'UTC' && zone !== 'Asia/Kolkata';
    if (zone === 'Africa/Casablanca') return 'misses the clock changes around Ramadan';
    if (zone === 'Pacific/Apia') return 'skips the day that Samoa skipped in 2011; we move it forward';
    if (changing && rule.freq === 'HOURLY') return 'counts elapsed hours; we step by the wall clock';
    if (changing && rule.byHour.length) return 'skips a time in a gap; we move it forward';
    if (rule.freq !== 'YEARLY') return null;
    const numbered = rule.byDay.some((day) => day.nth !== 0);
    if (numbered && (rule.byMonthDay.length || rule.byYearDay.length)) {
      return 'drops BYMONTHDAY or BYYEARDAY next to a numbered weekday (cases icaljs-064, icaljs-065)';
    }
    if (numbered && rule.byDay.some((day) => day.nth === 0)) {
      return 'drops plain weekdays next to a numbered one (case icaljs-029)';
    }
    if (rule.byYearDay.length && (rule.byDay.length || rule.byMonthDay.length || rule.byWeekNo.length)) {
      return 'accepts days that match only one of the parts (cases icaljs-115, gen-01242)';
    }
    if (rule.byWeekNo.length && (rule.byMonthDay.length || !rule.byDay.length)) {
      return 'uses another weekday than that of DTSTART (case gen-01143)';
    }
    return null;
  }

  test('finds the same occurrences at noon, an hour that no zone skips', () => {
    fc.assert(
      fc.property(ruleText, startWall, zoneName, days(0, 1500), (value, wall, zone, ahead) => {
        const rule = parseRule(value);
        fc.pre(difference(rule, zone) === null);
        const noon = Math.floor(wall / DAY) * DAY + 12 * 3_600_000;
        const window = {
          from: localToUtc(noon, zone) + ahead,
          until: localToUtc(noon, zone) + ahead + 60 * DAY,
        };
        const other = new RRuleTemporal({
          rruleString: `DTSTART;TZID=${zone}:${formatLocal(noon).replace(/[-:]/g, '')}\nRRULE:${value}`,
        });
        const theirs = other
          .between(new Date(window.from), new Date(window.until), true)
          .map((at) => at.epochMilliseconds);
        const ours = expand({ start: formatLocal(noon), zone, rule: value }, window).occurrences.map(
          ({ start }) => start,
        );
        const start = localToUtc(noon, zone);
        const expected = theirs.filter((at) => at < window.until);
        // We include DTSTART even if the rule does not yield it.
        if (start >= window.from && expected[0] !== start) expected.unshift(start);
        expect(ours.map(text), value).toEqual(expected.map(text));
      }),
      { numRuns: 300, endOnFailure: true },
    );
  });
});

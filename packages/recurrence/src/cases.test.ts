import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatLocal } from './civil.ts';
import { RecurrenceError } from './errors.ts';
import { expand } from './expand.ts';
import { parseRule } from './parse-rule.ts';

/** The fields of cases/recurrence-cases.json that these tests read. Its `meta` explains all fields. */
interface Case {
  id: string;
  dtstart: string;
  tzid: string | null;
  all_day: boolean;
  rrule: string;
  rdate?: string[];
  exdate?: string[];
  window: { from: string; until: string };
  expected: string[] | null;
  disputed?: boolean;
  dispute?: string;
  recommended?: string;
  answers?: { by: string[]; answer: string[] | 'error' }[];
  alternatives?: Record<string, string[]>;
  tags?: string[];
}
interface InvalidRule {
  id: string;
  rrule: string;
  reason: string;
}

const data: { cases: Case[]; invalid_rules: InvalidRule[] } = JSON.parse(
  readFileSync(new URL('../cases/recurrence-cases.json', import.meta.url), 'utf8'),
);
const hourlyOrCoarser = data.cases.filter(({ tags }) => !tags?.includes('finer-than-hourly'));

const instant = (text: string) => {
  if (text.length === 10) return Date.parse(text);
  return Date.parse(text.endsWith('Z') ? text : `${text}Z`);
};

function starts({ dtstart, tzid, all_day, rrule, rdate, exdate, window }: Case): string[] {
  const from = instant(window.from);
  const { occurrences } = expand(
    {
      start: dtstart,
      zone: tzid,
      allDay: all_day,
      rule: rrule || null,
      rdates: rdate ?? [],
      exdates: exdate ?? [],
    },
    { from, until: instant(window.until) },
  );
  // The cases have no duration and list starts only.
  return occurrences
    .filter(({ start }) => start >= from)
    .map(({ start }) =>
      all_day ? formatLocal(start).slice(0, 10) : `${formatLocal(start)}${tzid ? 'Z' : ''}`,
    );
}

describe('the recurrence cases', () => {
  test.each(hourlyOrCoarser.filter(({ disputed }) => !disputed))('$id: $rrule', (given) => {
    expect(starts(given)).toEqual(given.alternatives?.['dtstart-first'] ?? given.expected);
  });
});

describe('the disputed cases, as this package resolves them', () => {
  const disputed = hourlyOrCoarser.filter((given) => given.disputed);
  const forbidden = disputed.filter(({ recommended }) => recommended === 'reject');

  test.each(forbidden)('$id: rejects $rrule', ({ rrule }) => {
    expect(() => parseRule(rrule)).toThrow(RecurrenceError);
  });

  test.each(disputed.filter((given) => !forbidden.includes(given)))('$id ($dispute): $rrule', (given) => {
    const answer = given.answers!.find(({ by }) => by.includes(given.recommended!))!.answer as string[];
    // The recommended answer, plus DTSTART as the first occurrence. In these cases no window begins before DTSTART.
    const fromStart = given.window.from === given.dtstart && !answer.includes(given.dtstart);
    const count = Number(/COUNT=(\d+)/.exec(given.rrule)?.[1] ?? Number.POSITIVE_INFINITY);
    expect(starts(given)).toEqual(fromStart ? [given.dtstart, ...answer].slice(0, count) : answer);
  });
});

describe('the invalid rules', () => {
  // Formally valid, but without a match: the series has only its first occurrence.
  const empty = ['invalid-42', 'invalid-44'];
  // Real senders write a semicolon at the end; it is accepted deliberately.
  const tolerated = ['invalid-40'];

  test.each(data.invalid_rules.filter(({ id }) => !empty.includes(id) && !tolerated.includes(id)))(
    'rejects $rrule: $reason',
    ({ rrule }) => {
      expect(() => parseRule(rrule, 'zoned')).toThrow(RecurrenceError);
    },
  );

  test.each(data.invalid_rules.filter(({ id }) => tolerated.includes(id)))('accepts $rrule', ({ rrule }) => {
    expect(parseRule(rrule, 'zoned')).toEqual(parseRule(rrule.replace(/;$/, ''), 'zoned'));
  });

  test.each(data.invalid_rules.filter(({ id }) => empty.includes(id)))(
    '$rrule never matches',
    ({ rrule }) => {
      const start = Date.parse('2024-01-02T08:00:00Z');
      const { occurrences } = expand(
        { start, zone: 'Europe/Berlin', rule: rrule },
        { from: start, until: start + 92 * 86_400_000 },
      );
      expect(occurrences.map((occurrence) => occurrence.start)).toEqual([start]);
    },
  );
});

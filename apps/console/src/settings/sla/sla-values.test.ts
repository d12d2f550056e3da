import { SlaPolicySettings } from '@firmdesk/contract';
import { describe, expect, test } from 'vitest';
import {
  changedValues,
  changeValues,
  dayProblem,
  formatMinutes,
  parseMinutes,
  parsePolicy,
  valuesOfPolicy,
} from './sla-values.ts';

const none = { first_response_minutes: null, resolution_minutes: null };
const unset = {
  object: 'service_targets',
  targets: { urgent: none, high: none, normal: none, low: none },
  warn_minutes: 15,
  hours: null,
} as const;

describe('the form of the SLA policy', () => {
  test.each([
    ['30m', 30],
    ['45 min', 45],
    ['4h', 240],
    ['1h 30m', 90],
    ['1d', 1_440],
    ['2d 4h', 3_120],
    ['1H30M', 90],
    ['720h', 43_200],
    ['', null],
    ['0m', undefined],
    ['721h', undefined],
    ['soon', undefined],
    ['4', undefined],
  ])('reads the time %j', (text, minutes) => expect(parseMinutes(text)).toBe(minutes));

  test.each([1, 59, 60, 90, 1_440, 43_200])('writes %i minutes so that they are read again', (minutes) =>
    expect(parseMinutes(formatMinutes(minutes))).toBe(minutes),
  );

  test.each([
    ['', undefined],
    ['09:00-17:00', undefined],
    ['09:00-12:00 12:00-24:00', undefined],
    ['17:00-09:00', 'The end must be after the start.'],
    ['09:00-09:00', 'The end must be after the start.'],
    ['09:00-', 'Enter both times.'],
    ['09:00-12:00 11:00-13:00', 'The hours must be in order and must not overlap.'],
    ['13:00-17:00 09:00-12:00', 'The hours must be in order and must not overlap.'],
  ])('says what is wrong with the hours %j', (text, problem) => {
    const intervals = text.split(' ').filter(Boolean);
    const day = intervals.map((each) => ({ from: each.split('-')[0]!, to: each.split('-')[1]! }));
    expect(dayProblem(day)).toBe(problem);
  });

  test('gives back what is stored, and proposes office hours', () => {
    const values = valuesOfPolicy(unset, 'Europe/Berlin');
    const { object: _, ...input } = unset;
    expect(parsePolicy(values)).toEqual({ input });
    const limited = parsePolicy({
      ...values,
      hasHours: true,
      holidays: ['2026-12-26', '', '2026-12-25', '2026-12-26'],
    });
    expect(limited).toMatchObject({ input: { hours: { holidays: ['2026-12-25', '2026-12-26'] } } });
    expect('input' in limited && SlaPolicySettings.safeParse(limited.input).success).toBe(true);
  });

  test('knows what was typed between two states, without hours that are off', () => {
    const before = valuesOfPolicy(unset, 'UTC');
    const typed = {
      targets: { 'low resolution': '8h' },
      hasHours: true,
      week: { monday: [{ from: '08:00', to: '12:00' }] },
    };
    expect(changedValues(before, changeValues(before, typed))).toEqual(typed);
    const off = changeValues(changeValues(before, typed), { hasHours: false, warn: '' });
    expect(changedValues(changeValues(before, typed), off)).toEqual({
      targets: {},
      warn: '',
      hasHours: false,
    });
  });

  test('says what is wrong at each field', () => {
    const values = valuesOfPolicy(unset, 'UTC');
    const wrong = {
      ...values,
      targets: { ...values.targets, 'urgent resolution': 'fast' },
      warn: '2000m',
      hasHours: true,
      week: { ...values.week, monday: [{ from: '09:00', to: '' }] },
    };
    const parsed = parsePolicy(wrong);
    expect('problems' in parsed && Object.keys(parsed.problems)).toEqual([
      'urgent resolution',
      'warn',
      'monday',
    ]);
  });
});

/**
 * The demo calendar is defined relative to today ("Tuesday of this week, 09:30 in London"), so that it is current
 * whenever it is imported. A day has the form `2026-03-02`.
 */
import { localToUtc, parseLocal } from '@firmdesk/recurrence';

const MS_PER_DAY = 86_400_000;

export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof weekdays)[number];

export type Days = {
  /** Returns today in UTC plus `days`. */
  today(days?: number): string;
  /** Returns a weekday of this week (which begins on Monday) plus `weeks`. */
  week(weekday: Weekday, weeks?: number): string;
  /** Returns the last such weekday of this month plus `months`. */
  lastOfMonth(weekday: Weekday, months?: number): string;
  /** Returns a day (1 to 28) of this month plus `months`. */
  ofMonth(day: number, months?: number): string;
  /** Returns a date (`06-12`) of this year plus `years`. */
  year(monthAndDay: string, years?: number): string;
};

/** Returns functions that compute days relative to `now`. */
export function daysAround(now: Date): Days {
  const today = now.toISOString().slice(0, 10);
  const sinceMonday = (now.getUTCDay() + 6) % 7;
  return {
    today: (days = 0) => addDays(today, days),
    week: (weekday, weeks = 0) => addDays(today, weekdays.indexOf(weekday) - sinceMonday + 7 * weeks),
    lastOfMonth: (weekday, months = 0) => {
      const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months + 1, 0));
      const back = (last.getUTCDay() - 1 - weekdays.indexOf(weekday) + 14) % 7;
      return addDays(last.toISOString().slice(0, 10), -back);
    },
    ofMonth: (day, months = 0) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day)).toISOString().slice(0, 10),
    year: (monthAndDay, years = 0) => `${now.getUTCFullYear() + years}-${monthAndDay}`,
  };
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * MS_PER_DAY).toISOString().slice(0, 10);
}

/** Returns the UTC time of a local day and time: `at('2026-03-02', '09:30', 'Europe/London')`. */
export function at(day: string, time: string, zone: string): string {
  return new Date(localToUtc(parseLocal(`${day}T${time}:00`), zone)).toISOString();
}

import { DAY, HOUR, isLeap, january1, MONTH_STARTS, monthOf, weekdayOf, yearOf } from './civil.ts';
import { type Rule, WEEKDAYS } from './rule.ts';
import type { DayConditions } from './year-days.ts';

/** Returns the conditions on days. Where the rule leaves the day open, the start sets the default (RFC 5545 §3.3.10). */
export function conditionsOf(rule: Rule, startDay: number): DayConditions {
  const conditions: DayConditions = {
    months: rule.byMonth,
    weekNos: rule.byWeekNo,
    yearDays: rule.byYearDay,
    monthDays: rule.byMonthDay,
    weekdays: rule.byDay.map(({ weekday, nth }) => ({ weekday: WEEKDAYS.indexOf(weekday), nth })),
    nthWithin: rule.freq === 'YEARLY' && rule.byMonth.length === 0 ? 'year' : 'month',
    weekStart: WEEKDAYS.indexOf(rule.wkst),
  };
  if (rule.byDay.length || rule.byMonthDay.length || rule.byYearDay.length) return conditions;
  if (rule.freq === 'WEEKLY' || rule.byWeekNo.length) {
    conditions.weekdays = [{ weekday: weekdayOf(startDay), nth: 0 }];
  } else if (rule.freq === 'YEARLY' || rule.freq === 'MONTHLY') {
    const year = yearOf(startDay);
    const month = monthOf(startDay - january1(year), isLeap(year));
    const monthDay = startDay - january1(year) - MONTH_STARTS[isLeap(year) ? 1 : 0][month]! + 1;
    conditions.monthDays = [monthDay];
    if (rule.freq === 'YEARLY' && !rule.byMonth.length) conditions.months = [month + 1];
  }
  return conditions;
}

/** Returns the times within a day that a rule yields, in ms, ascending. Missing parts default to those of the start. */
export function timesOfDay(rule: Rule, start: number): number[] {
  const hours = rule.byHour.length ? rule.byHour : [Math.floor(start / HOUR) - Math.floor(start / DAY) * 24];
  return hours.flatMap((hour) => timesOfHour(rule, start).map((ofHour) => hour * HOUR + ofHour));
}

/** Returns the times within an hour that a rule yields, in ms, ascending. Missing parts default to those of the start. */
export function timesOfHour(rule: Rule, start: number): number[] {
  const inHour = start - Math.floor(start / HOUR) * HOUR;
  const minutes = rule.byMinute.length ? rule.byMinute : [Math.floor(inHour / 60_000)];
  const seconds = rule.bySecond.length ? rule.bySecond : [Math.floor((inHour % 60_000) / 1000)];
  return minutes.flatMap((minute) =>
    seconds.map((second) => minute * 60_000 + second * 1000 + (inHour % 1000)),
  );
}

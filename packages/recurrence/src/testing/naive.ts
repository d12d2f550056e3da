import { type Rule, WEEKDAYS } from '../rule.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Returns the wall times of a rule from its start to `to`, by brute force: it checks every day (or hour) of every period against
 * every rule part. The package, which jumps to the window, must give the same result.
 */
export function naiveTimes(rule: Rule, start: number, to: number): number[] {
  const times = [start];
  for (let period = 0; ; period += rule.interval) {
    const [from, until] = periodBounds(rule, start, period);
    if (from > to) return times;
    let set: number[] = [];
    for (let day = Math.floor(from / DAY) * DAY; day < until; day += DAY) {
      if (dayPasses(rule, start, day, from)) {
        set.push(...timesOn(rule, start, day).filter((time) => time >= from && time < until));
      }
    }
    if (rule.bySetPos.length) {
      const all = set;
      set = all.filter((_, index) =>
        rule.bySetPos.some((pos) => pos === index + 1 || pos === index - all.length),
      );
    }
    for (const time of set) {
      if (time <= start) continue;
      if (time > to || times.length === rule.count) return times;
      times.push(time);
    }
  }
}

function periodBounds(rule: Rule, start: number, period: number): [number, number] {
  const date = new Date(start);
  const year = date.getUTCFullYear();
  switch (rule.freq) {
    case 'HOURLY': {
      const hour = Math.floor(start / HOUR) * HOUR + period * HOUR;
      return [hour, hour + HOUR];
    }
    case 'DAILY': {
      const day = Math.floor(start / DAY) * DAY + period * DAY;
      return [day, day + DAY];
    }
    case 'WEEKLY': {
      const week = weekStart(rule, start) + period * 7 * DAY;
      return [week, week + 7 * DAY];
    }
    case 'MONTHLY':
      return [Date.UTC(year, date.getUTCMonth() + period), Date.UTC(year, date.getUTCMonth() + period + 1)];
    case 'YEARLY': {
      if (!rule.byWeekNo.length) return [Date.UTC(year + period, 0), Date.UTC(year + period + 1, 0)];
      const own = [year - 1, year, year + 1].findLast((candidate) => weekOne(rule, candidate) <= start)!;
      return [weekOne(rule, own + period), weekOne(rule, own + period + 1)];
    }
  }
}

function weekStart(rule: Rule, time: number): number {
  const day = Math.floor(time / DAY) * DAY;
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  return day - ((weekday - WEEKDAYS.indexOf(rule.wkst) + 7) % 7) * DAY;
}

/** Returns the start of week 1, which contains 4 January. */
function weekOne(rule: Rule, year: number): number {
  return weekStart(rule, Date.UTC(year, 0, 4));
}

function dayPasses(rule: Rule, start: number, day: number, periodStart: number): boolean {
  const date = new Date(day);
  const first = new Date(start);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const either = (list: readonly number[], place: number, count: number) =>
    list.length === 0 || list.includes(place) || list.includes(place - count - 1);
  const daysInMonth = (Date.UTC(year, month + 1) - Date.UTC(year, month)) / DAY;
  const daysInYear = (Date.UTC(year + 1, 0) - Date.UTC(year, 0)) / DAY;
  const yearDay = (day - Date.UTC(year, 0)) / DAY + 1;
  const monthDay = date.getUTCDate();
  const weekday = WEEKDAYS[(date.getUTCDay() + 6) % 7]!;

  if (rule.byMonth.length && !rule.byMonth.includes(month + 1)) return false;
  if (!either(rule.byYearDay, yearDay, daysInYear)) return false;
  if (!either(rule.byMonthDay, monthDay, daysInMonth)) return false;
  if (rule.byWeekNo.length) {
    const ownYear = new Date(periodStart + 3 * DAY).getUTCFullYear();
    const weeks = (weekOne(rule, ownYear + 1) - periodStart) / (7 * DAY);
    if (!either(rule.byWeekNo, Math.floor((day - periodStart) / (7 * DAY)) + 1, weeks)) return false;
  }
  if (rule.byDay.length) {
    const inYear = rule.freq === 'YEARLY' && !rule.byMonth.length;
    const [place, count] = inYear ? [yearDay, daysInYear] : [monthDay, daysInMonth];
    return rule.byDay.some(
      (entry) =>
        entry.weekday === weekday &&
        (entry.nth === 0 ||
          entry.nth === Math.ceil(place / 7) ||
          entry.nth === -Math.ceil((count - place + 1) / 7)),
    );
  }
  if (rule.byYearDay.length || rule.byMonthDay.length) return true;
  if (rule.freq === 'WEEKLY' || rule.byWeekNo.length) return date.getUTCDay() === first.getUTCDay();
  if (rule.freq === 'MONTHLY') return monthDay === first.getUTCDate();
  if (rule.freq !== 'YEARLY') return true;
  return monthDay === first.getUTCDate() && (rule.byMonth.length > 0 || month === first.getUTCMonth());
}

function timesOn(rule: Rule, start: number, day: number): number[] {
  const first = new Date(start);
  const own = <T>(list: readonly T[], otherwise: readonly T[]) => (list.length ? list : otherwise);
  const everyHour = Array.from({ length: 24 }, (_, hour) => hour);
  const hours = own(rule.byHour, rule.freq === 'HOURLY' ? everyHour : [first.getUTCHours()]);
  const minutes = own(rule.byMinute, [first.getUTCMinutes()]);
  const seconds = own(rule.bySecond, [first.getUTCSeconds()]);
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => day + hour * HOUR + minute * 60_000 + second * 1000)),
  );
}

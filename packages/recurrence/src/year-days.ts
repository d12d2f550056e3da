import { isLeap, january1, MAX_YEAR, MONTH_STARTS, monthOf, weekdayOf, yearOf } from './civil.ts';

/** Which days a rule lets through: every condition given must hold (RFC 5545 §3.3.10, table of BYxxx by FREQ). */
export interface DayConditions {
  /** Months, 1 to 12; empty: any. So with every list here. */
  months: readonly number[];
  weekNos: readonly number[];
  yearDays: readonly number[];
  monthDays: readonly number[];
  /** Weekdays, 0 = Monday; `nth` 0 = every such day. A day passes when it is any one of them. */
  weekdays: readonly { weekday: number; nth: number }[];
  /** Whether `nth` counts within the month or within the year. */
  nthWithin: 'month' | 'year';
  /** First day of the week, 0 = Monday. */
  weekStart: number;
}

/** The days of one kind of year, as offsets from 1 January; with week numbers they may reach into the neighbouring years. */
export interface YearDays {
  offsets: readonly number[];
  /** Index in `offsets` of the first day of each month, and their number (13 entries). */
  months: readonly number[];
  /** For each day of the year, the first passing day from there on; 366 where the year has none left. */
  following: Uint16Array;
}

const NONE = 366;

/**
 * The passing days of any year. Whether a day passes depends only on the weekday of 1 January and on the lengths of this and
 * the neighbouring years, so at most 28 lists serve all years; they are made when first needed.
 */
export class DaySet {
  private readonly conditions: DayConditions;
  private readonly kinds: (YearDays | undefined)[] = [];
  private year = Number.NaN;
  private start = Number.NaN;
  private end = Number.NaN;
  private current: YearDays | undefined;

  constructor(conditions: DayConditions) {
    this.conditions = conditions;
  }

  of(year: number): YearDays {
    const leapKind = isLeap(year) ? 0 : isLeap(year - 1) ? 1 : isLeap(year + 1) ? 2 : 3;
    const kind = weekdayOf(january1(year)) * 4 + leapKind;
    let days = this.kinds[kind];
    if (!days) {
      days = this.list(year);
      this.kinds[kind] = days;
    }
    return days;
  }

  /** The first passing day (day number) from `day` on; Infinity past the last year. Without week numbers only. */
  next(day: number): number {
    if (!(day >= this.start && day < this.end)) this.enter(yearOf(day));
    let offset = day - this.start;
    for (;;) {
      const found = this.current!.following[offset]!;
      if (found !== NONE) return this.start + found;
      if (this.year >= MAX_YEAR) return Number.POSITIVE_INFINITY;
      this.enter(this.year + 1);
      offset = 0;
    }
  }

  private enter(year: number): void {
    this.year = year;
    this.start = january1(year);
    this.end = january1(year + 1);
    this.current = this.of(year);
  }

  private list(year: number): YearDays {
    const length = isLeap(year) ? 366 : 365;
    const weeks = this.conditions.weekNos.length ? weeksOf(year, this.conditions.weekStart) : null;
    const offsets: number[] = [];
    const months: number[] = new Array(13).fill(0);
    const following = new Uint16Array(NONE + 1).fill(NONE);
    const first = weeks ? weeks.start : 0;
    const last = weeks ? weeks.start + 7 * weeks.count : length;
    for (let offset = first; offset < last; offset++) {
      if (weeks && !this.inWeek(Math.floor((offset - weeks.start) / 7), weeks.count)) continue;
      if (this.passes(year, offset)) offsets.push(offset);
    }
    const starts = MONTH_STARTS[length - 365]!;
    for (let month = 0, index = 0; month <= 12; month++) {
      while (index < offsets.length && offsets[index]! < starts[month]!) index++;
      months[month] = index;
    }
    let from = 0;
    for (const offset of offsets) {
      if (offset < 0 || offset >= NONE) continue;
      following.fill(offset, from, offset + 1);
      from = offset + 1;
    }
    return { offsets, months, following };
  }

  private inWeek(index: number, count: number): boolean {
    return this.conditions.weekNos.includes(index + 1) || this.conditions.weekNos.includes(index - count);
  }

  /** Whether the day passes every condition but that on its week. */
  private passes(listedYear: number, listedOffset: number): boolean {
    let year = listedYear;
    let offset = listedOffset;
    const listedLength = isLeap(year) ? 366 : 365;
    if (offset < 0) {
      year--;
      offset += isLeap(year) ? 366 : 365;
    } else if (offset >= listedLength) {
      year++;
      offset -= listedLength;
    }
    const { months, yearDays, monthDays, weekdays, nthWithin } = this.conditions;
    const leap = isLeap(year);
    const length = leap ? 366 : 365;
    const month = monthOf(offset, leap);
    const starts = MONTH_STARTS[leap ? 1 : 0];
    const monthLength = starts[month + 1]! - starts[month]!;
    const monthDay = offset - starts[month]! + 1;
    if (months.length && !months.includes(month + 1)) return false;
    if (yearDays.length && !yearDays.includes(offset + 1) && !yearDays.includes(offset - length))
      return false;
    if (
      monthDays.length &&
      !monthDays.includes(monthDay) &&
      !monthDays.includes(monthDay - monthLength - 1)
    ) {
      return false;
    }
    if (!weekdays.length) return true;
    const weekday = weekdayOf(january1(year) + offset);
    const place = nthWithin === 'month' ? monthDay - 1 : offset;
    const fromEnd = (nthWithin === 'month' ? monthLength : length) - 1 - place;
    return weekdays.some((day) => {
      if (day.weekday !== weekday) return false;
      if (day.nth === 0) return true;
      return day.nth > 0 ? Math.floor(place / 7) + 1 === day.nth : Math.floor(fromEnd / 7) + 1 === -day.nth;
    });
  }
}

/** The week-year: the offset of its first week (the first with four days in the year) and its number of weeks. */
export function weeksOf(year: number, weekStart: number): { start: number; count: number } {
  const start = firstWeek(year, weekStart);
  const length = isLeap(year) ? 366 : 365;
  return { start, count: (length + firstWeek(year + 1, weekStart) - start) / 7 };
}

/** Offset from 1 January of the start of week 1. */
export function firstWeek(year: number, weekStart: number): number {
  const into = (weekdayOf(january1(year)) - weekStart + 7) % 7;
  return into <= 3 ? -into : 7 - into;
}

/** The year whose weeks hold the day. */
export function weekYearOf(day: number, weekStart: number): number {
  const year = yearOf(day);
  if (day < january1(year) + firstWeek(year, weekStart)) return year - 1;
  return day >= january1(year + 1) + firstWeek(year + 1, weekStart) ? year + 1 : year;
}

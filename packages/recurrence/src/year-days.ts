import { isLeap, january1, MAX_YEAR, MONTH_STARTS, weekdayOf, yearOf } from './civil.ts';
import { spend } from './work.ts';

/** The conditions of a rule on days. A day matches if it meets all of them (RFC 5545 §3.3.10, table of BYxxx by FREQ). */
export interface DayConditions {
  /** Months, 1 to 12. Here and below, an empty list allows any value. */
  months: readonly number[];
  weekNos: readonly number[];
  yearDays: readonly number[];
  monthDays: readonly number[];
  /** Weekdays; 0 is Monday, `nth` 0 means every such day. A day matches if it is one of them. */
  weekdays: readonly { weekday: number; nth: number }[];
  /** Whether `nth` counts within the month or within the year. */
  nthWithin: 'month' | 'year';
  /** The first day of the week; 0 is Monday. */
  weekStart: number;
}

/** The matching days of a kind of year, as offsets from 1 January. With week numbers, they can lie in the neighbouring years. */
export interface YearDays {
  offsets: readonly number[];
  /** The index in `offsets` of the first day of each month; the 13th entry is the number of days. */
  months: readonly number[];
}

/** Marks that the rest of a year has no matching day. */
const NO_DAY = 366;

/**
 * The matching days of any year. They depend only on the weekday of 1 January and on the lengths of the year and its
 * neighbours, so that 28 lists are enough for all years. A list is created when it is first needed.
 */
export class DaySet {
  private readonly conditions: DayConditions;
  private readonly months: SignedLookup | null;
  private readonly yearDays: SignedLookup | null;
  private readonly monthDays: SignedLookup | null;
  private readonly plainWeekdays: readonly boolean[] | null;
  private readonly numberedWeekdays: DayConditions['weekdays'];
  private readonly daysByKind: (YearDays | undefined)[] = [];
  /** The year that `next` looks at, its first day, the first day of the next year, and the table of its matching days. */
  private year = Number.NaN;
  private start = Number.NaN;
  private end = Number.NaN;
  private nextMatch: Uint16Array = new Uint16Array(0);
  private readonly nextMatchTables = new Map<YearDays, Uint16Array>();

  constructor(conditions: DayConditions) {
    this.conditions = conditions;
    this.months = signedLookup(conditions.months, 12);
    this.yearDays = signedLookup(conditions.yearDays, 366);
    this.monthDays = signedLookup(conditions.monthDays, 31);
    const plain = conditions.weekdays.filter(({ nth }) => nth === 0);
    this.plainWeekdays = conditions.weekdays.length
      ? [0, 1, 2, 3, 4, 5, 6].map((weekday) => plain.some((day) => day.weekday === weekday))
      : null;
    this.numberedWeekdays = conditions.weekdays.filter(({ nth }) => nth !== 0);
  }

  /** Returns the matching days of a year. */
  of(year: number): YearDays {
    const leapKind = isLeap(year) ? 0 : isLeap(year - 1) ? 1 : isLeap(year + 1) ? 2 : 3;
    const kind = weekdayOf(january1(year)) * 4 + leapKind;
    let days = this.daysByKind[kind];
    if (!days) {
      days = this.list(year);
      this.daysByKind[kind] = days;
    }
    return days;
  }

  /** Returns the first matching day (day number) from `day` on, or Infinity past the last year. Only for rules without week numbers. */
  next(day: number): number {
    if (!(day >= this.start && day < this.end)) this.setYear(yearOf(day));
    let offset = day - this.start;
    for (;;) {
      const found = this.nextMatch[offset]!;
      if (found !== NO_DAY) return this.start + found;
      if (this.year >= MAX_YEAR) return Number.POSITIVE_INFINITY;
      spend(1);
      this.setYear(this.year + 1);
      offset = 0;
    }
  }

  /** Sets the year that `next` looks at. */
  private setYear(year: number): void {
    this.year = year;
    this.start = january1(year);
    this.end = january1(year + 1);
    const days = this.of(year);
    let table = this.nextMatchTables.get(days);
    if (!table) {
      table = nextMatchTable(days.offsets);
      this.nextMatchTables.set(days, table);
    }
    this.nextMatch = table;
  }

  private list(year: number): YearDays {
    const offsets: number[] = [];
    if (this.conditions.weekNos.length) this.addWeeks(offsets, year);
    else this.addDays(offsets, year, 0, daysIn(year), 0);
    const starts = MONTH_STARTS[isLeap(year) ? 1 : 0];
    const months: number[] = [];
    for (let month = 0, index = 0; month <= 12; month++) {
      while (index < offsets.length && offsets[index]! < starts[month]!) index++;
      months.push(index);
    }
    return { offsets, months };
  }

  /** Adds the matching days of the numbered weeks of a week-year. */
  private addWeeks(offsets: number[], year: number): void {
    const start = firstWeek(year, this.conditions.weekStart);
    const length = daysIn(year);
    const weeks = (length + firstWeek(year + 1, this.conditions.weekStart) - start) / 7;
    const numbers = this.conditions.weekNos.map((number) => (number > 0 ? number : weeks + 1 + number));
    for (let week = 1; week <= weeks; week++) {
      if (!numbers.includes(week)) continue;
      const first = start + 7 * (week - 1);
      this.addDays(
        offsets,
        year - 1,
        first + daysIn(year - 1),
        first + 7 + daysIn(year - 1),
        -daysIn(year - 1),
      );
      this.addDays(offsets, year, first, first + 7, 0);
      this.addDays(offsets, year + 1, first - length, first + 7 - length, length);
    }
  }

  /** Adds the days of a calendar year in [from, to) that meet every condition but the one on weeks, each plus `shift`. */
  private addDays(offsets: number[], year: number, from: number, to: number, shift: number): void {
    const { months, monthDays, yearDays, plainWeekdays } = this;
    const length = daysIn(year);
    const starts = MONTH_STARTS[length - 365]!;
    const firstWeekday = weekdayOf(january1(year));
    for (let month = 0; month < 12; month++) {
      if (months && !months.fromStart[month + 1]) continue;
      const monthStart = starts[month]!;
      const monthEnd = starts[month + 1]!;
      const last = Math.min(to, monthEnd);
      for (let day = Math.max(from, monthStart); day < last; day++) {
        if (monthDays && !monthDays.fromStart[day - monthStart + 1] && !monthDays.fromEnd[monthEnd - day])
          continue;
        if (yearDays && !yearDays.fromStart[day + 1] && !yearDays.fromEnd[length - day]) continue;
        if (plainWeekdays) {
          const weekday = (firstWeekday + day) % 7;
          const within = this.conditions.nthWithin === 'month';
          const fromStart = within ? day - monthStart : day;
          const fromEnd = (within ? monthEnd : length) - 1 - day;
          if (!plainWeekdays[weekday] && !this.isNumbered(weekday, fromStart, fromEnd)) continue;
        }
        offsets.push(day + shift);
      }
    }
  }

  /** Returns whether a day is one of the numbered weekdays. Its positions from the start and from the end count from 0. */
  private isNumbered(weekday: number, fromStart: number, fromEnd: number): boolean {
    for (const day of this.numberedWeekdays) {
      if (day.weekday !== weekday) continue;
      if (day.nth > 0 ? Math.floor(fromStart / 7) + 1 === day.nth : Math.floor(fromEnd / 7) + 1 === -day.nth)
        return true;
    }
    return false;
  }
}

/** Returns a table that has for each day of a year the first matching day from that day on, or `NO_DAY`. */
function nextMatchTable(offsets: readonly number[]): Uint16Array {
  const table = new Uint16Array(NO_DAY + 1).fill(NO_DAY);
  let from = 0;
  for (const offset of offsets) {
    table.fill(offset, from, offset + 1);
    from = offset + 1;
  }
  return table;
}

/** Maximum number of cached sets. Rules with the same conditions on days share a set. */
const MAX_SETS = 500;
const sets = new Map<string, DaySet>();

/** Returns the set of the days that meet some conditions. Sets are cached. */
export function daySetOf(conditions: DayConditions): DaySet {
  const key = JSON.stringify(conditions);
  let set = sets.get(key);
  if (!set) {
    if (sets.size >= MAX_SETS) sets.clear();
    set = new DaySet(conditions);
    sets.set(key, set);
  }
  return set;
}

/** The numbers of a list such as BYMONTHDAY=1,-1. `fromStart[n]` is 1 if the list has n, `fromEnd[n]` if it has -n. */
interface SignedLookup {
  fromStart: Uint8Array;
  fromEnd: Uint8Array;
}

function signedLookup(numbers: readonly number[], max: number): SignedLookup | null {
  if (numbers.length === 0) return null;
  const places = { fromStart: new Uint8Array(max + 1), fromEnd: new Uint8Array(max + 1) };
  for (const number of numbers) (number > 0 ? places.fromStart : places.fromEnd)[Math.abs(number)] = 1;
  return places;
}

/** Returns the number of days in a year. */
export function daysIn(year: number): number {
  return isLeap(year) ? 366 : 365;
}

/** Returns the offset from 1 January of the start of week 1. */
function firstWeek(year: number, weekStart: number): number {
  const into = (weekdayOf(january1(year)) - weekStart + 7) % 7;
  return into <= 3 ? -into : 7 - into;
}

/** Returns the week-year of a day. */
export function weekYearOf(day: number, weekStart: number): number {
  const year = yearOf(day);
  if (day < january1(year) + firstWeek(year, weekStart)) return year - 1;
  return day >= january1(year + 1) + firstWeek(year + 1, weekStart) ? year + 1 : year;
}

import {
  type BusinessHours,
  MAX_TARGET_MINUTES,
  type SlaPolicySettings,
  type TicketPriority,
  ticketPriorities,
  weekdays,
} from '@firmdesk/contract';

export type OpenInterval = BusinessHours['week']['monday'][number];

/** What the form of the SLA policy contains, as it is typed. */
export interface SlaValues {
  /** By `priority target`, such as `urgent first_response`. */
  targets: Record<string, string>;
  warn: string;
  hasHours: boolean;
  timezone: string;
  /** By weekday. A time that is not filled in is empty. */
  week: Record<string, OpenInterval[]>;
  /** One that is not filled in is empty. */
  holidays: string[];
}

/** What was typed in since the last save: only those targets and days that were changed. */
export type TypedValues = Partial<SlaValues>;

/** What a part of the form gets. */
export interface SlaFields {
  values: SlaValues;
  problems: Record<string, string>;
  isDisabled: boolean;
  onChange(change: TypedValues): void;
}

/** Returns values with what was typed in. */
export function changeValues<Values extends TypedValues>(values: Values, typed: TypedValues | null): Values {
  const changed = { ...values, ...typed };
  if (typed?.targets) changed.targets = { ...values.targets, ...typed.targets };
  if (typed?.week) changed.week = { ...values.week, ...typed.week };
  return changed;
}

/** Returns what was typed between two states of the form. Business hours that are off are not compared: the form proposes them. */
export function changedValues(before: SlaValues, after: SlaValues): TypedValues {
  const { targets, warn, hasHours, timezone, week, holidays } = after;
  return {
    targets: changedEntries(before.targets, targets),
    ...(warn !== before.warn && { warn }),
    ...(hasHours !== before.hasHours && { hasHours }),
    ...(hasHours && {
      ...(timezone !== before.timezone && { timezone }),
      week: changedEntries(before.week, week),
      ...(!isSame(holidays, before.holidays) && { holidays }),
    }),
  };
}

function changedEntries<Value>(before: Record<string, Value>, after: Record<string, Value>) {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(value, before[name])));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export const targetNames = ['first_response', 'resolution'] as const;

const DURATION = 'Enter a time such as 30m, 4h or 1h 30m.';

/** Returns the text of a number of minutes of business hours, in hours and minutes. */
export function formatMinutes(minutes: number | null): string {
  if (minutes === null) return '';
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && `${hours}h`, rest > 0 && `${rest}m`].filter(Boolean).join(' ');
}

/** Returns the minutes of a typed text: null if it is empty, undefined if it is no time from a minute to `max`. */
export function parseMinutes(text: string, max = MAX_TARGET_MINUTES): number | null | undefined {
  if (text.trim() === '') return null;
  const [, days, hours, minutes] =
    /^(?:(\d{1,2}) ?d)? ?(?:(\d{1,3}) ?h)? ?(?:(\d{1,5}) ?m(?:in)?)?$/i.exec(
      text.trim().replace(/\s+/g, ' '),
    ) ?? [];
  const total = Number(days ?? 0) * 1_440 + Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return total >= 1 && total <= max ? total : undefined;
}

/** Returns what is wrong with the intervals of a day, if anything is. */
export function dayProblem(intervals: readonly OpenInterval[]): string | undefined {
  if (intervals.some(({ from, to }) => from === '' || to === '')) return 'Enter both times.';
  if (intervals.some(({ from, to }) => from >= to)) return 'The end must be after the start.';
  const isInOrder = intervals.every(({ from }, i) => i === 0 || intervals[i - 1]!.to <= from);
  return isInOrder ? undefined : 'The hours must be in order and must not overlap.';
}

/** The hours that are proposed when a firm begins to limit them. */
export const OFFICE_HOURS: OpenInterval = { from: '09:00', to: '17:00' };

export function valuesOfPolicy({ targets, warn_minutes, hours }: SlaPolicySettings, zone: string): SlaValues {
  return {
    targets: Object.fromEntries(
      ticketPriorities.flatMap((priority) =>
        targetNames.map((name) => [
          `${priority} ${name}`,
          formatMinutes(targets[priority][`${name}_minutes`]),
        ]),
      ),
    ),
    warn: formatMinutes(warn_minutes),
    hasHours: hours !== null,
    timezone: hours?.timezone ?? zone,
    week: Object.fromEntries(
      weekdays.map((day, i) => [day, hours ? hours.week[day] : i < 5 ? [OFFICE_HOURS] : []]),
    ),
    holidays: hours?.holidays ?? [],
  };
}

/** Returns the input of the service, or what is wrong, by the name of the field. */
export function parsePolicy(
  values: SlaValues,
): { input: SlaPolicySettings } | { problems: Record<string, string> } {
  const problems: Record<string, string> = {};
  const minutesOf = (field: string, text: string, max?: number) => {
    const minutes = parseMinutes(text, max);
    if (minutes === undefined) problems[field] = DURATION;
    return minutes ?? null;
  };
  const target = (priority: TicketPriority, name: string) =>
    minutesOf(`${priority} ${name}`, values.targets[`${priority} ${name}`] ?? '');
  const targets = Object.fromEntries(
    ticketPriorities.map((priority) => [
      priority,
      {
        first_response_minutes: target(priority, 'first_response'),
        resolution_minutes: target(priority, 'resolution'),
      },
    ]),
  ) as SlaPolicySettings['targets'];
  const warn_minutes = minutesOf('warn', values.warn, 1_440);
  const hours = values.hasHours ? parseHours(values, problems) : null;
  return Object.keys(problems).length > 0 ? { problems } : { input: { targets, warn_minutes, hours } };
}

function parseHours(
  { timezone, week, holidays }: SlaValues,
  problems: Record<string, string>,
): BusinessHours {
  for (const day of weekdays) {
    const problem = dayProblem(week[day] ?? []);
    if (problem) problems[day] = problem;
  }
  const dates = [...new Set(holidays.filter((date) => date !== ''))].sort();
  return { timezone, week: week as BusinessHours['week'], holidays: dates };
}

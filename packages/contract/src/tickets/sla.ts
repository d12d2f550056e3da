import * as z from 'zod';
import { IanaZone } from '../account/devices.ts';
import { ticketPriorities, type Weekday, weekdays } from '../values/enumerations.ts';
import {
  MAX_HOLIDAYS,
  MAX_INTERVALS_PER_DAY,
  MAX_TARGET_MINUTES,
  MAX_WARN_MINUTES,
  MIN_WEEK_MINUTES,
} from '../values/limits.ts';
import { LastEventId } from '../values/live.ts';
import type { TicketPriority } from './tickets.ts';

const TargetMinutes = z.int().min(1).max(MAX_TARGET_MINUTES).nullable();

/** The targets of a priority, in minutes of business hours; null: none. */
export const SlaTargets = z.object({
  first_response_minutes: TargetMinutes,
  resolution_minutes: TargetMinutes,
});
export type SlaTargets = z.infer<typeof SlaTargets>;

/** A part of a day, in 24-hour wall time. `to` can be 24:00. */
export const OpenInterval = z
  .object({
    from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time from 00:00 to 23:59'),
    to: z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time from 00:01 to 24:00'),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be after `from`' });

const OpenDay = z
  .array(OpenInterval)
  .max(MAX_INTERVALS_PER_DAY)
  .refine(
    (day) => day.every(({ from }, i) => i === 0 || day[i - 1]!.to <= from),
    'must be in order and must not overlap',
  );

/** Returns the minutes after midnight of a wall time such as 09:30. */
export function minutesOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

const OpenWeek = z
  .object(Object.fromEntries(weekdays.map((day) => [day, OpenDay])) as Record<Weekday, typeof OpenDay>)
  .refine((week) => {
    const intervals = Object.values(week).flat();
    return (
      intervals.reduce((sum, { from, to }) => sum + minutesOfDay(to) - minutesOfDay(from), 0) >=
      MIN_WEEK_MINUTES
    );
  }, `must have at least ${MIN_WEEK_MINUTES} minutes`);

/** The times at which the clocks of targets run. */
export const BusinessHours = z.object({
  timezone: IanaZone,
  week: OpenWeek,
  /** Days without business hours. */
  holidays: z
    .array(z.iso.date())
    .max(MAX_HOLIDAYS)
    .refine((days) => new Set(days).size === days.length, 'must not repeat a day')
    .default([]),
});
export type BusinessHours = z.infer<typeof BusinessHours>;

export const SlaPolicySettings = z.object({
  targets: z.object(
    Object.fromEntries(ticketPriorities.map((priority) => [priority, SlaTargets])) as Record<
      TicketPriority,
      typeof SlaTargets
    >,
  ),
  /** How long before a due time the team is notified; null: never. */
  warn_minutes: z.int().min(1).max(MAX_WARN_MINUTES).nullable().default(15),
  /** Null: always. */
  hours: BusinessHours.nullable().default(null),
});
export type SlaPolicySettings = z.output<typeof SlaPolicySettings>;

/** `expected`: the settings that are replaced. If the firm has others by then, the call fails with `precondition_failed`. */
export const SetSlaPolicyInput = SlaPolicySettings.extend({
  expected: SlaPolicySettings.optional(),
});
export type SetSlaPolicyInput = z.output<typeof SetSlaPolicyInput>;

/** A firm's targets for its tickets. A firm that has set none has no target. */
export const SlaPolicy = SlaPolicySettings.extend({ object: z.literal('service_targets') });
export type SlaPolicy = z.infer<typeof SlaPolicy>;

export const StreamSlaPolicyInput = z.object({ lastEventId: LastEventId });

export const SlaPolicyStreamEvent = z.discriminatedUnion('type', [
  /** The targets or the business hours were changed: fetch them again. */
  z.object({ type: z.literal('service_targets.changed') }),
  z.object({ type: z.literal('resync') }),
]);
export type SlaPolicyStreamEvent = z.infer<typeof SlaPolicyStreamEvent>;

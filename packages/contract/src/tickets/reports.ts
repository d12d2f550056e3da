import * as z from 'zod';
import { Timestamp } from '../values/fields.ts';
import { MAX_REPORT_DAYS } from '../values/limits.ts';

const DAY_MS = 86_400_000;

/** In years of which also the days before and after have four digits. */
const ReportedDay = z.iso
  .date()
  .refine((day) => day >= '1970-01-01' && day < '9999-01-01', 'must be in the years 1970 to 9998');

/** `from` and `until` are days in the firm's time zone, both included. `team`: the id of a team, or `none` for tickets without one. */
export const ReportInput = z
  .object({
    from: ReportedDay,
    until: ReportedDay,
    team: z
      .string()
      .regex(/^(none|[1-9]\d{0,8})$/, 'must be "none" or the id of a team')
      .optional(),
  })
  .refine(({ from, until }) => from <= until, { path: ['until'], error: 'must not be before `from`' })
  .refine(({ from, until }) => (Date.parse(until) - Date.parse(from)) / DAY_MS < MAX_REPORT_DAYS, {
    path: ['until'],
    error: `must be at most ${MAX_REPORT_DAYS} days after \`from\``,
  });
export type ReportInput = z.output<typeof ReportInput>;

const Count = z.int().min(0);
const Minutes = z.int().min(1).nullable();

/** Durations in minutes of business hours: half of them, and nine in ten, took at most so long. Null without durations. */
const Durations = z.object({ count: Count, median: Minutes, p90: Minutes });

/** Durations, and how many met or missed the SLA target of their ticket's priority. */
const TargetedDurations = Durations.extend({ met: Count, missed: Count });

/** What happened in a period. */
export const ReportFigures = z.object({
  created: Count,
  ended: Count,
  ended_by_assistant: Count.meta({ description: 'Ended tickets that only the assistant answered' }),
  ended_after_handover: Count.meta({ description: 'Ended tickets that the assistant and the team answered' }),
  assistant_answers: Count.meta({ description: 'Messages of the assistant; each uses one of the allowance' }),
  replies: Count.meta({ description: 'Replies of the team' }),
  first_response: TargetedDurations,
  resolution: TargetedDurations,
  reply_time: Durations,
  scores: z
    .array(Count)
    .length(5)
    .meta({ description: 'How many traders gave 1, 2, 3, 4 and 5 points of satisfaction' }),
});
export type ReportFigures = z.infer<typeof ReportFigures>;

const compared = { count: Count, previous: Count };

/** Figures of a firm in a period, and in the one of the same length before it. The lists have the largest first. */
export const Report = z.object({
  object: z.literal('report'),
  from: z.iso.date(),
  until: z.iso.date(),
  previous_from: z.iso.date(),
  previous_until: z.iso.date(),
  timezone: z.string(),
  previous_starts_at: Timestamp.meta({ description: 'When the first day of the period before began' }),
  ends_at: Timestamp.meta({ description: 'When the last day is over' }),
  counted_at: Timestamp.nullable().meta({ description: 'When tickets were last counted; null if never' }),
  current: ReportFigures,
  previous: ReportFigures,
  days: z.array(
    z.object({
      day: z.iso.date(),
      starts_at: Timestamp,
      created: Count,
      ended: Count,
      first_response: Minutes,
      resolution: Minutes,
    }),
  ),
  hours: z.array(Count).length(24).meta({ description: 'Created tickets by local hour' }),
  weekdays: z.array(Count).length(7).meta({ description: 'Created tickets from Monday to Sunday' }),
  tags: z.array(z.object({ id: z.int(), name: z.string(), color: z.string(), ...compared })),
  languages: z.array(z.object({ language: z.string(), ...compared })),
  teams: z.array(z.object({ id: z.int().nullable(), name: z.string().nullable(), ...compared })),
  macros: z
    .array(z.object({ id: z.string(), name: z.string(), ...compared }))
    .meta({ description: 'Replies of the team by the macro that they were written from' }),
  articles: z
    .array(z.object({ id: z.string(), title: z.string(), ...compared }))
    .meta({ description: 'Replies of the assistant by the article that they are based on' }),
  agents: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      avatar_url: z.string().nullable(),
      open: Count.meta({ description: 'Open tickets that are assigned to the agent now' }),
      replies: Count,
      previous_replies: Count,
      ended: Count,
      reply_time: Durations,
      scores: z.array(Count).length(5).meta({
        description: 'As in `current`, of the tickets that are assigned to the agent',
      }),
    }),
  ),
  backlog: z.array(z.object({ min_days: z.int(), count: Count })).meta({
    description: 'Tickets that are open now, by their age: at least so many days, and fewer than the next',
  }),
  allowance: z.object({ used: Count, limit: Count }).meta({ description: 'Of this calendar month (UTC)' }),
});
export type Report = z.infer<typeof Report>;

/** Whether the caller gets the figures of each week by mail, on Monday. */
export const WeeklyReportSettings = z.object({
  object: z.literal('weekly_report_settings'),
  gets_mail: z.boolean().nullable().meta({
    description: 'Null if the account is not a member of the firm, and so cannot get the mail',
  }),
});
export type WeeklyReportSettings = z.infer<typeof WeeklyReportSettings>;
export const SetWeeklyReportInput = z.object({ gets_mail: z.boolean() });

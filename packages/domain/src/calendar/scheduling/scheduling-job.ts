import { z } from 'zod';
import { defineJob } from '../../platform/jobs/jobs.ts';

const Person = z.object({ email: z.string(), name: z.string().nullable() });

/** Messages about an event for its people (iTIP, RFC 5546): one for each of `to`. */
export const SchedulingMails = z.object({
  workspace: z.int(),
  /** A job that runs again sends nothing twice. */
  id: z.uuid(),
  /** The account that caused them. */
  user_id: z.string(),
  method: z.enum(['REQUEST', 'CANCEL', 'REPLY']),
  /** Whether the recipients have an older version of the event. */
  is_update: z.boolean(),
  /** The answer, in a REPLY. */
  response: z.enum(['accepted', 'tentative', 'declined']).nullable(),
  from: Person,
  to: z.array(Person),
  event: z.object({
    title: z.string(),
    location: z.string().nullable(),
    description: z.string().nullable(),
    conference_url: z.string().nullable(),
    starts_at: z.string(),
    timezone: z.string(),
    all_day: z.boolean(),
  }),
  /** The event as iCalendar. */
  ics: z.string(),
});
export type SchedulingMails = z.infer<typeof SchedulingMails>;

export const mailSchedulingJob = defineJob('calendar.mail_scheduling', SchedulingMails);

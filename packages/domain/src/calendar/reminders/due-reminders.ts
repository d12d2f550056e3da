import { z } from 'zod';
import { defineJob } from '../../platform/jobs/jobs.ts';

/** Due reminders of a firm, each of one account. */
export const DueReminders = z.object({
  workspace: z.int(),
  due: z.array(
    z.object({
      user_id: z.string(),
      reminder: z.object({
        event_id: z.int(),
        minutes_before: z.int(),
        occurrence_start: z.string().nullable(),
        starts_at: z.string(),
      }),
      expires_at: z.string(),
    }),
  ),
});
export type DueReminders = z.infer<typeof DueReminders>;

/** Sends due reminders by mail. */
export const mailRemindersJob = defineJob('calendar.mail_reminders', DueReminders);

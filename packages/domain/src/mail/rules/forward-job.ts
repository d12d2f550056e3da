import { z } from 'zod';
import { defineJob } from '../../platform/jobs/jobs.ts';

/** Forwards a message of a mailbox to another mailbox of its firm, in the name of an account. */
export const forwardMailJob = defineJob(
  'mail.forward',
  z.object({
    workspace: z.int(),
    mailbox: z.int(),
    message: z.string(),
    to: z.string(),
    user: z.string(),
  }),
);
export type ForwardMail = z.infer<(typeof forwardMailJob)['payload']>;

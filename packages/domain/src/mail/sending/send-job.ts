import { z } from 'zod';
import type { OperationContext } from '../../platform/database/context.ts';
import { defineJob, enqueue } from '../../platform/jobs/jobs.ts';

/**
 * Sends a message to the recipients that still wait for it. A message that was taken back and is sent again has another `send_at`, and each attempt its
 * number: a job for another attempt than the next one does nothing.
 */
export const sendMailJob = defineJob(
  'mail.send',
  z.object({ workspace: z.int(), message: z.string(), send_at: z.string(), attempt: z.int() }),
);
export type SendMail = z.infer<(typeof sendMailJob)['payload']>;

/** Replies of the assistant start before mail. */
const PRIORITY = 10;

/** Requests the next attempt to send a message. */
export async function enqueueSending(ctx: OperationContext, job: SendMail, afterMs: number): Promise<void> {
  await enqueue(ctx, sendMailJob, job, { afterMs, priority: PRIORITY });
}

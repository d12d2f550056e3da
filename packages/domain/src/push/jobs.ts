import { z } from 'zod';
import { defineJob, handle, type JobHandler } from '../platform/jobs.ts';
import { withTransaction } from '../platform/transaction.ts';
import type { Schedule } from '../platform/worker.ts';
import { mailJob, queueMail, sendJob } from './enqueue.ts';
import { remindDue } from './remind-due.ts';
import { sendPushes } from './send-pushes.ts';

const remindJob = defineJob('push.remind', z.object({}));

export const pushHandlers: JobHandler[] = [
  handle(mailJob, (services, { message }) => withTransaction(services, (ctx) => queueMail(ctx, message))),
  handle(remindJob, (services) => remindDue(services)),
  handle(sendJob, (services, _payload, signal) => sendPushes(services, signal)),
];

export const pushSchedules: Schedule[] = [
  { job: remindJob.name, cron: '* * * * *' },
  // What a dead sender had taken, and what no job has woken anybody for.
  { job: sendJob.name, cron: '* * * * *' },
];

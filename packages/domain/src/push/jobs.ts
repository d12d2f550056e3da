import { z } from 'zod';
import { defineJob, handle, type JobHandler } from '../platform/jobs.ts';
import { withTransaction } from '../platform/transaction.ts';
import type { Schedule } from '../platform/worker.ts';
import { queueDueReminders } from './queue-due-reminders.ts';
import { queueMailPushes, queueMailPushesJob, sendPushesJob } from './queue-pushes.ts';
import { sendPushes } from './send-pushes.ts';

const remindJob = defineJob('push.remind', z.object({}));

export const pushHandlers: JobHandler[] = [
  handle(queueMailPushesJob, (services, { message }) =>
    withTransaction(services, (ctx) => queueMailPushes(ctx, message)),
  ),
  handle(remindJob, (services) => queueDueReminders(services)),
  handle(sendPushesJob, (services, _payload, signal) => sendPushes(services, signal)),
];

export const pushSchedules: Schedule[] = [
  { job: remindJob.name, cron: '* * * * *' },
  // Sends what a dead sender had leased, and rows whose job was lost.
  { job: sendPushesJob.name, cron: '* * * * *' },
];

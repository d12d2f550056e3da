import { z } from 'zod';
import type { OperationContext } from '../platform/database/context.ts';
import { withTransaction } from '../platform/database/transaction.ts';
import { defineJob, handle, type Job, type JobHandler } from '../platform/jobs/jobs.ts';
import type { Schedule } from '../platform/jobs/worker.ts';
import {
  queueMailPushes,
  queueMailPushesJob,
  queueNotificationPushes,
  queueNotificationPushesJob,
  queueReminderPushes,
  queueReminderPushesJob,
  sendPushesJob,
} from './queue-pushes.ts';
import { queueDueReminders } from './reminders/queue-due-reminders.ts';
import { sendPushes } from './sending/send-pushes.ts';

const remindJob = defineJob('push.remind', z.object({}));

/** Returns a handler that queues pushes in a transaction, then sends what is due. It may repeat: a device gets one push per subject. */
function queueing<Payload extends { workspace?: number | undefined }>(
  job: Job<Payload>,
  queue: (ctx: OperationContext, payload: Payload) => Promise<void>,
): JobHandler {
  return handle(job, async (services, payload, signal) => {
    await services.firmServers.run(payload.workspace ?? null, () =>
      withTransaction(services, (ctx) => queue(ctx, payload)),
    );
    await sendPushes(services, signal);
  });
}

export const pushHandlers: JobHandler[] = [
  queueing(queueMailPushesJob, queueMailPushes),
  queueing(queueNotificationPushesJob, queueNotificationPushes),
  queueing(queueReminderPushesJob, queueReminderPushes),
  handle(remindJob, (services) => queueDueReminders(services)),
  handle(sendPushesJob, (services, _payload, signal) => sendPushes(services, signal)),
];

export const pushSchedules: Schedule[] = [
  { job: remindJob.name, cron: '* * * * *' },
  // Sends what a dead sender had leased, and rows whose job was lost.
  { job: sendPushesJob.name, cron: '* * * * *' },
];

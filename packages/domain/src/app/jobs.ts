import { z } from 'zod';
import { expirePreRegistrations } from '../affiliates/end-pre-registration.ts';
import { requeueRuns } from '../assistant/runs/requeue-runs.ts';
import { writeReplyJob } from '../assistant/runs/run-store.ts';
import { writeReply } from '../assistant/runs/write-reply.ts';
import { scanFileJob } from '../attachments/request-scan.ts';
import { mailRemindersJob, mailSchedulingJob } from '../calendar/index.ts';
import { forwardMailJob } from '../mail/rules/forward-job.ts';
import { forwardMail } from '../mail/rules/forward-mail.ts';
import { indexMail, indexMailJob } from '../mail/search/mail-texts.ts';
import { sendMailJob } from '../mail/sending/send-job.ts';
import { sendMail } from '../mail/sending/send-mail.ts';
import { queueReminderMails } from '../mail/system/reminder-mails.ts';
import { queueSchedulingMails } from '../mail/system/scheduling-mails.ts';
import { wakeThread, wakeThreadJob } from '../mail/threads/snooze-threads.ts';
import { DueJobs } from '../platform/jobs/due-jobs.ts';
import { defineJob, handle, type JobHandler } from '../platform/jobs/jobs.ts';
import { type Schedule, startWorker, type Worker } from '../platform/jobs/worker.ts';
import { createLeasePool, LEASE, type LeaseTimes } from '../platform/jobs/worker-lease.ts';
import type { Services } from '../platform/services.ts';
import { pushHandlers, pushSchedules } from '../push/jobs.ts';
import { countReports, countReportsJob } from '../reports/count-firm.ts';
import { mailWeeklyReports, mailWeeklyReportsJob } from '../reports/mail-weekly-reports.ts';
import { askSatisfaction, askSatisfactionJob } from '../satisfaction/ask-satisfaction.ts';
import { refreshDueTimesJob } from '../sla/index.ts';
import {
  assignAllWaiting,
  assignAllWaitingJob,
  assignWaiting,
} from '../tickets/automation/assign-waiting.ts';
import { assignWaitingJob } from '../tickets/automation/assignment-writes.ts';
import { runRulesJob } from '../tickets/automation/rule-event-writes.ts';
import { runDueRules, runDueRulesJob, runRules } from '../tickets/automation/run-rules.ts';
import { runBulkChangeJob } from '../tickets/bulk/bulk-change.ts';
import { runBulkChange } from '../tickets/bulk/run-bulk-change.ts';
import { wakeTicket, wakeTicketJob } from '../tickets/changes/snooze.ts';
import { refreshAllDueTimes } from '../tickets/due-times/refresh-due-times.ts';
import { warnOfDueTickets, warnOfDueTicketsJob } from '../tickets/due-times/warn-of-due-tickets.ts';
import { delayedSendJob, runDelayedSend } from '../tickets/messages/delayed-sends.ts';
import { indexSearch, indexSearchJob } from '../tickets/search/search-index.ts';
import { dispatchEvents, sendDeliveriesJob } from '../webhooks/dispatch-events.ts';
import { sendDeliveries } from '../webhooks/send-deliveries.ts';
import { dispatchEventsJob } from '../webhooks/webhook-events.ts';
import { dataRequestJob } from './data/data-requests.ts';
import { runDataRequest } from './data/run-data-request.ts';
import { deleteFirmFiles, deleteFirmFilesJob } from './firms/delete-firm.ts';
import { deleteDueFirms, deleteDueFirmsJob } from './firms/schedule-deletion.ts';
import { checkStorage, checkStorageJob } from './firms/storage-limit.ts';
import { retentionHandlers, retentionSchedules } from './retention.ts';
import { scanFile } from './scan-file.ts';

const requeueReplies = defineJob('assistant.revive', z.object({}));
const expirePreRegistrationsJob = defineJob('affiliates.expire', z.object({}));

/** The handlers of all kinds of jobs except {@link waitingHandlers}. */
export const jobHandlers: JobHandler[] = [
  handle(requeueReplies, async (services) => {
    await requeueRuns(services);
  }),
  handle(expirePreRegistrationsJob, async (services) => {
    await expirePreRegistrations(services);
  }),
  handle(indexSearchJob, (services, _payload, signal) => indexSearch(services, signal)),
  handle(indexMailJob, (services, _payload, signal) => indexMail(services, signal)),
  handle(delayedSendJob, runDelayedSend),
  handle(runBulkChangeJob, runBulkChange),
  handle(wakeTicketJob, wakeTicket),
  handle(wakeThreadJob, wakeThread),
  handle(refreshDueTimesJob, refreshAllDueTimes),
  handle(warnOfDueTicketsJob, (services) => warnOfDueTickets(services)),
  handle(assignWaitingJob, assignWaiting),
  handle(assignAllWaitingJob, assignAllWaiting),
  handle(runRulesJob, runRules),
  handle(runDueRulesJob, runDueRules),
  handle(deleteFirmFilesJob, deleteFirmFiles),
  handle(dataRequestJob, runDataRequest),
  handle(deleteDueFirmsJob, (services, _payload, signal) => deleteDueFirms(services, signal)),
  handle(checkStorageJob, (services) => checkStorage(services)),
  handle(countReportsJob, (services, _payload, signal) => countReports(services, signal)),
  handle(mailWeeklyReportsJob, (services, _payload, signal) => mailWeeklyReports(services, signal)),
  handle(askSatisfactionJob, (services) => askSatisfaction(services)),
  handle(mailRemindersJob, queueReminderMails),
  handle(mailSchedulingJob, queueSchedulingMails),
  handle(dispatchEventsJob, dispatchEvents),
  ...pushHandlers,
  ...retentionHandlers,
];

/** The scheduled jobs, in UTC. */
export const schedules: Schedule[] = [
  { job: requeueReplies.name, cron: '* * * * *' },
  { job: expirePreRegistrationsJob.name, cron: '*/5 * * * *' },
  { job: indexSearchJob.name, cron: '* * * * *' },
  { job: indexMailJob.name, cron: '* * * * *' },
  { job: warnOfDueTicketsJob.name, cron: '* * * * *' },
  { job: assignAllWaitingJob.name, cron: '* * * * *' },
  { job: runDueRulesJob.name, cron: '* * * * *' },
  { job: checkStorageJob.name, cron: '*/5 * * * *' },
  { job: deleteDueFirmsJob.name, cron: '17 * * * *' },
  { job: askSatisfactionJob.name, cron: '*/5 * * * *' },
  { job: countReportsJob.name, cron: '*/10 * * * *' },
  { job: mailWeeklyReportsJob.name, cron: '*/15 * * * *' },
  ...pushSchedules,
  ...retentionSchedules,
];

/** The number of such jobs that one process runs concurrently. Those with a lower `priority` number start first. */
const MAX_WAITING_JOBS = 150;

/** The handlers of jobs that mostly wait for another system: the model, the mail server, the scanner, webhooks. */
export const waitingHandlers: JobHandler[] = [
  handle(writeReplyJob, writeReply),
  handle(sendMailJob, sendMail),
  handle(forwardMailJob, forwardMail),
  handle(scanFileJob, scanFile),
  handle(sendDeliveriesJob, sendDeliveries),
];

/** Runs jobs until it is stopped. Those that wait for another system have a separate worker, so that they delay no other jobs. */
export async function startWorkers(services: Services, times: LeaseTimes = LEASE): Promise<Worker> {
  const leasePool = createLeasePool(services);
  const shared = { times, leasePool, dueJobs: new DueJobs(leasePool, services.log) };
  const workers: Worker[] = [];
  const stop = async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await leasePool.end();
  };
  try {
    workers.push(await startWorker(services, jobHandlers, schedules, shared));
    const waiting = {
      ...shared,
      connections: services.poolSizes.replyQueue,
      concurrency: MAX_WAITING_JOBS,
      forwards: false,
    };
    workers.push(await startWorker(services, waitingHandlers, [], waiting));
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

import type { TestUser } from '@firmdesk/testing';
import { Logger, runOnce } from 'graphile-worker';
import type { WorkspaceRef } from '../../access/identity.ts';
import { fileType, storeReceivedFiles } from '../../attachments/index.ts';
import { mailRemindersJob, mailSchedulingJob } from '../../calendar/index.ts';
import { moveRequestedJobs } from '../../platform/jobs/job-forwarder.ts';
import { handle } from '../../platform/jobs/jobs.ts';
import { newId } from '../../platform/process/ids.ts';
import type { Services } from '../../platform/services.ts';
import { forwardMailJob } from '../rules/forward-job.ts';
import { forwardMail } from '../rules/forward-mail.ts';
import { queueReminderMails } from '../system/reminder-mails.ts';
import { queueSchedulingMails } from '../system/scheduling-mails.ts';
import { sendMailJob } from './send-job.ts';
import { sendMail } from './send-mail.ts';

const handlers = [
  handle(sendMailJob, sendMail),
  handle(mailRemindersJob, queueReminderMails),
  handle(mailSchedulingJob, queueSchedulingMails),
  handle(forwardMailJob, forwardMail),
];

/** Runs the jobs that send mail and wait now, also those that are not due. Those that they request are for the next call. */
export async function runSending(services: Services): Promise<void> {
  await moveRequestedJobs(services.firmServers);
  await services.pool.query(
    `select from graphile_worker.reschedule_jobs(array(
       select id from graphile_worker.jobs where task_identifier = any($1) and locked_at is null), run_at => now())`,
    [handlers.map(({ name }) => name)],
  );
  await runOnce({
    pgPool: services.pool,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: Object.fromEntries(
      handlers.map(({ name, run }) => [name, (payload) => run(services, payload, undefined)]),
    ),
  });
}

/** Stores a file that an account has uploaded to attach it to a message. Returns its id. */
export async function uploadMailFile(
  services: Services,
  { firm, user }: { firm: WorkspaceRef; user: TestUser },
  { name, content }: { name: string; content: Uint8Array },
): Promise<string> {
  const id = newId('mailAttachment', services.clock.now());
  const file = { id, name, type: fileType(content), size: content.length };
  await storeReceivedFiles(services, firm.id, [{ file, content }]);
  await services.pool.query('update attachments set uploader_id = $3 where workspace_id = $1 and id = $2', [
    firm.id,
    id,
    user.id,
  ]);
  return id;
}

import { z } from 'zod';
import { auditRetention } from '../access/audit/audit.ts';
import { inviteRetention } from '../access/invites/invite-link.ts';
import { challengeRetention } from '../access/sign-in/challenges.ts';
import { sessionRetention } from '../access/tokens/session-retention.ts';
import { runRetention } from '../assistant/runs/run-retention.ts';
import { attachmentRetentions } from '../attachments/attachment-retention.ts';
import { endedInvitationRetention } from '../calendar/invitations/ended-invitations.ts';
import { trashRetention } from '../mail/messages/trash.ts';
import { mailWordRetention } from '../mail/search/mail-texts.ts';
import { systemMailRetention } from '../mail/system/queue-system-mail.ts';
import { notificationRetention } from '../notifications/notification-retention.ts';
import { pruneAll, type Retention } from '../platform/database/retention.ts';
import { eventRetention } from '../platform/events/event-retention.ts';
import { failedJobsRetention } from '../platform/jobs/failed-jobs.ts';
import { defineJob, handle, type JobHandler } from '../platform/jobs/jobs.ts';
import type { Schedule } from '../platform/jobs/worker.ts';
import { idempotencyRetention } from '../procedures/idempotency.ts';
import { outboxRetention } from '../push/outbox.ts';
import { unsentReminderRetention } from '../push/reminders/unsent-reminders.ts';
import { bulkChangeRetention } from '../tickets/bulk/bulk-change-retention.ts';
import { draftRetention } from '../tickets/drafts/reply-drafts.ts';
import { unsentReplyRetention } from '../tickets/drafts/unsent-replies.ts';
import { ticketWordRetention } from '../tickets/search/ticket-index.ts';
import { webhookRetention } from '../webhooks/deliveries.ts';
import { dataRequestRetention } from './data/data-retention.ts';

/** The retention periods of all kinds of rows that are deleted after a time. Other tables grow only with what users create. */
export const retentions: readonly Retention[] = [
  outboxRetention,
  unsentReminderRetention,
  failedJobsRetention,
  idempotencyRetention,
  eventRetention,
  notificationRetention,
  runRetention,
  draftRetention,
  unsentReplyRetention,
  sessionRetention,
  challengeRetention,
  inviteRetention,
  auditRetention,
  ticketWordRetention,
  mailWordRetention,
  trashRetention,
  ...attachmentRetentions,
  bulkChangeRetention,
  endedInvitationRetention,
  systemMailRetention,
  webhookRetention,
  dataRequestRetention,
];

const pruneJob = defineJob('retention.prune', z.object({}));

export const retentionHandlers: JobHandler[] = [
  handle(pruneJob, (services, _payload, signal) => pruneAll(services, retentions, undefined, signal)),
];

export const retentionSchedules: Schedule[] = [{ job: pruneJob.name, cron: '*/5 * * * *' }];

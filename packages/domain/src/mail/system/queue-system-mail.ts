import { randomUUID } from 'node:crypto';
import type { MailRecipient } from '@firmdesk/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import type { SchedulingMails } from '../../calendar/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { retentionOfFirmTable } from '../../platform/database/retention.ts';
import { defineJob, enqueue } from '../../platform/jobs/jobs.ts';
import { DAY_MS } from '../../platform/process/clock.ts';

/** Sends a system mail. A job for another attempt than the next one does nothing. */
export const sendSystemMailJob = defineJob(
  'mail.send_system',
  z.object({ workspace: z.int(), id: z.uuid(), attempt: z.int() }),
);
export type SendSystemMail = z.infer<(typeof sendSystemMailJob)['payload']>;

/** Replies of the assistant start before mail. */
const PRIORITY = 10;

/** The reminder of one account of an occurrence, which is written when it is sent. */
export interface ReminderContent {
  event_id: number;
  minutes_before: number;
  occurrence_start: string | null;
  starts_at: string;
}

/** A message about an event for one of its people. */
export type SchedulingContent = Omit<SchedulingMails, 'workspace' | 'id' | 'user_id' | 'to'> & {
  to: SchedulingMails['to'][number];
};

/** The automatic answer of a mailbox to one correspondent, which is written when it is sent. */
export interface AbsenceContent {
  mailbox_id: number;
  to: MailRecipient;
  /** The subject and the id of the message that is answered. */
  subject: string;
  message_id: string;
}

/** The mail with the link for a new password, which is made when it is sent. */
export interface PasswordResetContent {
  /** The page to which the link leads. */
  page: string;
}

/** The mail with the link of an invite, which is written when it is sent: it is stored nowhere. */
export interface InviteContent {
  invite_id: string;
}

/** What is stored of each kind of system mail. */
export interface SystemMailContents {
  absence: AbsenceContent;
  event_reminder: ReminderContent;
  password_reset: PasswordResetContent;
  invite: InviteContent;
  scheduling: SchedulingContent;
}
export type SystemMailKind = keyof SystemMailContents;

export interface SystemMail<Kind extends SystemMailKind = SystemMailKind> {
  kind: Kind;
  /** The account that gets it, or in whose name it is sent. */
  userId: string;
  /** What the mail is about: a second mail with the same subject is not sent. */
  subject: string;
  content: SystemMailContents[Kind];
  /** Not sent after this time (ISO 8601). */
  expiresAt: string;
}

/** Stores a mail that the product writes, with the job that sends it. Does nothing if there is one about the same subject. */
export async function queueSystemMail<Kind extends SystemMailKind>(
  ctx: OperationContext,
  workspaceId: number,
  { kind, userId, subject, content, expiresAt }: SystemMail<Kind>,
): Promise<void> {
  const id = randomUUID();
  const { rows } = await sql`
    insert into system_mails (workspace_id, id, user_id, kind, subject, content, created_at, expires_at)
    values (${workspaceId}, ${id}, ${userId}, ${kind}, ${subject}, ${JSON.stringify(content)}::jsonb, ${ctx.now.toISOString()}, ${expiresAt})
    on conflict (workspace_id, subject) do nothing
    returning id`.execute(ctx.db);
  if (rows.length > 0) await enqueueSystemMail(ctx, { workspace: workspaceId, id, attempt: 0 }, 0);
}

/** Requests the next attempt to send a system mail. */
export async function enqueueSystemMail(
  ctx: OperationContext,
  job: SendSystemMail,
  afterMs: number,
): Promise<void> {
  await enqueue(ctx, sendSystemMailJob, job, { afterMs, priority: PRIORITY });
}

export const systemMailRetention = retentionOfFirmTable({
  kind: 'system_mails',
  keptMs: 30 * DAY_MS,
  since: 'since it was written',
  table: 'system_mails',
  at: 'created_at',
});

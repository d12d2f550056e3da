import type { PushApp, TokenEnvironment } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { BELONGS_TO_WORKSPACE, IS_SUSPENDED, isLiveAt, MAILBOX_READERS, TOKENS } from '../access/policy.ts';
import { DueReminders } from '../calendar/index.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { defineJob, enqueue, jobWrite } from '../platform/jobs/jobs.ts';
import { DAY_MS, MINUTE_MS } from '../platform/process/clock.ts';
import { currentTraceparent } from '../platform/process/trace.ts';

/** Sends all pushes that are due. */
export const sendPushesJob = defineJob('push.send', z.object({}));

/*
 * Pushes are queued by jobs. The transaction that stores a message or a notification only enqueues the job: it writes neither a row
 * per device, nor to the tables of accounts, which on Citus are on another server.
 */

/** Queues the pushes of a message. */
export const queueMailPushesJob = defineJob(
  'push.mail',
  z.object({ workspace: z.int(), message: z.string() }),
);
export const queueNotificationPushesJob = defineJob(
  'push.notifications',
  z.object({ workspace: z.int(), notifications: z.array(z.uuid()), except_session: z.string().optional() }),
);
export const queueReminderPushesJob = defineJob('push.reminders', DueReminders);

/** How long the push service keeps a push for a phone that is offline (G-38). */
const MAIL_EXPIRES_MS = 7 * DAY_MS;
const NOTIFICATION_EXPIRES_MS = DAY_MS;
const TEST_EXPIRES_MS = 60 * MINUTE_MS;

/** Returns the write that enqueues the job that queues pushes for every reader of a message. Only messages in an inbox are pushed. */
export function mailPushWrite(
  ctx: OperationContext,
  workspaceId: number,
  messageId: string,
): RawBuilder<unknown> {
  return jobWrite(ctx, queueMailPushesJob, { workspace: workspaceId, message: messageId });
}

/** Returns the write that enqueues the job that queues the pushes of notifications, for the devices of every session but one. */
export function notificationPushWrite(
  ctx: OperationContext,
  workspaceId: number,
  notifications: string[],
  exceptSession?: string,
): RawBuilder<unknown> {
  const payload = { workspace: workspaceId, notifications, except_session: exceptSession };
  return jobWrite(ctx, queueNotificationPushesJob, payload);
}

/** Queues the pushes of a message, for the devices of every reader (contract §6.1.1, §6.1.5). */
export async function queueMailPushes(
  ctx: OperationContext,
  { workspace, message }: z.infer<typeof queueMailPushesJob.payload>,
): Promise<void> {
  await insertIntoOutbox(
    ctx,
    sql`
    select d.token_id, d.app, 'mail.message', m.id, null::jsonb, ${expiresIn(ctx, MAIL_EXPIRES_MS)}
    from mail_messages m
    join (${sql.raw(MAILBOX_READERS)}) on b.workspace_id = m.workspace_id and b.id = m.mailbox_id and r.notify
    join users u on u.id = r.user_id and lower(u.email) <> lower(m.from_email)
    join tokens t on t.user_id = u.id and t.workspace_id = b.workspace_id and 'mail:read' = any(t.scopes)
    join devices d on d.token_id = t.id and d.app in ('mail', 'admin', 'browser')
    where m.workspace_id = ${workspace} and m.id = ${message} and m.folder = 'inbox' and ${isLiveAt(ctx.now)}`,
  );
}

/** Queues the pushes of notifications, for the `admin` devices of their recipients (contract §6.1.6) and their browsers. */
export async function queueNotificationPushes(
  ctx: OperationContext,
  { workspace, notifications, except_session = '' }: z.infer<typeof queueNotificationPushesJob.payload>,
): Promise<void> {
  await insertIntoOutbox(
    ctx,
    sql`
    select d.token_id, d.app, 'admin.notification', n.id::text, null::jsonb, ${expiresIn(ctx, NOTIFICATION_EXPIRES_MS)}
    from notifications n
    join (${sql.raw(TOKENS)}) on t.user_id = n.user_id and t.workspace_id = n.workspace_id
      and 'admin:read' = any(t.scopes)
    join devices d on d.token_id = t.id and d.app in ('admin', 'browser')
    where n.workspace_id = ${workspace} and n.id = any(${notifications}::uuid[]) and ${mayReceivePushes(ctx)}
      and t.id <> ${except_session}`,
  );
}

/** Queues the pushes of reminders, for the devices of the accounts that set them. */
export async function queueReminderPushes(
  ctx: OperationContext,
  { workspace, due }: DueReminders,
): Promise<void> {
  await insertIntoOutbox(
    ctx,
    sql`
    select d.token_id, d.app, 'calendar.reminder',
      concat_ws(' ', 'event', r.reminder->>'event_id', r.reminder->>'minutes_before',
        coalesce(r.reminder->>'occurrence_start', '-'), r.reminder->>'starts_at'),
      r.reminder, r.expires_at
    from jsonb_to_recordset(${JSON.stringify(due)}::jsonb) as r (user_id text, reminder jsonb, expires_at timestamptz)
    join (${sql.raw(TOKENS)}) on t.user_id = r.user_id and t.workspace_id = ${workspace}
      and 'calendar:read' = any(t.scopes)
    join devices d on d.token_id = t.id and d.app in ('calendar', 'admin', 'browser')
    where ${mayReceivePushes(ctx)}`,
  );
}

/** The devices that get a test push: all of the account, unless narrowed to one app or one session. */
export interface TestPushTarget {
  userId: string;
  app?: PushApp | undefined;
  session?: string | undefined;
  /** Only the devices of tokens of this environment. */
  environment?: TokenEnvironment;
}

/** Queues a test push for each of the devices, and enqueues the job that sends them. Returns their number. */
export async function queueTestPushes(
  ctx: OperationContext,
  { userId, app, session, environment }: TestPushTarget,
): Promise<number> {
  const count = await insertIntoOutbox(
    ctx,
    sql`
    select d.token_id, d.app, 'test', gen_random_uuid()::text, null::jsonb, ${expiresIn(ctx, TEST_EXPIRES_MS)}
    from devices d join (${sql.raw(TOKENS)}) on t.id = d.token_id and t.user_id = ${userId}
    where ${mayReceivePushes(ctx)} and (${app ?? null}::text is null or d.app = ${app ?? null})
      and (${session ?? null}::text is null or d.token_id = ${session ?? null})
      and (${environment ?? null}::text is null or t.environment = ${environment ?? null})`,
  );
  if (count > 0) await enqueue(ctx, sendPushesJob, {}, { key: 'push.send' });
  return count;
}

/** The condition, on {@link TOKENS}, that the token is live, its account belongs to its workspace, and that is not suspended. */
function mayReceivePushes({ now }: OperationContext): RawBuilder<unknown> {
  return sql`${isLiveAt(now)} and ${sql.raw(BELONGS_TO_WORKSPACE)} and not ${sql.raw(IS_SUSPENDED)}`;
}

function expiresIn({ now }: OperationContext, milliseconds: number): RawBuilder<unknown> {
  return sql`${new Date(now.getTime() + milliseconds).toISOString()}::timestamptz`;
}

/**
 * Inserts the rows that a query selects (token, app, type, subject, reminder, expiry), and skips those that exist. Returns how many
 * were inserted. They are due immediately, even if the clock of this process is ahead. A row that is queued again, after a restore
 * of an earlier state, gets the same id, and a phone shows one push per id.
 */
async function insertIntoOutbox(ctx: OperationContext, rows: RawBuilder<unknown>): Promise<number> {
  const moment = sql`${ctx.now.toISOString()}::timestamptz`;
  const { numAffectedRows = 0n } = await sql`
    insert into push_outbox (id, token_id, app, type, subject, reminder, expires_at, due_at, created_at, trace)
    select md5(concat_ws(' ', token_id, app, subject))::uuid, selected.*, least(${moment}, now()), ${moment},
      ${currentTraceparent()}::text
    from (${rows}) selected (token_id, app, type, subject, reminder, expires_at)
    on conflict (token_id, app, subject) do nothing`.execute(ctx.db);
  return Number(numAffectedRows);
}

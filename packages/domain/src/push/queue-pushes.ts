import type { DeviceApp } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { BELONGS_TO_WORKSPACE, isLiveAt, MAILBOX_READERS, TOKENS } from '../access/policy.ts';
import { DAY_MS, MINUTE_MS } from '../platform/clock.ts';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { defineJob, enqueue, enqueueStatement } from '../platform/jobs.ts';
import { deferred } from '../platform/prepared.ts';
import type { ReminderRef } from './outbox.ts';

export const sendPushesJob = defineJob('push.send', z.object({}));
export const queueMailPushesJob = defineJob('push.mail', z.object({ message: z.string() }));

/** How long the push service keeps a push for a phone that is offline (G-38). */
const MAIL_EXPIRES_MS = 7 * DAY_MS;
const NOTIFICATION_EXPIRES_MS = DAY_MS;
const TEST_EXPIRES_MS = 60 * MINUTE_MS;

/** Enqueues the job that queues pushes for every reader of a message. Only messages in an inbox are pushed. */
export async function enqueueMailPushJob(ctx: OperationContext, messageId: string): Promise<void> {
  await enqueue(ctx, queueMailPushesJob, { message: messageId });
}

/** Queues the pushes of a message, for the devices of every reader (contract §6.1.1, §6.1.5). */
export async function queueMailPushes(ctx: OperationContext, messageId: string): Promise<void> {
  await insertIntoOutbox(
    ctx,
    sql`
    select d.token_id, d.app, 'mail.message', m.id, null::jsonb, ${expiresIn(ctx, MAIL_EXPIRES_MS)}
    from mail_messages m
    join (${sql.raw(MAILBOX_READERS)}) on b.id = m.mailbox_id and r.notify
    join users u on u.id = r.user_id and lower(u.email) <> lower(m.from_email)
    join tokens t on t.user_id = u.id and t.workspace_id = b.workspace_id and 'mail:read' = any(t.scopes)
    join devices d on d.token_id = t.id and d.app in ('mail', 'admin')
    where m.id = ${messageId} and m.folder = 'inbox' and ${isLiveAt(ctx.now)}`,
  );
}

/** Queues the pushes of notifications, for the `admin` devices of their recipients (contract §6.1.6). */
export async function queueNotificationPushes(
  ctx: OperationContext,
  notificationIds: readonly string[],
): Promise<void> {
  await insertIntoOutbox(
    ctx,
    sql`
    select d.token_id, d.app, 'admin.notification', n.id::text, null::jsonb, ${expiresIn(ctx, NOTIFICATION_EXPIRES_MS)}
    from notifications n
    join (${sql.raw(TOKENS)}) on t.user_id = n.user_id and t.workspace_id = n.workspace_id
      and 'admin:read' = any(t.scopes)
    join devices d on d.token_id = t.id and d.app = 'admin'
    where ${mayReceivePushes(ctx)} and n.id = any(${notificationIds}::uuid[])`,
  );
}

/** A due reminder of an occurrence, for one account. */
export interface DueReminder {
  user_id: string;
  workspace_id: number;
  reminder: ReminderRef;
  expires_at: string;
}

/** Queues the pushes of reminders, for the devices of the accounts that set them. */
export async function queueReminderPushes(ctx: OperationContext, due: readonly DueReminder[]): Promise<void> {
  await insertIntoOutbox(
    ctx,
    sql`
    select d.token_id, d.app, 'calendar.reminder',
      concat_ws(' ', 'event', r.reminder->>'event_id', r.reminder->>'minutes_before',
        coalesce(r.reminder->>'occurrence_start', '-'), r.reminder->>'starts_at'),
      r.reminder, r.expires_at
    from jsonb_to_recordset(${JSON.stringify(due)}::jsonb)
      as r (user_id text, workspace_id integer, reminder jsonb, expires_at timestamptz)
    join (${sql.raw(TOKENS)}) on t.user_id = r.user_id and t.workspace_id = r.workspace_id
      and 'calendar:read' = any(t.scopes)
    join devices d on d.token_id = t.id and d.app in ('calendar', 'admin')
    where ${mayReceivePushes(ctx)}`,
  );
}

/** The devices that get a test push: all of the account, unless narrowed to one app or one session. */
export interface TestPushTarget {
  userId: string;
  app?: DeviceApp | undefined;
  session?: string | undefined;
}

/** Queues a test push for each of the devices. Returns their number. */
export async function queueTestPushes(
  ctx: OperationContext,
  { userId, app, session }: TestPushTarget,
): Promise<number> {
  const { rows } = await outboxStatement(
    ctx,
    sql`
    select d.token_id, d.app, 'test', gen_random_uuid()::text, null::jsonb, ${expiresIn(ctx, TEST_EXPIRES_MS)}
    from devices d join (${sql.raw(TOKENS)}) on t.id = d.token_id and t.user_id = ${userId}
    where ${mayReceivePushes(ctx)} and (${app ?? null}::text is null or d.app = ${app ?? null})
      and (${session ?? null}::text is null or d.token_id = ${session ?? null})`,
  ).execute(sqlOf(ctx.em));
  return (rows[0] as { count: number }).count;
}

/** The condition, on {@link TOKENS}, that the token is live and its account belongs to its workspace. */
function mayReceivePushes({ now }: OperationContext): RawBuilder<unknown> {
  return sql`${isLiveAt(now)} and ${sql.raw(BELONGS_TO_WORKSPACE)}`;
}

function expiresIn({ now }: OperationContext, milliseconds: number): RawBuilder<unknown> {
  return sql`${new Date(now.getTime() + milliseconds).toISOString()}::timestamptz`;
}

/**
 * Inserts the rows that a query selects (token, app, type, subject, reminder, expiry), skips those that exist, and enqueues the job
 * that sends them if there are any. They are due immediately, even if the clock of this process is ahead.
 */
async function insertIntoOutbox(ctx: OperationContext, rows: RawBuilder<unknown>): Promise<void> {
  await sql`${deferred} ${outboxStatement(ctx, rows)}`.execute(sqlOf(ctx.em));
}

/** Returns the statement of {@link insertIntoOutbox}. */
function outboxStatement(ctx: OperationContext, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  const moment = sql`${ctx.now.toISOString()}::timestamptz`;
  const job = enqueueStatement(ctx, sendPushesJob, {}, {}, sql`exists (select from inserted)`);
  return sql`
    with inserted as (
      insert into push_outbox (token_id, app, type, subject, reminder, expires_at, due_at, created_at)
      select selected.*, least(${moment}, now()), ${moment} from (${rows}) selected
      on conflict (token_id, app, subject) do nothing
      returning 1
    ), job as (${job})
    select count(*)::integer as count from inserted`;
}

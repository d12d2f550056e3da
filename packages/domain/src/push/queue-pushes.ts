import type { DeviceApp } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { BELONGS, isLiveAt, MAILBOX_READERS, TOKENS } from '../access/policy.ts';
import { DAY_MS, MINUTE_MS } from '../platform/clock.ts';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { defineJob, enqueue } from '../platform/jobs.ts';
import type { ReminderRef } from './outbox.ts';

export const sendPushesJob = defineJob('push.send', z.object({}));
export const queueMailPushesJob = defineJob('push.mail', z.object({ message: z.string() }));

/** How long a phone that is away may get it later (G-38). */
const MAIL_EXPIRES_MS = 7 * DAY_MS;
const NOTIFICATION_EXPIRES_MS = DAY_MS;
const TEST_EXPIRES_MS = 60 * MINUTE_MS;

/** A message landed in a mailbox: a job tells its readers, however many they are. Inboxes alone are told of. */
export async function enqueueMailPushJob(ctx: OperationContext, messageId: string): Promise<void> {
  await enqueue(ctx, queueMailPushesJob, { message: messageId });
}

/** Puts a message into the outbox for every reader's device (contract §6.1.1, §6.1.5). */
export async function queueMailPushes(ctx: OperationContext, messageId: string): Promise<void> {
  await queue(
    ctx,
    sql`
    select d.token_id, d.app, 'mail.message', m.id, null::jsonb, ${after(ctx, MAIL_EXPIRES_MS)}
    from mail_messages m
    join (${sql.raw(MAILBOX_READERS)}) on b.id = m.mailbox_id and r.notify
    join users u on u.id = r.user_id and lower(u.email) <> lower(m.from_email)
    join tokens t on t.user_id = u.id and t.workspace_id = b.workspace_id and 'mail:read' = any(t.scopes)
    join devices d on d.token_id = t.id and d.app in ('mail', 'admin')
    where m.id = ${messageId} and m.folder = 'inbox' and ${isLiveAt(ctx.now)}`,
  );
}

/** Puts notifications into the outbox for the administrator's devices of those who got them (contract §6.1.6). */
export async function queueNotificationPushes(
  ctx: OperationContext,
  notificationIds: readonly string[],
): Promise<void> {
  await queue(
    ctx,
    sql`
    select d.token_id, d.app, 'admin.notification', n.id::text, null::jsonb, ${after(ctx, NOTIFICATION_EXPIRES_MS)}
    from notifications n
    join (${sql.raw(TOKENS)}) on t.user_id = n.user_id and t.workspace_id = n.workspace_id
      and 'admin:read' = any(t.scopes)
    join devices d on d.token_id = t.id and d.app = 'admin'
    where ${mayReceivePushes(ctx)} and n.id = any(${notificationIds}::uuid[])`,
  );
}

/** A reminder of one person's, of an occurrence. */
export interface DueReminder {
  user_id: string;
  workspace_id: number;
  reminder: ReminderRef;
  expires_at: string;
}

/** Puts reminders into the outbox for the devices of those who set them. */
export async function queueReminderPushes(ctx: OperationContext, due: readonly DueReminder[]): Promise<void> {
  await queue(
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

export interface TestPushTarget {
  userId: string;
  app?: DeviceApp | undefined;
  session?: string | undefined;
}

/** Puts a test into the outbox for a person's devices: all, of one app, of one session. Returns how many there are. */
export function queueTestPushes(
  ctx: OperationContext,
  { userId, app, session }: TestPushTarget,
): Promise<number> {
  return queue(
    ctx,
    sql`
    select d.token_id, d.app, 'test', gen_random_uuid()::text, null::jsonb, ${after(ctx, TEST_EXPIRES_MS)}
    from devices d join (${sql.raw(TOKENS)}) on t.id = d.token_id and t.user_id = ${userId}
    where ${mayReceivePushes(ctx)} and (${app ?? null}::text is null or d.app = ${app ?? null})
      and (${session ?? null}::text is null or d.token_id = ${session ?? null})`,
  );
}

/** Of {@link TOKENS}: the session lives, and its account belongs to its workspace. */
function mayReceivePushes({ now }: OperationContext): RawBuilder<unknown> {
  return sql`${isLiveAt(now)} and ${sql.raw(BELONGS)}`;
}

function after({ now }: OperationContext, milliseconds: number): RawBuilder<unknown> {
  return sql`${new Date(now.getTime() + milliseconds).toISOString()}::timestamptz`;
}

/**
 * Selected are: token, app, type, subject, reminder, expiry. What a device has been told of already is left out. Due at
 * once, even where our clock is ahead of the others’.
 */
async function queue(ctx: OperationContext, rows: RawBuilder<unknown>): Promise<number> {
  const moment = sql`${ctx.now.toISOString()}::timestamptz`;
  const { numAffectedRows = 0n } = await sql`
    insert into push_outbox (token_id, app, type, subject, reminder, expires_at, due_at, created_at)
    select selected.*, least(${moment}, now()), ${moment} from (${rows}) selected
    on conflict (token_id, app, subject) do nothing`.execute(sqlOf(ctx.em));
  if (numAffectedRows > 0n) await enqueue(ctx, sendPushesJob, {});
  return Number(numAffectedRows);
}

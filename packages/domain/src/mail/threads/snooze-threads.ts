import { MAX_SNOOZE_DAYS, type SnoozeThreadsInput } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { OperationContext } from '../../platform/database/context.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { defineJob, enqueue } from '../../platform/jobs/jobs.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import { invalidField } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import type { ReaderContext } from '../mailboxes/mailbox-access.ts';
import { publishMail } from '../streams/publish-mail.ts';
import { lockThreads } from './lock-threads.ts';
import { markRead } from './mark-threads.ts';

/** Shows a conversation in the inbox again at the end of its snooze. */
export const wakeThreadJob = defineJob(
  'mail.wake',
  z.object({ workspace: z.int(), thread: z.int(), until: z.string() }),
);

/**
 * Leaves conversations out of the inbox of the console until a time, or until a message comes. Without a time, ends this. Returns how many it
 * found. Throws `validation_failed` for a time that is past or more than {@link MAX_SNOOZE_DAYS} ahead.
 */
export async function snoozeThreads(
  ctx: ReaderContext,
  input: z.infer<typeof SnoozeThreadsInput>,
): Promise<number> {
  const { db, workspace, now } = ctx;
  const until = input.until === null ? null : new Date(input.until).toISOString();
  const afterMs = until === null ? 0 : Date.parse(until) - now.getTime();
  if (until !== null && afterMs <= 0) throw invalidField('until', 'must be in the future');
  if (afterMs > MAX_SNOOZE_DAYS * DAY_MS)
    throw invalidField('until', `must be at most ${MAX_SNOOZE_DAYS} days ahead`);
  const found = await lockThreads(ctx, input.threads);
  await sql`update mail_threads set snoozed_until = ${until}
    where workspace_id = ${workspace.id} and id = any(${found.map(({ id }) => id)}::bigint[])`.execute(db);
  for (const { id } of until === null ? [] : found) await requestThreadWake(ctx, workspace.id, id, until!);
  await publishMail(
    ctx,
    workspace.id,
    found.map(({ mailbox_id }) => mailbox_id),
  );
  return found.length;
}

/** Wakes a conversation of the firm when its snooze ends, at once if it has. */
export async function requestThreadWake(
  ctx: OperationContext,
  workspace: number,
  thread: number,
  until: string,
): Promise<void> {
  const afterMs = Date.parse(until) - ctx.now.getTime();
  await enqueue(
    ctx,
    wakeThreadJob,
    { workspace, thread, until },
    { key: `mail.wake:${workspace}:${thread}`, afterMs },
  );
}

/** Handles {@link wakeThreadJob}: marks the conversation unread. Does nothing if its snooze was ended or replaced. */
export async function wakeThread(
  services: Services,
  { workspace, thread, until }: z.infer<(typeof wakeThreadJob)['payload']>,
): Promise<void> {
  await withTransaction(services, async (ctx) => {
    const mailbox = await endSnooze(ctx, workspace, thread, until);
    if (mailbox === null) return;
    await markRead({ db: ctx.db, workspace: { id: workspace } }, [thread], false);
    await publishMail(ctx, workspace, [mailbox]);
  });
}

/** Ends the snooze of a conversation until a time. Returns its mailbox; null if there was none. */
async function endSnooze(
  { db }: OperationContext,
  workspaceId: number,
  thread: number,
  until: string,
): Promise<number | null> {
  const { rows } = await sql<{ mailbox_id: number }>`
    update mail_threads set snoozed_until = null
    where workspace_id = ${workspaceId} and id = ${thread} and snoozed_until = ${until}
    returning mailbox_id`.execute(db);
  return rows[0]?.mailbox_id ?? null;
}

/** Returns the write, for `executeWrites`, that ends the snooze of a conversation if there is one. */
export function snoozeEnd(workspaceId: number, thread: number): RawBuilder<unknown> {
  return sql`
    update mail_threads set snoozed_until = null
    where workspace_id = ${workspaceId} and id = ${thread} and snoozed_until is not null`;
}

import { MAX_THREAD_TAGS } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import type { MailboxRef } from '../mailboxes/mailbox-directory.ts';
import { forwardMailJob } from './forward-job.ts';
import type { RuleOutcome } from './mail-rule.ts';

/** Does with a message that was just stored what the rules of its mailbox say, beside its folder. */
export async function applyRules(
  ctx: OperationContext,
  { workspaceId, mailboxId }: MailboxRef,
  message: { id: string; thread_id: number },
  { isStarred, tags, forwards }: RuleOutcome,
): Promise<void> {
  const { db } = ctx;
  const { id, thread_id: thread } = message;
  if (isStarred) {
    await sql`
      update mail_threads set is_starred = true where workspace_id = ${workspaceId} and id = ${thread}`.execute(
      db,
    );
  }
  if (tags.length > 0) {
    const { rows } = await sql<{ workspace_id: number; thread_id: number; tag_id: number }>`
      select t.workspace_id, ${thread}::bigint as thread_id, t.id as tag_id from tags t
      where t.workspace_id = ${workspaceId} and t.id = any(${tags}::integer[]) and t.deleted_at is null
      order by t.id
      limit greatest(0, ${MAX_THREAD_TAGS}::integer - (
        select count(*) from mail_thread_tags x where x.workspace_id = ${workspaceId} and x.thread_id = ${thread}))`.execute(
      db,
    );
    // On Citus, `insert … select` commits in two phases.
    if (rows.length > 0) {
      await db
        .insertInto('mail_thread_tags')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }
  for (const { to, userId } of forwards)
    await enqueue(ctx, forwardMailJob, {
      workspace: workspaceId,
      mailbox: mailboxId,
      message: id,
      to,
      user: userId,
    });
}

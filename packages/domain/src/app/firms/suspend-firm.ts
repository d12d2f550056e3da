import { PLATFORM } from '@firmdesk/contract';
import { sql } from 'kysely';
import { recordAudit } from '../../access/audit/audit.ts';
import { THIS_TRANSACTION } from '../../access/tokens/token-rights.ts';
import { slugIn } from '../../access/workspaces/sandbox.ts';
import type { Workspace } from '../../access/workspaces/workspace.entity.ts';
import { getFirm } from '../../access/workspaces/workspaces.ts';
import { failCommandsOfResumed } from '../../assistant/runs/resumed-commands.ts';
import { returnDelayedOfResumed } from '../../mail/sending/return-delayed.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { sendSignal } from '../../platform/events/signals/send-signal.ts';
import { enqueue, JOBS_REQUESTED } from '../../platform/jobs/jobs.ts';
import { invalidField } from '../../platform/process/errors.ts';
import { sendPushesJob } from '../../push/queue-pushes.ts';
import { stopBulkChangesOfResumed } from '../../tickets/bulk/run-bulk-change.ts';
import { keepDelayedOfResumed } from '../../tickets/messages/delayed-sends.ts';

/**
 * Suspends a firm, and with it its sandbox: its calls and those of staff in it are refused, its sockets are closed, its jobs and pushes wait. Nothing is
 * deleted, and what the platform's other parts deliver is stored.
 */
export async function suspendFirm(
  ctx: OperationContext,
  slug: string,
  after?: { reason: string },
): Promise<Workspace> {
  const firm = await getFirm(ctx, slug);
  if (firm.slug === PLATFORM) throw invalidField('slug', 'must be a firm');
  if (firm.suspendedAt) return firm;
  firm.suspendedAt = ctx.now;
  await ctx.em.flush();
  await markTokens(ctx, firm.id);
  await recordAudit(ctx, firm.id, {
    action: 'firm.suspended',
    target: { type: 'firm', id: slug },
    ...(after && { after }),
  });
  return firm;
}

/** Resumes a suspended firm: its waiting jobs and pushes run now, except what accounts had begun before. */
export async function resumeFirm(
  ctx: OperationContext,
  slug: string,
  after?: { reason: string },
): Promise<Workspace> {
  const firm = await getFirm(ctx, slug);
  if (!firm.suspendedAt) throw invalidField('slug', 'must be a suspended firm');
  if (firm.deletionStartedAt) throw invalidField('slug', 'must be a firm whose deletion has not begun');
  firm.suspendedAt = null;
  await ctx.em.flush();
  await markTokens(ctx, firm.id);
  await stopInterrupted(ctx, firm.id);
  await sql`
    update push_outbox set due_at = least(due_at, ${ctx.now.toISOString()}::timestamptz)
    where state = 'waiting' and token_id in (
      select t.id from tokens t join workspaces w on w.id = t.workspace_id
      where ${firm.id} in (w.id, w.sandbox_of))`.execute(ctx.db);
  await enqueue(ctx, sendPushesJob, {}, { key: 'push.send' });
  sendSignal(ctx, JOBS_REQUESTED, firm.id);
  await recordAudit(ctx, firm.id, {
    action: 'firm.resumed',
    target: { type: 'firm', id: slug },
    ...(after && { after }),
  });
  return firm;
}

/** Ends what a suspension has interrupted: nobody expects that a reply is sent, a command answered, or thousands of tickets changed, days later. */
async function stopInterrupted(ctx: OperationContext, firmId: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from workspaces where ${firmId} in (id, sandbox_of) order by id`.execute(ctx.db);
  const ids = rows.map(({ id }) => id);
  await keepDelayedOfResumed(ctx, ids);
  await failCommandsOfResumed(ctx, ids);
  await stopBulkChangesOfResumed(ctx, ids);
  await returnDelayedOfResumed(ctx, ids);
}

/** Records that the rights of the firm's tokens and of staff tokens have changed, so that gateways check their sockets. */
async function markTokens({ db }: OperationContext, workspaceId: number): Promise<void> {
  await sql`
    update tokens set rights_changed_in = ${THIS_TRANSACTION}
    where revoked_at is null and workspace_id = any(array(
      select id from workspaces where ${workspaceId} in (id, sandbox_of) or slug in (${PLATFORM}, ${slugIn('test', PLATFORM)})))`.execute(
    db,
  );
}

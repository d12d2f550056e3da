import { PLATFORM, type SignInMethod } from '@firmdesk/contract';
import { sql } from 'kysely';
import { type AuditAction, recordAudit } from '../access/audit/audit.ts';
import { getWorkspace } from '../access/workspaces/workspaces.ts';
import { networkOf } from '../platform/address-key.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { withTransaction } from '../platform/database/transaction.ts';
import { MINUTE_MS } from '../platform/process/clock.ts';
import { delay } from '../platform/process/delay.ts';
import type { Services } from '../platform/services.ts';
import type { CallContext } from '../procedures/call-context.ts';

/** Refused passwords of an account that are recorded in an hour. */
const MAX_REFUSED_PER_HOUR = 10;
/** How long after its call a refused password is recorded. */
const RECORDED_AFTER_MS = 1_000;

/** Records a new session in the audit trail of its firm, with the network from which it was opened. */
export async function recordSignIn(
  ctx: CallContext,
  {
    userId,
    workspaceId,
    session,
    method,
  }: { userId: string; workspaceId: number; session: string; method: SignInMethod | null },
): Promise<void> {
  await recordAudit({ ...ctx, actor: { kind: 'account', id: userId } }, workspaceId, {
    action: 'user.signed_in',
    target: { type: 'user', id: userId },
    after: { session, method, network: networkOf(ctx.call.ip) },
  });
}

/**
 * Records that an account's password was refused, in a transaction of its own: that of the call does not commit. It happens after the
 * call, so that one for an account that does not exist, of which nothing is recorded, takes as long and sends as many statements.
 */
export function recordRefusedPassword(
  services: Services,
  action: Extract<AuditAction, `user.${string}_failed`>,
  { userId, address }: { userId: string; address: string },
): void {
  const now = services.clock.now();
  const record = async (later: OperationContext) => {
    const ctx = { ...later, now };
    const { id: platform } = await getWorkspace(ctx, PLATFORM);
    const since = new Date(ctx.now.getTime() - 60 * MINUTE_MS).toISOString();
    const { rows } = await sql<{ recent: number }>`
      select count(*)::integer as recent from (
        select created_at from audit_events where workspace_id = ${platform} and target_id = ${userId} and action = ${action}
        order by id desc limit ${MAX_REFUSED_PER_HOUR}) as e
      where created_at > ${since}`.execute(ctx.db);
    if (rows[0]!.recent >= MAX_REFUSED_PER_HOUR) return;
    const after = { network: networkOf(address) };
    await recordAudit(ctx, platform, { action, target: { type: 'user', id: userId }, after });
  };
  delay(RECORDED_AFTER_MS)
    .then(() => withTransaction(services, record))
    .catch((err: unknown) =>
      services.log.error({ err, account: userId }, 'a refused password is not in the audit trail'),
    );
}

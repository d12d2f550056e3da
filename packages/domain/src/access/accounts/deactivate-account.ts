import type { OperationContext } from '../../platform/database/context.ts';
import { invalidField } from '../../platform/process/errors.ts';
import { recordPlatformAudit } from '../audit/audit.ts';
import { revokeTokens } from '../tokens/revoke-tokens.ts';
import { lockAccount } from './lock-account.ts';
import { getUser } from './users.ts';

/**
 * Deactivates an account in all workspaces: revokes its tokens, which ends its push registrations and closes its sockets, and refuses
 * its sign-in. It keeps its memberships, and a second call only revokes tokens. Returns the ids of the revoked tokens.
 */
export async function deactivateAccount(
  ctx: OperationContext,
  reference: string,
): Promise<{ id: string; revoked: string[] }> {
  const user = await getUser(ctx, reference);
  // Waits for a concurrent sign-in, so that its token is revoked too.
  await lockAccount(ctx, user.id, 'exclusive');
  const wasActive = user.deactivatedAt === null;
  user.deactivatedAt ??= ctx.now;
  await ctx.em.flush();
  const revoked = await revokeTokens(ctx, { userId: user.id, anyKind: true });
  if (wasActive || revoked.length > 0)
    await recordPlatformAudit(ctx, {
      action: 'user.deactivated',
      target: { type: 'user', id: user.id },
      after: { revoked },
    });
  return { id: user.id, revoked };
}

/** Lets a deactivated account sign in again. Its tokens stay revoked. */
export async function reactivateAccount(ctx: OperationContext, reference: string): Promise<{ id: string }> {
  const user = await getUser(ctx, reference);
  if (!user.deactivatedAt) throw invalidField('user', 'must be a deactivated account');
  user.deactivatedAt = null;
  await ctx.em.flush();
  await recordPlatformAudit(ctx, { action: 'user.reactivated', target: { type: 'user', id: user.id } });
  return { id: user.id };
}

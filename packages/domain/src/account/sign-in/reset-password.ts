import type { PasswordReset, PasswordResetRequested, ResetPasswordInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { lockAccount } from '../../access/accounts/lock-account.ts';
import { hashPassword } from '../../access/accounts/password.ts';
import { proveAddress } from '../../access/accounts/prove-address.ts';
import { recordPlatformAudit } from '../../access/audit/audit.ts';
import { IS_ENABLED } from '../../access/policy.ts';
import { endChallenges, findChallenge, takeChallenge } from '../../access/sign-in/challenges.ts';
import { listPasskeys, removePasskeys } from '../../access/sign-in/passkeys.ts';
import { revokeTokens } from '../../access/tokens/revoke-tokens.ts';
import { findSignInWorkspaces } from '../../access/tokens/sign-in-workspaces.ts';
import { queueSystemMail } from '../../mail/index.ts';
import { networkOf } from '../../platform/address-key.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import { delay } from '../../platform/process/delay.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { CallContext } from '../../procedures/call-context.ts';
import { notifySecurityChange } from '../notify-security-change.ts';

/** Mails that an account gets in an hour. */
const MAX_MAILS_PER_HOUR = 5;
/** A mail that leaves later than this is not sent: its link is as old as it. */
const LATE_MS = 60 * MINUTE_MS;
/** How long after its call a request is looked at. */
const LOOKED_UP_AFTER_MS = 1_000;

/**
 * Counts the request as a sign-in of its address. Throws `rate_limited`, for unknown accounts too. The account is not delayed: strangers could otherwise
 * keep its owner from a new password. {@link MAX_MAILS_PER_HOUR} limits what it gets.
 */
export async function prepareResetRequest(
  { services, call }: CallContext,
  { email }: { email: string },
): Promise<void> {
  const counted = await services.limits.signIn({
    ip: call.ip,
    email: `reset ${email.toLowerCase()}`,
    device: null,
  });
  counted();
}

/**
 * Requests a mail with a link for a new password. The account is looked up after the call, so that one for an unknown account takes as long and
 * gets the same answer.
 */
export function requestPasswordReset(
  { services, call }: CallContext,
  { email }: { email: string },
): z.infer<typeof PasswordResetRequested> {
  delay(LOOKED_UP_AFTER_MS)
    .then(() => withTransaction(services, (ctx) => queueResetMail(ctx, email, call.ip)))
    .catch((err: unknown) => services.log.error({ err }, 'a mail for a new password was not queued'));
  return { object: 'password_reset_requested' };
}

/** Queues the mail, in the name of the first firm to which the account may sign in. An account without any, or with too many mails, gets none. */
export async function queueResetMail(ctx: OperationContext, email: string, address: string): Promise<void> {
  const { rows } = await sql<{ id: string; isStaff: boolean }>`
    select u.id, u.is_staff as "isStaff" from users u
    where lower(u.email) = lower(${email}) and ${sql.raw(IS_ENABLED)}`.execute(ctx.db);
  const [user] = rows;
  if (!user) return;
  await lockAccount(ctx, user.id, 'exclusive');
  const firm = (await findSignInWorkspaces(ctx, user)).find(({ isSuspended }) => !isSuspended);
  if (!firm) return;
  const since = new Date(ctx.now.getTime() - 60 * MINUTE_MS).toISOString();
  const recent = await sql`
    select from outgoing_messages
    where workspace_id = ${firm.id} and user_id = ${user.id} and kind = 'password_reset' and send_at > ${since}
    limit ${MAX_MAILS_PER_HOUR}`.execute(ctx.db);
  if (recent.rows.length >= MAX_MAILS_PER_HOUR) return;
  await queueSystemMail(ctx, firm.id, {
    kind: 'password_reset',
    userId: user.id,
    about: `password reset ${user.id} ${ctx.now.toISOString()}`,
    content: { page: `${ctx.services.publicUrl()}/reset-password` },
    sendUntil: new Date(ctx.now.getTime() + LATE_MS).toISOString(),
  });
  await recordPlatformAudit(ctx, {
    action: 'user.password_reset_requested',
    target: { type: 'user', id: user.id },
    after: { network: networkOf(address) },
  });
}

type Input = z.output<typeof ResetPasswordInput>;

/** Looks up the link before it computes the hash of the password, which takes a core for a moment. Throws `rate_limited`, `challenge_expired`. */
export async function preparePasswordReset(ctx: CallContext, input: Input): Promise<PreparedReset> {
  await ctx.services.limits.signInStart(ctx.call.ip);
  const { userId } = await findChallenge(ctx, 'password_reset', input.link);
  if (userId === null) throw new ApiError('challenge_expired');
  return { userId, hash: await hashPassword(input.new_password) };
}

interface PreparedReset {
  userId: string;
  /** Of the new password. */
  hash: string;
}

/**
 * Sets a new password by a link, which ends with it, and all sessions of the account. Opens no session: a second factor is still asked for. Returns
 * the passkeys, which open the account as before unless they are removed too.
 */
export async function resetPassword(
  ctx: CallContext & { prepared: PreparedReset },
  { link, remove_passkeys }: Input,
): Promise<z.infer<typeof PasswordReset>> {
  const { userId } = ctx.prepared;
  await lockAccount(ctx, userId, 'exclusive');
  await takeChallenge(ctx, 'password_reset', link);
  await proveAddress(ctx, userId);
  const { rows } = await sql`
    update users u set password_hash = ${ctx.prepared.hash} where u.id = ${userId} and ${sql.raw(IS_ENABLED)}
    returning u.id`.execute(ctx.db);
  if (rows.length === 0) throw new ApiError('challenge_expired');
  await endChallenges(ctx, userId);
  const ended = await revokeTokens(ctx, { userId });
  const removed = remove_passkeys ? await removePasskeys(ctx, userId) : 0;
  const network = networkOf(ctx.call.ip);
  await recordPlatformAudit(
    { ...ctx, actor: { kind: 'account', id: userId } },
    {
      action: 'user.password_reset',
      target: { type: 'user', id: userId },
      after: { signed_out: ended.length, ...(removed > 0 && { passkeys_removed: removed }), network },
    },
  );
  await notifySecurityChange(ctx, { userId, change: 'password_reset', network });
  return { object: 'password_reset', passkeys: await listPasskeys(ctx, userId) };
}

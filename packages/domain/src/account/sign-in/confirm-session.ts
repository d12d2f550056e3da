import {
  type ConfirmSessionInput,
  FRESH_SIGN_IN_MINUTES,
  type SessionConfirmed,
  type SignInMethod,
} from '@firmdesk/contract';
import type { z } from 'zod';
import { verifyPassword } from '../../access/accounts/password.ts';
import { usePasskey } from '../../access/sign-in/passkeys.ts';
import { useCode, type VerifiedCode } from '../../access/sign-in/second-factor.ts';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { recordRefusedPassword } from '../audit-sign-in.ts';
import { lockDevice } from '../sessions/lock-device.ts';
import { recordChange } from './record-change.ts';
import { hasSecondFactor, verifySecondFactor } from './verify-second-factor.ts';

type Input = z.output<typeof ConfirmSessionInput>;
/** How the caller has proved who it is; a passkey is verified in the transaction. */
type Proof = { method: SignInMethod; code?: VerifiedCode };

/** Verifies the password or the code, before the transaction. With a second factor, a password does not suffice. */
export async function prepareConfirmation(ctx: AccountContext, input: Input): Promise<Proof> {
  const { services, identity, call } = ctx;
  const { user } = identity;
  if (identity.kind !== 'device') throw new ApiError('forbidden', { message: 'An API key is no session.' });
  if (input.passkey !== undefined) return { method: 'passkey' };
  if (input.code !== undefined)
    return {
      method: 'code',
      code: await verifySecondFactor(ctx, user.id, input.code, {
        session: identity.tokenId,
        device: null,
        challenge: null,
      }),
    };
  if (await hasSecondFactor(ctx, user.id))
    throw invalidField('password', 'does not suffice: the account has a second factor. Send a code');
  const succeeded = await services.limits.signIn({ ip: call.ip, email: user.email, device: user.id });
  const verified = await verifyPassword(input.password!, call.ip, async () => {
    const { rows } = await services.pool.query<{ password_hash: string | null }>(
      'select password_hash from users where id = $1',
      [user.id],
    );
    return rows[0]?.password_hash ?? null;
  });
  if (verified === null) {
    recordRefusedPassword(services, 'user.sign_in_failed', { userId: user.id, address: call.ip });
    throw invalidField('password', 'is not the password of this account');
  }
  succeeded();
  return { method: 'password' };
}

/** Makes the caller's session fresh. One that a firm's provider has opened becomes one by the account's own means. */
export async function confirmSession(
  ctx: AccountContext & { prepared: Proof },
  input: Input,
): Promise<z.infer<typeof SessionConfirmed>> {
  const { db, now, identity, prepared } = ctx;
  // Exclusive, because it changes the session: two calls that share the lock would wait for each other.
  await lockDevice(ctx, 'exclusive');
  if (prepared.code) await useCode(ctx, identity.user.id, prepared.code);
  if (input.passkey) await usePasskey(ctx, input.passkey, identity.user.id);
  await db
    .updateTable('tokens')
    .set({
      verified_at: now,
      ...(identity.signIn.method === 'provider' && { signed_in_by: prepared.method }),
    })
    .where('id', '=', identity.tokenId)
    .execute();
  await recordChange(ctx, 'user.session_confirmed', { method: prepared.method, session: identity.tokenId });
  const until = new Date(now.getTime() + FRESH_SIGN_IN_MINUTES * MINUTE_MS);
  return { object: 'session_confirmed', fresh_until: until.toISOString() };
}

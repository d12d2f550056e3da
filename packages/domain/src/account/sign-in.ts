import type { SignedIn, SignInInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { lockAccount } from '../access/accounts/lock-account.ts';
import { verifyPassword } from '../access/accounts/password.ts';
import { findPassword } from '../access/accounts/users.ts';
import { createChallenge, findChallenge, takeChallenge } from '../access/sign-in/challenges.ts';
import { useCode, type VerifiedCode } from '../access/sign-in/second-factor.ts';
import { ApiError, invalidField } from '../platform/process/errors.ts';
import type { Services } from '../platform/services.ts';
import type { CallContext } from '../procedures/call-context.ts';
import { recordRefusedPassword } from './audit-sign-in.ts';
import { createDeviceProof, verifyDeviceProof } from './device-proof.ts';
import type { SessionResult } from './sessions/session-cookie.ts';
import { openDeviceSession } from './sign-in/open-device-session.ts';
import { hasSecondFactor, verifySecondFactor } from './sign-in/verify-second-factor.ts';

type Input = z.infer<typeof SignInInput>;

/** What was verified before the transaction. */
interface Verified {
  userId: string;
  /** The hash against which the password was verified; null if a challenge stands for it. */
  passwordHash: string | null;
  code: VerifiedCode | null;
  /** The proof that the device has signed in before, for later sign-ins. */
  device: string;
}

/**
 * Counts the attempt and verifies the password, or the challenge that stands for one, and the code of a second factor, before the
 * transaction. Throws `rate_limited`, `invalid_credentials`, `second_factor_required`, `invalid_code`, `challenge_expired`.
 */
export async function prepareSignIn(ctx: CallContext, input: Input): Promise<Verified> {
  const { services, call } = ctx;
  if (input.challenge !== undefined) {
    await services.limits.signInStart(call.ip);
    const { userId, content } = await findChallenge<{ email: string }>(ctx, 'second_factor', input.challenge);
    if (input.code === undefined) throw invalidField('code', 'must be present with a challenge');
    const known = await knownDevice(services, content.email, input.device);
    const from = { session: null, device: known, challenge: input.challenge };
    const code = await verifySecondFactor(ctx, userId!, input.code, from);
    const device = await createDeviceProof(services, content.email);
    return { userId: userId!, passwordHash: null, code, device };
  }
  const email = lowerCaseLikeDatabase(input.email!);
  const known = await knownDevice(services, email, input.device);
  const succeeded = await services.limits.signIn({ ip: call.ip, email, device: known });
  let userId = '';
  const passwordHash = await verifyPassword(input.password!, call.ip, async () => {
    const account = await findPassword(services, email);
    userId = account?.id ?? '';
    return account?.password_hash ?? null;
  });
  if (passwordHash === null) {
    if (userId !== '') recordRefusedPassword(services, 'user.sign_in_failed', { userId, address: call.ip });
    throw new ApiError('invalid_credentials');
  }
  succeeded();
  let code: VerifiedCode | null = null;
  if (await hasSecondFactor(ctx, userId)) {
    if (input.code === undefined) {
      const { text } = await createChallenge(ctx, 'second_factor', userId, { email });
      throw new ApiError('second_factor_required', { details: { challenge: text } });
    }
    const from = { session: null, device: known, challenge: null };
    code = await verifySecondFactor(ctx, userId, input.code, from);
  }
  return { userId, passwordHash, code, device: await createDeviceProof(services, email) };
}

async function knownDevice(
  services: Services,
  email: string,
  proof: string | undefined,
): Promise<string | null> {
  return proof === undefined ? null : verifyDeviceProof(services, email, proof);
}

/**
 * Signs in a device whose password was verified. An unknown account, an account without a password and a wrong password all get
 * `invalid_credentials`.
 */
export async function signIn(
  ctx: CallContext & { prepared: Verified },
  input: Input,
): Promise<SessionResult<SignedIn>> {
  const { userId, passwordHash, code, device } = ctx.prepared;
  // A concurrent password change waits for this sign-in, and then signs it out.
  await lockAccount(ctx, userId, 'shared');
  if (input.challenge !== undefined) await takeChallenge(ctx, 'second_factor', input.challenge);
  const { rows } = await sql<{ password_hash: string | null }>`
    select password_hash from users where id = ${userId}`.execute(ctx.db);
  // The password was changed since it was verified.
  if (passwordHash !== null && rows[0]?.password_hash !== passwordHash)
    throw new ApiError('invalid_credentials');
  if (code) await useCode(ctx, userId, code);
  return openDeviceSession(
    ctx,
    userId,
    { method: code ? 'code' : 'password', verifiedAt: ctx.now },
    { ...input, device },
  );
}

/**
 * Converts an email to lower case letter by letter, as the database does: `toLowerCase` of a whole text treats a final sigma
 * differently. Accounts are looked up and attempts are counted by the result.
 */
function lowerCaseLikeDatabase(email: string): string {
  return Array.from(email, (letter) => letter.toLowerCase()).join('');
}

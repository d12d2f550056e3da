import { findSecondFactor, type VerifiedCode, verifyCode } from '../../access/sign-in/second-factor.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { CallContext } from '../../procedures/call-context.ts';
import type { CodeAttempt } from '../../procedures/limits.ts';
import { recordRefusedPassword } from '../audit-sign-in.ts';

/**
 * Counts an attempt and verifies a code of an account with a second factor. Wrong codes are delayed where they come from, and a right password
 * does not forget them. Throws `rate_limited`, `invalid_code`.
 */
export async function verifySecondFactor(
  ctx: CallContext,
  userId: string,
  code: string,
  from: Pick<CodeAttempt, 'session' | 'device' | 'challenge'>,
): Promise<VerifiedCode> {
  const { services, call } = ctx;
  const succeeded = await services.limits.code({ ip: call.ip, userId, ...from });
  const verified = await verifyCode(ctx, userId, code);
  if (!verified) {
    recordRefusedPassword(services, 'user.code_failed', { userId, address: call.ip });
    throw new ApiError('invalid_code');
  }
  succeeded();
  return verified;
}

/** Returns whether an account signs in with a code. */
export async function hasSecondFactor(ctx: CallContext, userId: string): Promise<boolean> {
  return (await findSecondFactor(ctx, userId)) !== null;
}

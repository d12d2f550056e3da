import { findSecondFactor, type VerifiedCode, verifyCode } from '../../access/sign-in/second-factor.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { CallContext } from '../../procedures/call-context.ts';
import { recordRefusedPassword } from '../audit-sign-in.ts';

/**
 * Counts an attempt and verifies a code of an account with a second factor. Wrong codes are delayed as wrong passwords are, and a right password
 * does not forget them. Throws `rate_limited`, `invalid_code`.
 */
export async function verifySecondFactor(
  ctx: CallContext,
  userId: string,
  code: string,
): Promise<VerifiedCode> {
  const { services, call } = ctx;
  const succeeded = await services.limits.signIn({ ip: call.ip, email: '', device: `code of ${userId}` });
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

import { randomBytes } from 'node:crypto';
import type { RecoveryCodes, SecondFactorStarted } from '@firmdesk/contract';
import type { z } from 'zod';
import {
  confirmSecondFactor,
  findSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  storeSecret,
} from '../../access/sign-in/second-factor.ts';
import { toBase32 } from '../../access/sign-in/totp.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { lockDevice } from '../sessions/lock-device.ts';
import { recordChange } from './record-change.ts';

type Codes = z.infer<typeof RecoveryCodes>;

/** Creates the secret of an authenticator app. The account has no second factor until a code confirms it. */
export async function startSecondFactor(ctx: AccountContext): Promise<z.infer<typeof SecondFactorStarted>> {
  const { user } = ctx.identity;
  await lockDevice(ctx, 'exclusive');
  const bytes = randomBytes(20);
  await storeSecret(ctx, user.id, bytes);
  const secret = toBase32(bytes);
  const label = encodeURIComponent(`Firmdesk:${user.email}`);
  return {
    object: 'second_factor_started',
    secret,
    url: `otpauth://totp/${label}?secret=${secret}&issuer=Firmdesk`,
  };
}

/** Makes the account sign in with a code. Returns its recovery codes. Throws `invalid_code`. */
export async function enableSecondFactor(ctx: AccountContext, { code }: { code: string }): Promise<Codes> {
  const { id } = ctx.identity.user;
  await lockDevice(ctx, 'exclusive');
  await confirmSecondFactor(ctx, id, code);
  await recordChange(ctx, 'user.second_factor_enabled');
  return { object: 'recovery_codes', codes: await renewRecoveryCodes(ctx, id) };
}

/** Replaces the recovery codes. Throws `resource_not_found` without a second factor. */
export async function replaceRecoveryCodes(ctx: AccountContext): Promise<Codes> {
  const { id } = ctx.identity.user;
  await lockDevice(ctx, 'exclusive');
  if (!(await findSecondFactor(ctx, id))) throw new ApiError('resource_not_found');
  await recordChange(ctx, 'user.recovery_codes_renewed');
  return { object: 'recovery_codes', codes: await renewRecoveryCodes(ctx, id) };
}

/** Makes the account sign in without a code. */
export async function disableSecondFactor(ctx: AccountContext): Promise<void> {
  const { id } = ctx.identity.user;
  await lockDevice(ctx, 'exclusive');
  if (await removeSecondFactor(ctx, id)) await recordChange(ctx, 'user.second_factor_disabled');
}

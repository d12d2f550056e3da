import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { base32 } from '../../platform/process/ids.ts';
import { seal, TOTP_SECRET, unseal } from './seal.ts';
import { stepOf } from './totp.ts';

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

/** A code that was verified and not used yet: the time step of the authenticator app, or the hash of a recovery code. */
export type VerifiedCode = { step: number } | { recovery: Buffer };

/** Returns since when an account has a second factor, or null. */
export async function findSecondFactor(
  { db }: OperationContext,
  userId: string,
): Promise<{ createdAt: string; recoveryCodes: number } | null> {
  const { rows } = await sql<{ createdAt: string; recoveryCodes: number }>`
    select confirmed_at as "createdAt",
      (select count(*)::integer from recovery_codes r where r.user_id = ${userId}) as "recoveryCodes"
    from second_factors where user_id = ${userId} and confirmed_at is not null`.execute(db);
  return rows[0] ?? null;
}

/** Stores the secret of a new authenticator app. It replaces one that no code has confirmed, and counts once {@link confirmSecondFactor} has. */
export async function storeSecret(
  { db, now, services }: OperationContext,
  userId: string,
  secret: Buffer,
): Promise<void> {
  const sealed = await seal(services, TOTP_SECRET, secret.toString('base64'));
  const { rows } = await sql`
    insert into second_factors (user_id, secret, created_at, last_step) values (${userId}, ${sealed}, ${now.toISOString()}, 0)
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at
    where second_factors.confirmed_at is null returning user_id`.execute(db);
  if (rows.length === 0) throw alreadyEnabled();
}

/** Makes the stored secret count, if the code is its. Throws `invalid_code`. */
export async function confirmSecondFactor(
  { db, now, services }: OperationContext,
  userId: string,
  code: string,
): Promise<void> {
  const { rows } = await sql<{ secret: Buffer; confirmed: boolean }>`
    select secret, confirmed_at is not null as confirmed from second_factors
    where user_id = ${userId} for update`.execute(db);
  const [factor] = rows;
  if (factor?.confirmed) throw alreadyEnabled();
  const step = factor ? await stepIn(services, factor.secret, code, now) : null;
  if (step === null) throw new ApiError('invalid_code');
  await sql`
    update second_factors set confirmed_at = ${now.toISOString()}, last_step = ${step}
    where user_id = ${userId}`.execute(db);
}

/** Returns the code if it is valid and was not used, otherwise null. {@link useCode} uses it, in the transaction of what it allows. */
export async function verifyCode(
  { db, now, services }: OperationContext,
  userId: string,
  code: string,
): Promise<VerifiedCode | null> {
  const { rows } = await sql<{ secret: Buffer; last_step: string | number }>`
    select secret, last_step from second_factors
    where user_id = ${userId} and confirmed_at is not null`.execute(db);
  const [factor] = rows;
  if (!factor) return null;
  const step = await stepIn(services, factor.secret, code, now);
  if (step !== null) return step > Number(factor.last_step) ? { step } : null;
  const recovery = hashOf(code);
  const known = await db
    .selectFrom('recovery_codes')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('code_hash', '=', recovery)
    .executeTakeFirst();
  return known ? { recovery } : null;
}

/** Uses a verified code. Throws `invalid_code` if another call has used it meanwhile. */
export async function useCode({ db }: OperationContext, userId: string, code: VerifiedCode): Promise<void> {
  const { rows } =
    'step' in code
      ? await sql`
          update second_factors set last_step = ${code.step}
          where user_id = ${userId} and last_step < ${code.step} returning user_id`.execute(db)
      : await sql`
          delete from recovery_codes
          where user_id = ${userId} and code_hash = ${code.recovery} returning user_id`.execute(db);
  if (rows.length === 0) throw new ApiError('invalid_code');
}

/** Replaces the recovery codes of an account, and returns the new ones, which are stored as hashes. */
export async function renewRecoveryCodes({ db }: OperationContext, userId: string): Promise<string[]> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    base32(randomBytes(RECOVERY_BYTES)).replace(/(.{4})(?=.)/g, '$1-'),
  );
  await db
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashOf(code) })))
    .execute();
  return codes;
}

/** Removes the second factor of an account with its recovery codes. Returns whether there was one. */
export async function removeSecondFactor({ db }: OperationContext, userId: string): Promise<boolean> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const { rows } = await sql<{ confirmed: boolean }>`
    delete from second_factors
    where user_id = ${userId} returning confirmed_at is not null as confirmed`.execute(db);
  return rows[0]?.confirmed ?? false;
}

async function stepIn(
  services: OperationContext['services'],
  sealed: Buffer,
  code: string,
  now: Date,
): Promise<number | null> {
  const secret = Buffer.from(await unseal(services, TOTP_SECRET, sealed), 'base64');
  return stepOf(secret, code.replaceAll(/\s/g, ''), now);
}

/** A recovery code is typed with or without its hyphens, in any case. */
function hashOf(code: string): Buffer {
  return hash('sha256', code.toLowerCase().replaceAll(/[^0-9a-z]/g, ''), 'buffer');
}

function alreadyEnabled(): ApiError {
  return new ApiError('validation_failed', {
    message: 'The account already has a second factor. Remove it first.',
  });
}

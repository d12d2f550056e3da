import { randomUUID } from 'node:crypto';
import { MAX_PASSKEYS, type Passkey } from '@firmdesk/contract';
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import { createChallenge, takeChallenge } from './challenges.ts';

/** Loaded with the first passkey: it takes memory that most processes do not need. */
const library = () => import('@simplewebauthn/server');

/** EdDSA, ES256 and RS256 (COSE). Named, because by default the library asks Node.js by an interface that warns that it is experimental. */
const ALGORITHMS = [-8, -7, -257];

/** Passkeys belong to the host of the console, and are used on its pages only. */
function relyingParty({ services }: OperationContext): { id: string; origin: string } {
  const { hostname, origin } = new URL(services.publicUrl());
  return { id: hostname, origin };
}

/** Returns the passkeys of an account, oldest first. */
export async function listPasskeys({ db }: OperationContext, userId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ object: 'passkey', ...row }));
}

/** Removes all passkeys of an account. Returns how many. */
export async function removePasskeys({ db }: OperationContext, userId: string): Promise<number> {
  const removed = await db.deleteFrom('passkeys').where('user_id', '=', userId).returning('id').execute();
  return removed.length;
}

/** Returns the options with which a browser creates a passkey of the account. */
export async function startNewPasskey(
  ctx: OperationContext,
  user: { id: string; email: string; name: string },
): Promise<Record<string, unknown>> {
  const known = await ctx.db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', user.id)
    .execute();
  if (known.length >= MAX_PASSKEYS) throw tooMany();
  const { text } = await createChallenge(ctx, 'new_passkey', user.id);
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: 'Firmdesk',
    rpID: relyingParty(ctx).id,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    supportedAlgorithmIDs: ALGORITHMS,
    challenge: new Uint8Array(Buffer.from(text, 'base64url')),
    excludeCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { ...options };
}

/** Stores the passkey that a browser has created. Returns its id. */
export async function addPasskey(
  ctx: OperationContext,
  userId: string,
  { name, response }: { name: string; response: Record<string, unknown> },
): Promise<string> {
  const { db, now } = ctx;
  await lockAccount(ctx, userId, 'exclusive');
  const { id: expectedRPID, origin } = relyingParty(ctx);
  const { verifyRegistrationResponse } = await library();
  const result = await check(
    async () =>
      await verifyRegistrationResponse({
        response: response as unknown as RegistrationResponseJSON,
        expectedChallenge: async (text) => (await takeChallenge(ctx, 'new_passkey', text)).userId === userId,
        expectedOrigin: origin,
        expectedRPID,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
  );
  if (!result?.verified) throw invalidField('response', 'must be the answer of a browser to the options');
  const { credential } = result.registrationInfo;
  if ((await listPasskeys(ctx, userId)).length >= MAX_PASSKEYS) throw tooMany();
  const id = randomUUID();
  const stored = await db
    .insertInto('passkeys')
    .values({
      id,
      user_id: userId,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      sign_count: credential.counter,
      transports: (credential.transports ?? []).slice(0, 10),
      name,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!stored) throw invalidField('response', 'must be a passkey that was not added before');
  return id;
}

/** Returns the options with which a browser signs in by any passkey that it has for this host. */
export async function startPasskey(ctx: OperationContext): Promise<Record<string, unknown>> {
  const { text } = await createChallenge(ctx, 'passkey', null);
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(ctx).id,
    challenge: new Uint8Array(Buffer.from(text, 'base64url')),
    userVerification: 'required',
  });
  return { ...options };
}

/**
 * Verifies what a passkey has signed, records its use, and returns its account, which is locked. Ends the challenge in the caller's transaction. Throws
 * `invalid_credentials`, also for a passkey that is not known, or of another account than the given one, and `challenge_expired`.
 */
export async function usePasskey(
  ctx: OperationContext,
  response: Record<string, unknown>,
  userId?: string,
): Promise<string> {
  const { db, now } = ctx;
  const credentialId = typeof response['id'] === 'string' ? response['id'].slice(0, 2_000) : '';
  const find = () =>
    db
      .selectFrom('passkeys')
      .select(['user_id', 'credential_id', 'public_key', 'sign_count'])
      .where('credential_id', '=', credentialId)
      .executeTakeFirst();
  const found = await find();
  // The caller has locked this account. A second one would be locked in no order.
  if (found && userId !== undefined && found.user_id !== userId)
    throw new ApiError('invalid_credentials', { message: 'This passkey belongs to another account.' });
  // Before the locks of the challenge and of the passkey: see `lockAccount`.
  if (found) await lockAccount(ctx, found.user_id, 'shared');
  const passkey = found && (await find());
  if (!passkey) throw new ApiError('invalid_credentials', { message: 'This passkey is not known here.' });
  const { id: expectedRPID, origin } = relyingParty(ctx);
  const { verifyAuthenticationResponse } = await library();
  const credential: WebAuthnCredential = {
    id: passkey.credential_id,
    publicKey: new Uint8Array(passkey.public_key),
    counter: Number(passkey.sign_count),
  };
  const result = await check(
    async () =>
      await verifyAuthenticationResponse({
        response: response as unknown as AuthenticationResponseJSON,
        expectedChallenge: async (text) => (await takeChallenge(ctx, 'passkey', text)).userId === null,
        expectedOrigin: origin,
        expectedRPID,
        credential,
        requireUserVerification: true,
      }),
  );
  if (!result?.verified)
    throw new ApiError('invalid_credentials', { message: 'The passkey could not be verified.' });
  await db
    .updateTable('passkeys')
    .set({ sign_count: result.authenticationInfo.newCounter, last_used_at: now })
    .where('credential_id', '=', credentialId)
    .execute();
  return passkey.user_id;
}

/** Returns what the library makes of an answer; null for one that it refuses, because strangers send these. */
async function check<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    return null;
  }
}

function tooMany(): ApiError {
  return new ApiError('validation_failed', {
    message: `An account has at most ${MAX_PASSKEYS} passkeys: remove one first.`,
  });
}

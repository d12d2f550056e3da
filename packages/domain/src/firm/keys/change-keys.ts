import {
  type ApiKeyWithSecret,
  type CreateApiKeyInput,
  KeyScope,
  type RotateApiKeyInput,
} from '@firmdesk/contract';
import type { z } from 'zod';
import { isStaffToken } from '../../access/policy.ts';
import { rotateToken } from '../../access/tokens/rotate-token.ts';
import { issueKey, revokeToken } from '../../access/tokens/tokens.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/process/clock.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { beginChange } from '../firm-changes.ts';
import { readKey } from './list-keys.ts';

type KeyWithSecret = z.infer<typeof ApiKeyWithSecret>;

/** Creates an API key of the caller. It gets no scope that the caller's own token lacks. */
export async function createKey(
  caller: AccountContext,
  { name, environment, scopes, expires_in_days }: z.output<typeof CreateApiKeyInput>,
): Promise<KeyWithSecret> {
  const { identity, workspace, now } = caller;
  if (isStaffToken(identity))
    throw new ApiError('forbidden', { message: 'An operator issues the keys of the staff.' });
  const missing = scopes.find((scope) => !identity.scopes.includes(scope));
  if (missing)
    throw invalidField('scopes', `must not contain "${missing}", which the token of this call does not have`);
  const ctx = await beginChange(caller, 'keys');
  const { token, text } = await issueKey(ctx, {
    email: identity.user.id,
    workspace: workspace.slug,
    scopes,
    environment,
    name,
    expiresAt: expires_in_days === null ? null : new Date(now.getTime() + expires_in_days * DAY_MS),
  });
  return { ...(await readKey(ctx, token.id)), token: text };
}

/**
 * Gives a key of the caller a new secret. Those of other members are not found: their secret would give their rights. A key with a scope that the caller
 * could not give it is refused, for the same reason.
 */
export async function rotateKey(
  caller: AccountContext,
  { id, overlap_hours }: z.output<typeof RotateApiKeyInput>,
): Promise<KeyWithSecret> {
  const ctx = await beginChange(caller, 'keys');
  const { member, expires_at, scopes } = await readKey(ctx, id);
  if (member.id !== ctx.identity.user.id) throw new ApiError('resource_not_found');
  if (expires_at !== null && new Date(expires_at) <= ctx.now)
    throw invalidField('id', 'must be a key that has not expired');
  const withheld = scopes.find(
    (scope) => !KeyScope.safeParse(scope).success || !caller.identity.scopes.includes(scope),
  );
  if (withheld)
    throw new ApiError('forbidden', {
      message: `The key has the scope ${withheld}: an operator rotates it.`,
    });
  const overlapUntil = new Date(ctx.now.getTime() + overlap_hours * 60 * MINUTE_MS);
  const { text } = await rotateToken(ctx, { id, overlapUntil });
  await ctx.em.flush();
  return { ...(await readKey(ctx, id)), token: text };
}

/** Revokes a key of any member. Throws `resource_not_found`. */
export async function revokeKey(caller: AccountContext, { id }: { id: string }): Promise<void> {
  const ctx = await beginChange(caller, 'keys');
  await readKey(ctx, id);
  await revokeToken(ctx, id);
}

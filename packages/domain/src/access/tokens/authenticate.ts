import { type Scope, WorkspaceSlug } from '@firmdesk/contract';
import type { Pool } from 'pg';
import { batchCalls } from '../../platform/database/batch-calls.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import type { Identity, MembershipInfo } from '../identity.ts';
import { ensureSandboxFor } from '../workspaces/ensure-sandbox.ts';
import { firmSuspended } from '../workspaces/firm-suspended.ts';
import { slugIn } from '../workspaces/sandbox.ts';
import { isSameHash, type PresentedToken, parseToken } from './bearer-token.ts';
import type { FoundToken } from './find-token.ts';

/**
 * Returns the account of a bearer token (contract §5), its membership in the token's workspace, and the firm that the call
 * names, if it may act there. A test token acts in the sandboxes of its workspace and of the firm that it names, which is created with
 * the first call that names it. Throws `invalid_token`, `revoked_token` (before `expired_token`), `expired_token`,
 * or `workspace_not_permitted` if the workspace of the token is suspended. Reads the database at each call,
 * so that a sign-out takes effect immediately on every node.
 */
export async function authenticateForWorkspace(
  services: Services,
  bearer: string | null,
  workspaceSlug: string | null,
  now: Date,
): Promise<{ identity: Identity; membership: MembershipInfo }> {
  const presented = bearer === null ? null : parseToken(bearer);
  if (!presented) throw new ApiError('invalid_token');
  // Drop invalid slugs: they could break the batched query.
  const named = workspaceSlug === null ? null : (WorkspaceSlug.safeParse(workspaceSlug).data ?? null);
  const slug = named === null ? null : slugIn(presented.environment, named);
  const find = async () => verify(presented, await services.findToken(presented.id, slug, now));
  let found = await find();
  if (presented.environment === 'test' && (await createSandbox(services, presented.id, found, slug))) {
    found = await find();
  }
  await touchIfDue(services, presented.id, found, now);
  return { identity: identityOf(presented.id, found), membership: membershipOf(found) };
}

/** {@link authenticateForWorkspace} for calls that name no firm. */
export async function authenticate(services: Services, bearer: string | null, now: Date): Promise<Identity> {
  const { identity } = await authenticateForWorkspace(services, bearer, null, now);
  return identity;
}

function verify(presented: PresentedToken, found: FoundToken | undefined): FoundToken {
  if (!found || !hasSecret(found, presented) || found.environment !== presented.environment)
    throw new ApiError('invalid_token');
  if (found.is_revoked) throw new ApiError('revoked_token');
  if (found.is_expired) throw new ApiError('expired_token');
  if (found.is_suspended) throw firmSuspended();
  return found;
}

/** Creates the sandbox of the firm that a test token of staff names. Returns whether the token must be looked up again. */
async function createSandbox(
  services: Services,
  tokenId: string,
  { is_staff, firm_id }: FoundToken,
  slug: string | null,
): Promise<boolean> {
  if (slug === null || !is_staff || firm_id !== null) return false;
  await withTransaction(services, (ctx) => ensureSandboxFor(ctx, tokenId, slug));
  return true;
}

function identityOf(tokenId: string, found: FoundToken): Identity {
  return {
    tokenId,
    kind: found.kind,
    environment: found.environment,
    scopes: found.scopes === '' ? [] : (found.scopes.split(' ') as Scope[]),
    signIn: {
      method: found.signed_in_by,
      verifiedAt: found.verified_at === null ? null : new Date(found.verified_at),
    },
    user: {
      id: found.user_id,
      name: found.user_name,
      email: found.email,
      language: found.language,
      timezone: found.timezone,
      isStaff: found.is_staff,
    },
    home: { id: found.home_id, slug: found.home_slug, name: found.home_name },
  };
}

function hasSecret(
  { secret_hash, previous_secret_hash }: FoundToken,
  { secretHash }: PresentedToken,
): boolean {
  return (
    isSameHash(secret_hash, secretHash) ||
    (previous_secret_hash !== null && isSameHash(previous_secret_hash, secretHash))
  );
}

function membershipOf(found: FoundToken): MembershipInfo {
  return {
    belongsToWorkspace: found.belongs_to_workspace,
    administersWorkspace: found.administers_workspace,
    permissions: found.permissions,
    namedFirm:
      found.firm_id === null
        ? null
        : {
            id: found.firm_id,
            slug: found.firm_slug!,
            name: found.firm_name!,
            isSuspended: found.is_firm_suspended,
            isEntered: found.is_firm_entered,
          },
  };
}

declare module '../../platform/services.ts' {
  interface Services {
    touchToken: TouchToken;
  }
}

type TouchToken = (tokenId: string, use: { tokenId: string; now: Date }) => Promise<null>;

/** Returns a function that records the use of a token. Calls that arrive together share one statement. */
export function tokenToucher(pool: Pool): TouchToken {
  return batchCalls(async (uses) => {
    const now = uses.at(-1)!.now;
    await pool.query({
      name: 'touch-tokens',
      // Concurrent statements that lock several rows could deadlock. A locked token is being touched or revoked.
      text: `
        update tokens set last_used_at = $2 where id in (
          select id from tokens where id = any($1) and (last_used_at is null or last_used_at <= $3)
          for no key update skip locked)`,
      values: [
        uses.map(({ tokenId }) => tokenId),
        now.toISOString(),
        new Date(now.getTime() - MINUTE_MS).toISOString(),
      ],
    });
    return uses.map(() => null);
  });
}

/** Records the use of a token, at most once a minute across all nodes. */
async function touchIfDue(
  { touchToken }: Services,
  tokenId: string,
  { last_used_at }: FoundToken,
  now: Date,
): Promise<void> {
  if (last_used_at !== null && now.getTime() - Date.parse(last_used_at) < MINUTE_MS) return;
  await touchToken(tokenId, { tokenId, now });
}

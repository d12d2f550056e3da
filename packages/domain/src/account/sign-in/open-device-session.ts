import { fieldError, type NewSession, type SignedIn } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { lockAccount } from '../../access/accounts/lock-account.ts';
import type { SignInProof } from '../../access/identity.ts';
import { IS_ENABLED } from '../../access/policy.ts';
import { ensureMayOpen } from '../../access/sign-in/firm-provider.ts';
import {
  findSignInWorkspaces,
  issueDeviceToken,
  type SignInWorkspace,
} from '../../access/tokens/sign-in-workspaces.ts';
import { firmSuspended } from '../../access/workspaces/firm-suspended.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { CallContext } from '../../procedures/call-context.ts';
import { recordSignIn } from '../audit-sign-in.ts';
import { createDeviceProof } from '../device-proof.ts';
import { notifyNewDevice } from '../notify-new-device.ts';
import { endReplacedSession } from '../sessions/browser-session.ts';
import type { SessionResult } from '../sessions/session-cookie.ts';

type Input = z.output<typeof NewSession> & {
  /** The proof that the device has signed in before; a new one by default. */
  device?: string;
};

/**
 * Opens the session of a person who has proved who it is. An account of several workspaces must name one: `validation_failed` lists them.
 * Notifies the account of a new device in the same transaction. Throws `invalid_credentials` for an account that cannot act,
 * `provider_required`.
 */
export async function openDeviceSession(
  ctx: CallContext,
  userId: string,
  proof: SignInProof,
  {
    workspace: slug,
    name = null,
    cookie,
    device,
  }: Omit<Input, 'name'> & { name?: string | null | undefined },
): Promise<SessionResult<SignedIn>> {
  await lockAccount(ctx, userId, 'shared');
  const { rows } = await sql<
    SignedIn['user'] & { is_staff: boolean }
  >`select u.id, u.name, u.email, u.timezone, u.language, u.is_staff from users u
    where u.id = ${userId} and ${sql.raw(IS_ENABLED)}`.execute(ctx.db);
  if (!rows[0]) throw new ApiError('invalid_credentials');
  const { is_staff: isStaff, ...user } = rows[0];
  const workspace = chooseWorkspace(await findSignInWorkspaces(ctx, { id: userId, isStaff }), slug);
  if (proof.method !== 'provider') await ensureMayOpen(ctx, workspace.id, userId);
  const { token, text } = await issueDeviceToken(ctx, userId, workspace, name, proof);
  await notifyNewDevice(ctx, { user, workspace, session: token.id, name });
  await recordSignIn(ctx, { userId, workspaceId: workspace.id, session: token.id, method: proof.method });
  if (cookie) await endReplacedSession(ctx, workspace.slug);
  const output: SignedIn = {
    object: 'session',
    id: token.id,
    name: token.name ?? null,
    created_at: token.createdAt.toISOString(),
    last_used_at: null,
    expires_at: null,
    signed_in_by: proof.method,
    current: true,
    token: cookie ? null : text,
    device: device ?? (await createDeviceProof(ctx.services, user.email.toLowerCase())),
    scopes: token.scopes,
    tenant: { name: workspace.name, slug: workspace.slug },
    user,
  };
  return cookie ? { output, cookie: { workspace: workspace.slug, token: text } } : { output };
}

/** Returns the workspace to sign in to. Throws `validation_failed` with the choices if there are several, `workspace_not_permitted` for a suspended firm. */
function chooseWorkspace(workspaces: SignInWorkspace[], slug: string | undefined): SignInWorkspace {
  const candidates =
    slug === undefined ? workspaces : workspaces.filter((workspace) => workspace.slug === slug);
  if (candidates.length === 1) {
    if (candidates[0]!.isSuspended) throw firmSuspended();
    return candidates[0]!;
  }
  // An account without any workspace cannot sign in.
  if (candidates.length === 0) throw new ApiError('invalid_credentials');
  const field = fieldError({
    path: ['workspace'],
    message: `must be one of the account’s workspaces: ${workspaces.map(({ slug }) => slug).join(', ')}`,
  });
  const choices = workspaces.map((workspace) => ({ value: workspace.slug, name: workspace.name }));
  throw new ApiError('validation_failed', {
    message: field.message,
    fields: [{ ...field, choices }],
  });
}

import { fieldError, type SignedIn, type SignInInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { lockAccount } from '../access/accounts/lock-account.ts';
import { verifyPassword } from '../access/accounts/password.ts';
import { findPassword } from '../access/accounts/users.ts';
import {
  findSignInWorkspaces,
  issueDeviceToken,
  type SignInWorkspace,
} from '../access/tokens/sign-in-workspaces.ts';
import { firmSuspended } from '../access/workspaces/firm-suspended.ts';
import { ApiError } from '../platform/process/errors.ts';
import type { CallContext } from '../procedures/call-context.ts';
import { recordRefusedPassword, recordSignIn } from './audit-sign-in.ts';
import { endReplacedSession } from './browser-session.ts';
import { createDeviceProof, verifyDeviceProof } from './device-proof.ts';
import { notifyNewDevice } from './notify-new-device.ts';
import type { SessionResult } from './session-cookie.ts';

type Input = z.infer<typeof SignInInput>;

interface Verified {
  userId: string;
  /** The hash against which the password was verified. */
  passwordHash: string;
  /** The proof that the device has signed in before, for later sign-ins. */
  device: string;
}

/** Counts the attempt and verifies the password, before the transaction. Throws `rate_limited`, `invalid_credentials`. */
export async function prepareSignIn({ services, call }: CallContext, input: Input): Promise<Verified> {
  const { password, device: proof } = input;
  const email = lowerCaseLikeDatabase(input.email);
  const device = proof === undefined ? null : await verifyDeviceProof(services, email, proof);
  const succeeded = await services.limits.signIn({ ip: call.ip, email, device });
  let userId = '';
  const passwordHash = await verifyPassword(password, call.ip, async () => {
    const account = await findPassword(services, email);
    userId = account?.id ?? '';
    return account?.password_hash ?? null;
  });
  if (passwordHash === null) {
    if (userId !== '') recordRefusedPassword(services, 'user.sign_in_failed', { userId, address: call.ip });
    throw new ApiError('invalid_credentials');
  }
  succeeded();
  return { userId, passwordHash, device: await createDeviceProof(services, email) };
}

/**
 * Signs in a device whose password was verified. An unknown account, an account without a password and a wrong password all get
 * `invalid_credentials`. An account of several workspaces must name one: `validation_failed` lists them. Notifies the account of a new
 * device in the same transaction.
 */
export async function signIn(
  ctx: CallContext & { prepared: Verified },
  input: Input,
): Promise<SessionResult<SignedIn>> {
  const { db } = ctx;
  // A concurrent password change waits for this sign-in, and then signs it out.
  await lockAccount(ctx, ctx.prepared.userId, 'shared');
  const user = await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'timezone', 'language', 'is_staff', 'password_hash'])
    .where(sql`lower(email)`, '=', sql`lower(${input.email})`)
    .where('deleted_at', 'is', null)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst();
  // The password was changed since it was verified, or the account was deleted or deactivated.
  if (user?.password_hash !== ctx.prepared.passwordHash) throw new ApiError('invalid_credentials');
  const workspace = chooseWorkspace(
    await findSignInWorkspaces(ctx, { id: user.id, isStaff: user.is_staff }),
    input.workspace,
  );
  const { token, text } = await issueDeviceToken(ctx, user.id, workspace, input.name ?? null);
  await notifyNewDevice(ctx, { user, workspace, session: token.id, name: input.name ?? null });
  await recordSignIn(ctx, { userId: user.id, workspaceId: workspace.id, session: token.id });
  if (input.cookie) await endReplacedSession(ctx, workspace.slug);
  const output: SignedIn = {
    object: 'session',
    id: token.id,
    name: token.name ?? null,
    created_at: token.createdAt.toISOString(),
    last_used_at: null,
    expires_at: null,
    current: true,
    token: input.cookie ? null : text,
    device: ctx.prepared.device,
    scopes: token.scopes,
    tenant: { name: workspace.name, slug: workspace.slug },
    user: {
      id: user.id,
      name: user.name,
      email: user.email,
      timezone: user.timezone,
      language: user.language,
    },
  };
  return input.cookie ? { output, cookie: { workspace: workspace.slug, token: text } } : { output };
}

/**
 * Converts an email to lower case letter by letter, as the database does: `toLowerCase` of a whole text treats a final sigma
 * differently. Accounts are looked up and attempts are counted by the result.
 */
function lowerCaseLikeDatabase(email: string): string {
  return Array.from(email, (letter) => letter.toLowerCase()).join('');
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

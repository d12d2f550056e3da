import {
  PLATFORM,
  type RequireProviderInput,
  type SaveProviderInput,
  type SingleSignOn,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { type AuditAction, recordAudit } from '../../access/audit/audit.ts';
import { isPermitted } from '../../access/policy.ts';
import { findProvider } from '../../access/sign-in/firm-provider.ts';
import { checkProvider } from '../../access/sign-in/provider-client.ts';
import { CLIENT_SECRET, seal } from '../../access/sign-in/seal.ts';
import { revokeTokens } from '../../access/tokens/revoke-tokens.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { listDomains, resetDomains } from './domains.ts';
import { redirectUrl } from './provider-sign-in.ts';

/** Returns the single sign-on of the firm. */
export async function getSingleSignOn(ctx: AccountContext): Promise<SingleSignOn> {
  const { db, workspace, services } = ctx;
  const { rows } = await sql<{
    issuer: string;
    client_id: string;
    is_required: boolean;
    user_id: string | null;
    user_name: string | null;
  }>`
    select p.issuer, p.client_id, p.is_required, u.id as user_id, u.name as user_name
    from sign_in_providers p left join users u on u.id = p.break_glass_user_id
    where p.workspace_id = ${workspace.id}`.execute(db);
  const [row] = rows;
  return {
    object: 'single_sign_on',
    provider: row ? { issuer: row.issuer, client_id: row.client_id } : null,
    is_required: row?.is_required ?? false,
    break_glass: row?.user_id ? { id: row.user_id, name: row.user_name! } : null,
    break_glass_choices: await findChoices(ctx),
    redirect_url: redirectUrl(services),
    domains: await listDomains(ctx),
  };
}

type Provider = z.output<typeof SaveProviderInput>;

/** Asks the provider for its description, before the transaction. Returns the secret: the sent one, or the stored one. Throws `provider_failed`. */
export async function prepareProvider(
  ctx: AccountContext,
  { issuer, client_id, client_secret }: Provider,
): Promise<{ clientSecret: string }> {
  if (ctx.workspace.slug === PLATFORM) throw new ApiError('workspace_required');
  const clientSecret = client_secret ?? (await storedSecret(ctx, issuer));
  await checkProvider(ctx.services, { issuer, clientId: client_id, clientSecret });
  return { clientSecret };
}

/** A stored secret is sent to no other provider than the one for which it was stored. */
async function storedSecret(ctx: AccountContext, issuer: string): Promise<string> {
  const stored = await findProvider(ctx, { id: ctx.workspace.id }).catch((error: unknown) => {
    if (error instanceof ApiError && error.apiCode === 'resource_not_found') return null;
    throw error;
  });
  if (stored?.issuer !== issuer) throw invalidField('client_secret', 'must be present for a new provider');
  return stored.clientSecret;
}

/**
 * Stores the provider of the firm. A provider with another address has other accounts, is not required until somebody has signed in by it, and needs
 * new proofs of the domains.
 */
export async function saveProvider(
  ctx: AccountContext & { prepared: { clientSecret: string } },
  { issuer, client_id }: Provider,
): Promise<SingleSignOn> {
  const { db, now, services, workspace, prepared } = ctx;
  const secret = await seal(services, CLIENT_SECRET, prepared.clientSecret);
  const before = await db
    .selectFrom('sign_in_providers')
    .select('issuer')
    .where('workspace_id', '=', workspace.id)
    .forUpdate()
    .executeTakeFirst();
  if (before?.issuer !== issuer) await resetDomains(ctx);
  await sql`
    insert into sign_in_providers (workspace_id, issuer, client_id, client_secret, updated_at)
    values (${workspace.id}, ${issuer}, ${client_id}, ${secret}, ${now.toISOString()})
    on conflict (workspace_id) do update set client_id = excluded.client_id, client_secret = excluded.client_secret,
      updated_at = excluded.updated_at, issuer = excluded.issuer,
      is_required = sign_in_providers.is_required and sign_in_providers.issuer = excluded.issuer`.execute(db);
  await db
    .deleteFrom('provider_accounts')
    .where('workspace_id', '=', workspace.id)
    .where('issuer', '!=', issuer)
    .execute();
  await recordSetting(ctx, 'firm.sign_in_provider_changed', { issuer, client_id });
  return getSingleSignOn(ctx);
}

/** Removes the provider of the firm, with the links of its accounts. */
export async function removeProvider(ctx: AccountContext): Promise<SingleSignOn> {
  const { db, workspace } = ctx;
  await db.deleteFrom('provider_accounts').where('workspace_id', '=', workspace.id).execute();
  const removed = await db
    .deleteFrom('sign_in_providers')
    .where('workspace_id', '=', workspace.id)
    .returning('issuer')
    .executeTakeFirst();
  if (removed) await recordSetting(ctx, 'firm.sign_in_provider_removed', { issuer: removed.issuer });
  return getSingleSignOn(ctx);
}

/**
 * Makes the provider the only way into the firm, but for one administrator, or lifts that. Who requires it has signed in by it, so that it is known to
 * work. All other sessions in the firm end.
 */
export async function requireProvider(
  ctx: AccountContext,
  { is_required, break_glass }: z.output<typeof RequireProviderInput>,
): Promise<SingleSignOn> {
  const { db, workspace, identity } = ctx;
  if (is_required && (identity.signIn.method !== 'provider' || identity.home.id !== workspace.id))
    throw invalidField('is_required', 'must be set by somebody who has signed in by the provider');
  const mayBreakGlass = (await findChoices(ctx)).some(({ id }) => id === break_glass);
  if (is_required && !mayBreakGlass)
    throw invalidField('break_glass', 'must be an administrator with a password who may change the settings');
  const changed = await db
    .updateTable('sign_in_providers')
    .set({ is_required, break_glass_user_id: is_required ? break_glass : null })
    .where('workspace_id', '=', workspace.id)
    .returning('issuer')
    .executeTakeFirst();
  if (!changed) throw new ApiError('resource_not_found');
  const signedOut = is_required ? await endOtherSessions(ctx, break_glass!) : 0;
  await recordSetting(ctx, 'firm.sign_in_requirement_changed', {
    is_required,
    break_glass,
    signed_out: signedOut,
  });
  return getSingleSignOn(ctx);
}

/** Returns the administrators who can sign in with a password and lift the requirement, by name. */
async function findChoices({ db, workspace }: AccountContext): Promise<SingleSignOn['break_glass_choices']> {
  const { rows } = await sql<{ id: string; name: string }>`
    select u.id, u.name from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${workspace.id} and u.password_hash is not null and ${sql.raw(isPermitted('manage_settings'))}
    order by lower(u.name), u.id`.execute(db);
  return rows;
}

/** Ends the sessions of all members in the firm, but the caller's and those of the exception. Returns how many. */
async function endOtherSessions(ctx: AccountContext, exceptUser: string): Promise<number> {
  const { db, workspace, identity } = ctx;
  const { rows } = await sql<{ user_id: string }>`
    select distinct user_id from tokens
    where workspace_id in (select id from workspaces where id = ${workspace.id} or sandbox_of = ${workspace.id})
      and kind = 'device' and revoked_at is null and user_id <> ${exceptUser}`.execute(db);
  let ended = 0;
  for (const { user_id } of rows) {
    const filter = { userId: user_id, firmId: workspace.id, exceptId: identity.tokenId };
    ended += (await revokeTokens(ctx, filter)).length;
  }
  return ended;
}

/** Records a change of the firm's single sign-on. */
export async function recordSetting(
  ctx: AccountContext,
  action: Extract<AuditAction, `firm.sign_in_${string}`>,
  after: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { workspace, identity } = ctx;
  await recordAudit({ ...ctx, actor: { kind: 'account', id: identity.user.id } }, workspace.id, {
    action,
    target: { type: 'firm', id: workspace.slug },
    after,
  });
}

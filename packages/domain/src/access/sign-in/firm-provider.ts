import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { Identity } from '../identity.ts';
import { firmIdOf } from '../policy.ts';
import type { ProviderSettings } from './provider-client.ts';
import { CLIENT_SECRET, unseal } from './seal.ts';

export interface FirmProvider extends ProviderSettings {
  workspace: { id: number; slug: string; name: string };
}

/** Returns the provider of a firm, by its slug, or by the domain of an address that the firm has proved to own. Throws `resource_not_found`. */
export async function findProvider(
  { db, services }: OperationContext,
  by: { slug: string } | { email: string } | { id: number },
): Promise<FirmProvider> {
  const isMeant =
    'slug' in by
      ? sql`w.slug = ${by.slug}`
      : 'id' in by
        ? sql`w.id = ${by.id}`
        : sql`w.id = (select d.workspace_id from sign_in_domains d
            where d.domain = ${domainOf(by.email)} and d.verified_at is not null)`;
  const { rows } = await sql<{
    id: number;
    slug: string;
    name: string;
    issuer: string;
    client_id: string;
    client_secret: Buffer;
  }>`
    select w.id, w.slug, w.name, p.issuer, p.client_id, p.client_secret
    from sign_in_providers p join workspaces w on w.id = p.workspace_id
    where w.suspended_at is null and ${isMeant}`.execute(db);
  const [row] = rows;
  if (!row)
    throw new ApiError('resource_not_found', { message: 'The firm has no single sign-on of its own.' });
  const { id, slug, name, issuer, client_id: clientId } = row;
  const clientSecret = await unseal(services, CLIENT_SECRET, row.client_secret);
  return { workspace: { id, slug, name }, issuer, clientId, clientSecret };
}

/** Throws `provider_required` if members sign in to the firm, or to the firm of this sandbox, only by its provider, and this account is not the exception. */
export async function ensureMayOpen(
  { db }: OperationContext,
  workspaceId: number,
  userId: string,
): Promise<void> {
  const { rows } = await sql<{ name: string; slug: string }>`
    select w.name, w.slug from sign_in_providers p join workspaces w on w.id = p.workspace_id
    where p.workspace_id = ${firmIdOf(workspaceId)} and p.is_required
      and p.break_glass_user_id is distinct from ${userId}`.execute(db);
  if (rows[0])
    throw new ApiError('provider_required', {
      message: `${rows[0].name} is signed in to by its single sign-on only.`,
      details: { workspace: rows[0].slug },
    });
}

/**
 * Throws as {@link ensureMayOpen} for a session that opens one in another firm, and `workspace_not_permitted` for one by the provider of a firm: who
 * runs it could otherwise act as its members in their other firms, without their passwords and second factors.
 */
export async function ensureMayOpenFrom(
  ctx: OperationContext,
  { signIn, user }: Identity,
  workspaceId: number,
): Promise<void> {
  if (signIn.method === 'provider')
    throw new ApiError('workspace_not_permitted', {
      message: 'This session was opened by the single sign-on of another firm. Sign in to this firm.',
    });
  await ensureMayOpen(ctx, workspaceId, user.id);
}

/** Returns the domain of an address, in lower case. */
function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

/** An account at a provider, with the address that the provider has verified. */
interface ProviderIdentity {
  issuer: string;
  subject: string;
  email: string | null;
}

/** Returns the account to which an account at the provider is linked, or null. */
export async function findLinked(
  { db }: OperationContext,
  workspaceId: number,
  { issuer, subject }: ProviderIdentity,
): Promise<string | null> {
  const row = await db
    .selectFrom('provider_accounts')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Returns whether the firm has proved to own the domain of an address. Without it, its provider could claim the accounts of others. */
export async function ownsDomainOf(
  { db }: OperationContext,
  workspaceId: number,
  email: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('sign_in_domains')
    .select('domain')
    .where('workspace_id', '=', workspaceId)
    .where('domain', '=', domainOf(email))
    .where('verified_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Links an account at the provider with the member of the firm who has the address. Returns the account, or null without such a member. */
export async function linkMember(
  { db, now }: OperationContext,
  workspaceId: number,
  { issuer, subject, email }: ProviderIdentity,
): Promise<string | null> {
  const { rows } = await sql<{ user_id: string }>`
    insert into provider_accounts (workspace_id, issuer, subject, user_id, created_at)
    select m.workspace_id, ${issuer}, ${subject}, u.id, ${now.toISOString()}
    from users u join memberships m on m.user_id = u.id and m.workspace_id = ${workspaceId} and m.active
    where lower(u.email) = lower(${email}) and u.deleted_at is null
    returning user_id`.execute(db);
  return rows[0]?.user_id ?? null;
}

import type { AcceptInviteInput, InviteAccepted, InviteKey, OpenInvite } from '@firmdesk/contract';
import { NewPassword, permissions } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { verifyPassword } from '../../access/accounts/password.ts';
import { isAddressProved, proveAddress } from '../../access/accounts/prove-address.ts';
import { addUser, findPassword } from '../../access/accounts/users.ts';
import { recordAudit } from '../../access/audit/audit.ts';
import { INVITES, type InviteWay, inviteStateAt, wayOfInviteKey } from '../../access/invites/invite-link.ts';
import { firmSuspended } from '../../access/workspaces/firm-suspended.ts';
import { logoUrl } from '../../access/workspaces/logo.ts';
import { publishChange } from '../../access/workspaces/publish-change.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import type { AccountContext, CallContext } from '../../procedures/call-context.ts';

type Key = z.output<typeof InviteKey>;
type Accepted = z.infer<typeof InviteAccepted>;

interface FoundInvite {
  workspace: { id: number; slug: string; name: string; logo: string | null };
  id: string;
  email: string;
  permissions: string[];
  inviterId: string;
  inviter: string;
  state: OpenInvite['state'];
  expiresAt: string;
  isSuspended: boolean;
  /** Those of a new account. */
  language: string;
  timezone: string;
}
type OpenedInvite = FoundInvite & { way: InviteWay };

/** Returns the invite of a link. Throws `resource_not_found` if there is none, or if the key is not that of its link. */
export async function openInvite(ctx: CallContext, key: Key): Promise<OpenInvite> {
  const invite = await findInvite(ctx, key);
  const { workspace, email, inviter, state, expiresAt, way } = invite;
  const account = way === 'mail' ? await findPassword(ctx.services, email) : null;
  return {
    object: 'open_invite',
    tenant: {
      name: workspace.name,
      slug: workspace.slug,
      logo_url: logoUrl(ctx.services, workspace.logo),
    },
    email,
    invited_by: inviter,
    permissions: permissions.filter((known) => invite.permissions.includes(known)),
    state,
    // Who bears a copied link need not be the addressee, and must not learn who has an account.
    has_account: account === null ? null : account !== undefined && !isClaim(invite, account),
    expires_at: expiresAt,
  };
}

/**
 * The account with the address was made by the bearer of a copied link, and now somebody opens one that was mailed to the address: its owner, to whom
 * the account is new.
 */
function isClaim({ way }: OpenedInvite, account: { email_proved: boolean }): boolean {
  return way === 'mail' && !account.email_proved;
}

interface Verified {
  /** The account with the address; null if a new one is to be made. */
  userId: string | null;
  /** Whether the person sets a name and a password: the account is new, or claimed. */
  isNew: boolean;
}

/**
 * Verifies the password of the account with the address of the invite, if there is one, before the transaction. The bearer of a copied link sends
 * the same for a new account and for one that exists.
 */
export async function prepareAccept(
  ctx: CallContext,
  { password, name, ...key }: z.output<typeof AcceptInviteInput>,
): Promise<Verified> {
  const { services, call } = ctx;
  const invite = await findInvite(ctx, key);
  const { email } = invite;
  if (invite.way === 'copy') ensureNewAccount({ name, password });
  const account = await findPassword(services, email);
  if (!account) return { userId: null, isNew: true };
  if (isClaim(invite, account)) return { userId: account.id, isNew: true };
  const succeeded = await services.limits.signIn({ ip: call.ip, email: email.toLowerCase(), device: null });
  const hash = await verifyPassword(password, call.ip, async () => account.password_hash);
  if (hash === null) throw new ApiError('invalid_credentials');
  succeeded();
  return { userId: account.id, isNew: false };
}

/** Makes the account with the address of an invite a member of the firm: a new account, or one whose password was verified. Opens no session. */
export async function acceptInvite(
  ctx: CallContext & { prepared: Verified },
  { name, password, ...key }: z.output<typeof AcceptInviteInput>,
): Promise<Accepted> {
  const { userId, isNew } = ctx.prepared;
  if (!isNew) return join(ctx, key, { userId });
  return join(ctx, key, { userId, ...ensureNewAccount({ name, password }) });
}

/** Throws `validation_failed` for what is no name and password of a new account. */
function ensureNewAccount({ name, password }: { name: string | undefined; password: string }) {
  if (name === undefined) throw invalidField('name', 'must be present: the account is new');
  if (!NewPassword.safeParse(password).success)
    throw invalidField('password', 'must have at least 10 characters');
  return { name, password };
}

/** Makes the signed-in account a member of the firm. The invite must be for its address, and that proved. */
export async function joinFirm(ctx: AccountContext, key: Key): Promise<Accepted> {
  const { user } = ctx.identity;
  const { email } = await findInvite(ctx, key);
  if (email.toLowerCase() !== user.email.toLowerCase())
    throw new ApiError('forbidden', { message: `The invite is for ${email}: sign in with that address.` });
  if (!(await isAddressProved(ctx, user.id)))
    throw new ApiError('forbidden', {
      message: `It was never shown that ${email} is yours. Sign out, and open the link in the mail of the invite.`,
    });
  return join(ctx, key, { userId: user.id });
}

/** What the person sets of a new or claimed account. */
interface NewAccount {
  name?: string;
  password?: string;
}

async function join(
  ctx: CallContext,
  key: Key,
  { userId, ...account }: { userId: string | null } & NewAccount,
): Promise<Accepted> {
  const invite = await findInvite(ctx, key, { lock: true });
  if (invite.state !== 'pending') throw new ApiError('invite_ended');
  await ensureAccount(ctx, invite.email, userId);
  if (userId !== null) await ensureOwner(ctx, userId, account);
  const user = await admit(ctx, invite, { ...account, isAddressProved: invite.way === 'mail' });
  return {
    object: 'invite_accepted',
    tenant: { name: invite.workspace.name, slug: invite.workspace.slug },
    email: user.email,
  };
}

/**
 * Makes a person a member of the firm, if the firm has a pending invite for the address, and returns the account. The firm's provider has verified
 * the address, whose domain the firm owns, so the key of the link is not needed.
 */
export async function acceptInviteOf(
  ctx: CallContext,
  firm: { id: number },
  { email, name }: { email: string; name: string },
): Promise<string | null> {
  const isMeant = sql`i.workspace_id = ${firm.id} and lower(i.email) = lower(${email})`;
  // Waits for another who accepts or revokes it.
  await sql`select from invites i where ${isMeant} for no key update`.execute(ctx.db);
  const invite = (await readInvites(ctx, isMeant)).find(({ state }) => state === 'pending');
  if (!invite) return null;
  const { rows } = await sql<{ id: string }>`
    select id from users where lower(email) = lower(${email}) and deleted_at is null`.execute(ctx.db);
  // The provider shows that the person owns the address, as a mailed link does.
  if (rows[0]) await proveAddress(ctx, rows[0].id);
  return (await admit(ctx, invite, { name, isAddressProved: true })).id;
}

/** Adds the person of an invite to its firm, in the name of who has invited it. */
async function admit(
  ctx: CallContext,
  invite: FoundInvite,
  account: NewAccount & { isAddressProved: boolean },
): Promise<{ id: string; email: string }> {
  const { workspace, email } = invite;
  const user = await addUser(
    // The network is that of the new member.
    { ...ctx, actor: { kind: 'account', id: invite.inviterId }, network: undefined },
    {
      email,
      name: '',
      ...account,
      language: invite.language,
      timezone: invite.timezone,
      workspace: workspace.slug,
      role: 'admin',
      permissions: invite.permissions,
    },
  );
  await sql`
    update invites set state = 'accepted'
    where workspace_id = ${workspace.id} and id = ${invite.id}`.execute(ctx.db);
  await publishChange(ctx, workspace.id, ['members', 'invites']);
  await recordAudit({ ...ctx, actor: { kind: 'account', id: user.id } }, workspace.id, {
    action: 'invite.accepted',
    target: { type: 'invite', id: invite.id },
    after: { user: user.id },
  });
  return user;
}

/**
 * Nobody joins an account of which it is not known that the owner of the address uses it: by a copied link it is refused in the words of a wrong
 * password, and by a mailed one it becomes the owner's, with a new password.
 */
async function ensureOwner(ctx: CallContext, userId: string, { name, password }: NewAccount): Promise<void> {
  const isOwner = password === undefined ? isAddressProved(ctx, userId) : proveAddress(ctx, userId);
  if (!(await isOwner)) throw new ApiError('invalid_credentials');
  if (name !== undefined) await sql`update users set name = ${name} where id = ${userId}`.execute(ctx.db);
}

/** The address still has the account that was verified, or none. */
async function ensureAccount({ db }: CallContext, email: string, userId: string | null): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from users where lower(email) = lower(${email}) and deleted_at is null`.execute(db);
  if ((rows[0]?.id ?? null) !== userId) throw new ApiError('invalid_credentials');
}

async function findInvite(
  ctx: Pick<CallContext, 'db' | 'now'> & { services: Pick<Services, 'secret'> },
  { workspace: slug, invite: id, key }: Key,
  { lock = false } = {},
): Promise<OpenedInvite> {
  const firm = await ctx.db.selectFrom('workspaces').select('id').where('slug', '=', slug).executeTakeFirst();
  if (!firm) throw new ApiError('resource_not_found');
  const isMeant = sql`i.workspace_id = ${firm.id} and i.id = ${id}`;
  // Waits for another who accepts or revokes it.
  if (lock) await sql`select from invites i where ${isMeant} for no key update`.execute(ctx.db);
  const [invite] = await readInvites(ctx, isMeant);
  const way = invite ? await wayOfInviteKey(ctx.services, invite, key) : null;
  if (!invite || !way) throw new ApiError('resource_not_found');
  if (invite.isSuspended) throw firmSuspended();
  return { ...invite, way };
}

async function readInvites(
  ctx: Pick<CallContext, 'db' | 'now'>,
  condition: RawBuilder<unknown>,
): Promise<FoundInvite[]> {
  const { rows } = await sql<{
    id: string;
    firm_id: number;
    firm_slug: string;
    logo_hash: string | null;
    firm_name: string;
    email: string;
    permissions: string[];
    inviter_id: string;
    inviter: string;
    state: OpenInvite['state'];
    expires_at: string;
    is_suspended: boolean;
    language: string;
    timezone: string;
  }>`
    select i.id, f.id as firm_id, f.slug as firm_slug, f.name as firm_name, f.logo_hash, i.email, i.permissions, u.id as inviter_id, u.name as inviter, i.expires_at,
      ${inviteStateAt(ctx.now)} as state, f.suspended_at is not null as is_suspended, f.language, f.timezone
    from ${sql.raw(INVITES)}
    where ${condition}`.execute(ctx.db);
  return rows.map((row) => ({
    workspace: { id: row.firm_id, slug: row.firm_slug, name: row.firm_name, logo: row.logo_hash },
    id: row.id,
    email: row.email,
    permissions: row.permissions,
    inviterId: row.inviter_id,
    inviter: row.inviter,
    state: row.state,
    expiresAt: row.expires_at,
    isSuspended: row.is_suspended,
    language: row.language,
    timezone: row.timezone,
  }));
}

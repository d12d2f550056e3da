import {
  type CreateInviteInput,
  INVITE_DAYS,
  type Invite,
  MAX_INVITE_MAILS,
  MAX_INVITES_PER_DAY,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { recordAudit } from '../../access/audit/audit.ts';
import { Invite as InviteRow } from '../../access/invites/invite.entity.ts';
import { inviteUrl } from '../../access/invites/invite-link.ts';
import { queueSystemMail } from '../../mail/index.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import { newId } from '../../platform/process/ids.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { beginChange } from '../firm-changes.ts';
import { ensureHeld, ensureNotAbove } from '../members/ensure-held.ts';
import { mailOf, readInvite } from './list-invites.ts';

/** Invites a person to the firm's team. Throws `rate_limited` beyond {@link MAX_INVITES_PER_DAY}. */
export async function createInvite(
  caller: AccountContext,
  { email, permissions, by_mail }: z.output<typeof CreateInviteInput>,
): Promise<Invite> {
  const ctx = await beginChange(caller, 'invites');
  const { workspace, now, em, identity } = ctx;
  await ensureHeld(ctx, permissions);
  await ensureNew(ctx, email);
  await ensureWithinDay(ctx);
  const invite = em.create(InviteRow, {
    workspaceId: workspace.id,
    id: newId('invite', now),
    email,
    permissions,
    invitedBy: identity.user.id,
    sent: by_mail ? 1 : 0,
    createdAt: now,
    expiresAt: new Date(now.getTime() + INVITE_DAYS * DAY_MS),
  });
  await em.flush();
  if (by_mail) await queueMail(ctx, invite);
  await recordAudit(ctx, workspace.id, {
    action: 'invite.created',
    target: { type: 'invite', id: invite.id },
    after: { permissions, by_mail },
  });
  return readInvite(ctx, invite.id);
}

/** Sends the link again, and lets the invite be accepted for another {@link INVITE_DAYS} days. The caller answers for its permissions from now on. */
export async function resendInvite(caller: AccountContext, { id }: { id: string }): Promise<Invite> {
  const ctx = await beginChange(caller, 'invites');
  const { workspace, now, em, identity } = ctx;
  const invite = await readOpen(ctx, id);
  await ensureHeld(ctx, invite.permissions);
  await ensureNew(ctx, invite.email, id);
  if (invite.sent >= MAX_INVITE_MAILS)
    throw invalidField(
      'id',
      `must be an invite that was sent less than ${MAX_INVITE_MAILS} times: copy its link`,
    );
  em.assign(invite, {
    invitedBy: identity.user.id,
    sent: invite.sent + 1,
    expiresAt: new Date(now.getTime() + INVITE_DAYS * DAY_MS),
  });
  await em.flush();
  await queueMail(ctx, invite);
  await recordAudit(ctx, workspace.id, { action: 'invite.sent_again', target: { type: 'invite', id } });
  return readInvite(ctx, id);
}

/** Ends an invite: its link works no more. */
export async function revokeInvite(caller: AccountContext, { id }: { id: string }): Promise<Invite> {
  const ctx = await beginChange(caller, 'invites');
  const before = await readInvite(ctx, id);
  if (before.state === 'revoked') return before;
  const invite = await readOpen(ctx, id);
  await ensureNotAbove(ctx, { id: '', permissions: invite.permissions });
  invite.state = 'revoked';
  await ctx.em.flush();
  await recordAudit(ctx, ctx.workspace.id, { action: 'invite.revoked', target: { type: 'invite', id } });
  return readInvite(ctx, id);
}

/**
 * Returns the link of an invite, to pass on by other means. Its bearer chooses the password of a new account, and so holds the permissions:
 * who lacks one of them gets no link.
 */
export async function getInviteLink(ctx: AccountContext, { id }: { id: string }): Promise<string> {
  const invite = await readInvite(ctx, id);
  if (invite.state !== 'pending') throw new ApiError('invite_ended');
  await ensureNotAbove(ctx, { id: '', permissions: invite.permissions });
  return inviteUrl(ctx.services, { workspace: ctx.workspace, id }, 'copy');
}

async function readOpen({ em, workspace }: AccountContext, id: string): Promise<InviteRow> {
  const invite = await em.findOneOrFail(InviteRow, { workspaceId: workspace.id, id }, { refresh: true });
  if (invite.state !== 'pending') throw new ApiError('invite_ended');
  return invite;
}

/** The address belongs to no member of the firm and has no other invite that is pending. */
async function ensureNew({ db, workspace, now }: AccountContext, email: string, except = ''): Promise<void> {
  const { rows } = await sql<{ is_member: boolean; is_invited: boolean }>`
    select exists (
        select from memberships m join users u on u.id = m.user_id
        where m.workspace_id = ${workspace.id} and m.active and u.deleted_at is null and lower(u.email) = lower(${email})) as is_member,
      exists (
        select from invites where workspace_id = ${workspace.id} and lower(email) = lower(${email}) and state = 'pending'
          and expires_at > ${now.toISOString()} and id <> ${except}) as is_invited`.execute(db);
  if (rows[0]!.is_member) throw invalidField('email', 'belongs to a member or a trader of the firm');
  if (rows[0]!.is_invited) throw invalidField('email', 'has an invite: send it again, or revoke it');
}

async function ensureWithinDay({ db, workspace, now }: AccountContext): Promise<void> {
  const since = new Date(now.getTime() - DAY_MS).toISOString();
  const { rows } = await sql<{ created_at: string }>`
    select created_at from invites where workspace_id = ${workspace.id} and created_at > ${since}
    order by created_at desc limit 1 offset ${MAX_INVITES_PER_DAY - 1}`.execute(db);
  const [oldest] = rows;
  if (!oldest) return;
  throw new ApiError('rate_limited', {
    message: `A firm can make ${MAX_INVITES_PER_DAY} invites a day.`,
    retryAfterSeconds: Math.max(
      1,
      Math.ceil((Date.parse(oldest.created_at) + DAY_MS - now.getTime()) / 1000),
    ),
    limit: 'invites',
  });
}

function queueMail(ctx: AccountContext, { id, sent, expiresAt }: InviteRow): Promise<void> {
  return queueSystemMail(ctx, ctx.workspace.id, {
    kind: 'invite',
    userId: ctx.identity.user.id,
    about: mailOf(id, sent),
    content: { invite_id: id },
    sendUntil: expiresAt.toISOString(),
  });
}

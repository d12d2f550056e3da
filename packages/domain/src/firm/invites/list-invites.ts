import { type Invite, permissions } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { INVITES, inviteStateAt } from '../../access/invites/invite-link.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/** Returns the invites that are pending or have ended lately, newest first. The retention deletes the others. */
export function listInvites(ctx: AccountContext): Promise<Invite[]> {
  return selectInvites(ctx, sql`true`);
}

/** Returns an invite of the firm. Throws `resource_not_found`. */
export async function readInvite(ctx: AccountContext, id: string): Promise<Invite> {
  const [invite] = await selectInvites(ctx, sql`i.id = ${id}`);
  if (!invite) throw new ApiError('resource_not_found');
  return invite;
}

/** What the mail is about that was sent as the nth one of an invite. */
export const mailOf = (id: string, sent: number) => `invite ${id} ${sent}`;

async function selectInvites(
  { db, workspace, now }: AccountContext,
  condition: RawBuilder<unknown>,
): Promise<Invite[]> {
  const { rows } = await sql<Omit<Invite, 'object' | 'invited_by'> & { inviter_id: string; inviter: string }>`
    select i.id, i.email, i.permissions, ${inviteStateAt(now)} as state, i.sent, i.created_at, i.expires_at, u.id as inviter_id,
      u.name as inviter, s.state as delivery
    from ${sql.raw(INVITES)}
    left join outgoing_messages o on o.workspace_id = ${workspace.id} and o.kind = 'invite' and o.about = 'invite ' || i.id || ' ' || i.sent
    left join outgoing_recipients s on s.workspace_id = ${workspace.id} and s.message_id = o.id
    where i.workspace_id = ${workspace.id} and ${condition}
    order by i.created_at desc, i.id desc`.execute(db);
  return rows.map(({ inviter_id, inviter, ...row }) => ({
    ...row,
    object: 'invite',
    permissions: permissions.filter((known) => row.permissions.includes(known)),
    invited_by: { id: inviter_id, name: inviter },
  }));
}

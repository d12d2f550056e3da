import type { DismissMemberInput, Member, MemberDismissed, UpdateMemberInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { findLostRight } from '../../access/lost-right.ts';
import { IS_ADMIN, isPermitted } from '../../access/policy.ts';
import { dismissMember, readmitMember } from '../../access/workspaces/dismiss-member.ts';
import { changePermissions } from '../../access/workspaces/member-permissions.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { findTicketsOf, reassignTickets } from '../../tickets/index.ts';
import { beginChange } from '../firm-changes.ts';
import { ensureHeld, ensureNotAbove } from './ensure-held.ts';
import { readMember } from './list-members.ts';

/** Replaces the permissions of a member. Throws `resource_not_found`. */
export async function updateMember(
  caller: AccountContext,
  { id, permissions }: z.output<typeof UpdateMemberInput>,
): Promise<Member> {
  const ctx = await beginChange(caller, 'members');
  const before = await readMember(ctx, id);
  await ensureHeld(
    ctx,
    permissions.filter((one) => !before.permissions.includes(one)),
  );
  if (before.permissions.some((one) => !permissions.includes(one))) await ensureNotAbove(ctx, before);
  await changePermissions(ctx, targetOf(ctx, id), { set: permissions });
  await ensureManaged(ctx, before, 'permissions');
  return readMember(ctx, id);
}

/** Returns the ids of the tickets that a dismissal assigns to another agent; null if it leaves them. */
export function findTicketsToReassign(
  ctx: AccountContext,
  { id, reassign_to }: z.output<typeof DismissMemberInput>,
): Promise<string[] | null> {
  return reassign_to === undefined ? Promise.resolve(null) : findTicketsOf(ctx, { assignee: id });
}

/**
 * Ends the membership: of the firm at once, with its sessions and keys there. `tickets` are assigned to `reassign_to`. Throws
 * `resource_not_found`.
 */
export async function dismissFromFirm(
  caller: AccountContext,
  { id, reassign_to }: z.output<typeof DismissMemberInput>,
  tickets: readonly string[] | null,
): Promise<z.input<typeof MemberDismissed>> {
  const ctx = await beginChange(caller, 'members');
  const before = await readMember(ctx, id);
  if (before.state === 'dismissed') throw new ApiError('resource_not_found');
  await ensureNotAbove(ctx, before);
  if (tickets && (await findLostRight(ctx, ctx.identity.user.id, ctx.workspace.id)) !== null)
    throw new ApiError('forbidden', {
      message: 'To assign tickets you need the permissions view_tickets and manage_tickets.',
    });
  await dismissMember(ctx, { email: id, workspace: ctx.workspace.slug });
  await ctx.em.flush();
  await ensureManaged(ctx, before, 'id');
  const assignment = { set: 'assignee', assignee: reassign_to ?? null } as const;
  const change = tickets && (await reassignTickets(ctx, assignment, tickets, 'reassign_to'));
  return { object: 'member_dismissed', id, bulk_change: change && tickets.length > 0 ? change.id : null };
}

/** Makes a dismissed member a member again, with the same permissions. Changes nothing for another member. Throws `resource_not_found`. */
export async function readmitToFirm(caller: AccountContext, { id }: { id: string }): Promise<Member> {
  const ctx = await beginChange(caller, 'members');
  const member = await readMember(ctx, id);
  if (member.state !== 'dismissed') return member;
  await ensureHeld(ctx, member.permissions);
  await readmitMember(ctx, { email: id, workspace: ctx.workspace.slug });
  await ctx.em.flush();
  return readMember(ctx, id);
}

const targetOf = ({ workspace }: AccountContext, user: string) => ({ user, workspace: workspace.slug });

/** The change of a member who could manage members leaves one who can, so that the firm needs no operator. */
async function ensureManaged(
  { db, workspace }: AccountContext,
  before: Member,
  field: string,
): Promise<void> {
  if (before.state !== 'active' || !before.permissions.includes('manage_members')) return;
  const { rows } = await sql`
    select from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${workspace.id}
    and ${sql.raw(IS_ADMIN)} and ${sql.raw(isPermitted('manage_members'))} limit 1`.execute(db);
  if (rows.length === 0)
    throw invalidField(
      field,
      'must leave the firm a member who can manage members: give somebody else that permission first',
    );
}

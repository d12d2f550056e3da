import type { Member } from '@firmdesk/contract';
import { permissions } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { avatarUrl, selectAvatar } from '../../access/accounts/avatar.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/** Returns the firm's team: its administrators, also those who were dismissed. */
export function listMembers(ctx: AccountContext): Promise<Member[]> {
  return selectMembers(ctx, sql`true`);
}

/** Returns a member of the firm's team. Throws `resource_not_found`. */
export async function readMember(ctx: AccountContext, id: string): Promise<Member> {
  const [member] = await selectMembers(ctx, sql`u.id = ${id}`);
  if (!member) throw new ApiError('resource_not_found');
  return member;
}

async function selectMembers(
  { db, services, workspace }: AccountContext,
  condition: RawBuilder<unknown>,
): Promise<Member[]> {
  const { rows } = await sql<Omit<Member, 'object'>>`
    select u.id, u.name, u.email, ${sql.raw(selectAvatar('u'))} as avatar_url,
      case when u.deactivated_at is not null then 'deactivated' when m.active then 'active' else 'dismissed' end as state,
      m.permissions, m.created_at,
      (select max(t.last_used_at) from tokens t where t.user_id = u.id and t.workspace_id = m.workspace_id) as last_used_at
    from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${workspace.id} and m.role = 'admin' and u.deleted_at is null and ${condition}
    order by lower(u.name), u.id`.execute(db);
  return rows.map((row) => ({
    ...row,
    object: 'member',
    avatar_url: avatarUrl(services, row.avatar_url),
    permissions: permissions.filter((known) => row.permissions.includes(known)),
  }));
}

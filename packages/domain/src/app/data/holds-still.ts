import type { Permission } from '@firmdesk/contract';
import { sql } from 'kysely';
import { isPermitted, MAY_ACT_IN_WORKSPACE } from '../../access/policy.ts';
import type { OperationContext } from '../../platform/database/context.ts';

/** Returns whether an account still holds the permissions with which it asked for something in a firm, or acts as staff in it. */
export async function holdsStill(
  { db }: OperationContext,
  { workspaceId, userId }: { workspaceId: number; userId: string },
  permissions: readonly Permission[],
): Promise<boolean> {
  const isAllowed = permissions.map(isPermitted).join(' and ');
  const { rows } = await sql`
    select from users u join workspaces h on h.id = ${workspaceId}
    join workspaces f on f.id = h.id join workspaces w on w.id = h.id
    left join memberships m on m.workspace_id = w.id and m.user_id = u.id
    where u.id = ${userId}
      and (${sql.raw(MAY_ACT_IN_WORKSPACE)} or coalesce(${sql.raw(isAllowed)}, false))`.execute(db);
  return rows.length > 0;
}

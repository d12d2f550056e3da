import type { Permission } from '@firmdesk/contract';
import { sql } from 'kysely';
import { MAY_ACT_IN_WORKSPACE, PERMISSIONS } from '../../access/policy.ts';
import type { OperationContext } from '../../platform/database/context.ts';

/**
 * Returns whether an account still holds the permissions with which it asked for something in a firm, and all that the member holds whom it is about,
 * or acts as staff in the firm.
 */
export async function holdsStill(
  { db }: OperationContext,
  { workspaceId, userId, about = null }: { workspaceId: number; userId: string; about?: string | null },
  permissions: readonly Permission[],
): Promise<boolean> {
  const { rows } = await sql`
    select from users u join workspaces h on h.id = ${workspaceId}
    join workspaces f on f.id = h.id join workspaces w on w.id = h.id
    left join memberships m on m.workspace_id = w.id and m.user_id = u.id
    where u.id = ${userId}
      and (${sql.raw(MAY_ACT_IN_WORKSPACE)} or coalesce(${sql.raw(PERMISSIONS)} @> ${permissions}::text[]
        and ${sql.raw(PERMISSIONS)} @> coalesce((
          select o.permissions from memberships o
          where o.workspace_id = w.id
          and o.user_id = ${about}::text and o.role = 'admin' and o.active), '{}'), false))`.execute(db);
  return rows.length > 0;
}

import { allFirms } from '../../platform/distribution/all-firms.ts';
import type { Services } from '../../platform/services.ts';
import { personalRows } from './personal-rows.ts';

/** A firm whose rows name an account. */
export interface AccountFirm {
  id: number;
  slug: string;
}

/** Returns the firms of which an account is or was a member, and those whose rows name it: of staff, and after imports. */
export async function findAccountFirms(
  { pool, firmServers }: Pick<Services, 'pool' | 'firmServers'>,
  userId: string,
): Promise<AccountFirm[]> {
  const ids = new Set<number>();
  for (const { table, column } of personalRows) {
    const rows = await firmServers.readAll<{ workspace_id: number }>({
      text: (isAmong) => `${allFirms('account-rows')}
        select distinct workspace_id from ${table} where ${column} = $1 and ${isAmong('workspace_id')}`,
      values: [userId],
    });
    for (const { workspace_id } of rows) ids.add(workspace_id);
  }
  const { rows } = await pool.query<{ id: number; slug: string }>(
    `select id, slug from workspaces
     where id = any($2) or id in (select workspace_id from memberships where user_id = $1) order by id`,
    [userId, [...ids]],
  );
  return rows;
}

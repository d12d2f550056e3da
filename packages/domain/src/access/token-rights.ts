import { queryPool } from '../platform/query-pool.ts';
import type { Services } from '../platform/services.ts';
import { BELONGS_TO_WORKSPACE, isLive, TOKENS } from './policy.ts';

const FIND_TOKEN_RIGHTS = {
  name: 'find-token-rights',
  text: `
    select t.id, md5(concat_ws('|', t.scopes::text, m.role, m.active, m.permissions::text, u.is_staff,
      u.staff_of_all_firms, (select string_agg(s.workspace_id::text, ',' order by s.workspace_id)
        from staff_firms s where s.user_id = u.id))) as rights
    from ${TOKENS}
    where t.id = any($1) and ${isLive('$2::timestamptz')} and ${BELONGS_TO_WORKSPACE}`,
};

/**
 * Returns a fingerprint of the rights of each token, which changes when the rights change. Omits tokens that are no longer live
 * and tokens whose account no longer belongs to the workspace. For connections that stay open longer than one call.
 */
export async function readTokenRights(services: Services, tokenIds: string[]): Promise<Map<string, string>> {
  const { rows } = await queryPool<{ id: string; rights: string }>(services.pool, {
    ...FIND_TOKEN_RIGHTS,
    values: [tokenIds, services.clock.now().toISOString()],
  });
  return new Map(rows.map(({ id, rights }) => [id, rights]));
}

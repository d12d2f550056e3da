import { TOKEN_IDLE_DAYS } from '@firmdesk/contract';
import { DAY_MS } from '../kernel/clock.ts';
import type { Services } from '../kernel/services.ts';

const FIND_AUTHORITIES = {
  name: 'find-authorities',
  text: `
    select t.id, md5(concat_ws('|', t.scopes::text, m.role, m.active, m.permissions::text, u.is_staff,
      u.staff_of_all_firms, (select string_agg(s.workspace_id::text, ',' order by s.workspace_id)
        from staff_firms s where s.user_id = u.id))) as authority
    from tokens t
    join users u on u.id = t.user_id
    left join memberships m on m.workspace_id = t.workspace_id and m.user_id = t.user_id
    where t.id = any($1) and t.revoked_at is null and u.deleted_at is null
      and (t.expires_at is null or t.expires_at > $2) and coalesce(t.last_used_at, t.created_at) > $3`,
};

/**
 * What each of the tokens may do, as a text that changes when that does; a token that has ended is left out. For what
 * stays open longer than one call.
 */
export async function authoritiesOf(services: Services, tokenIds: string[]): Promise<Map<string, string>> {
  const now = services.clock.now();
  const idleSince = new Date(now.getTime() - TOKEN_IDLE_DAYS * DAY_MS);
  const { rows } = await services.pool.query<{ id: string; authority: string }>({
    ...FIND_AUTHORITIES,
    values: [tokenIds, now.toISOString(), idleSince.toISOString()],
  });
  return new Map(rows.map(({ id, authority }) => [id, authority]));
}

import { type ApiKey, MAX_KEYS_LISTED, scopes } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/** Returns the API keys of the firm and of its sandbox that were not revoked, newest first. */
export function listKeys(ctx: AccountContext): Promise<ApiKey[]> {
  return selectKeys(ctx, sql`true`);
}

/** Returns one of {@link listKeys}. Throws `resource_not_found`. */
export async function readKey(ctx: AccountContext, id: string): Promise<ApiKey> {
  const [key] = await selectKeys(ctx, sql`t.id = ${id}`);
  if (!key) throw new ApiError('resource_not_found');
  return key;
}

async function selectKeys(
  { db, workspace, now }: AccountContext,
  condition: RawBuilder<unknown>,
): Promise<ApiKey[]> {
  const { rows } = await sql<Omit<ApiKey, 'object' | 'member'> & { user_id: string; user_name: string }>`
    select t.id, t.name, t.environment, t.scopes, t.created_at, t.last_used_at, t.expires_at, u.id as user_id, u.name as user_name,
      case when t.previous_secret_until > ${now.toISOString()} then t.previous_secret_until end as previous_until
    from tokens t join users u on u.id = t.user_id
    where t.workspace_id in (select w.id from workspaces w where ${workspace.id} in (w.id, w.sandbox_of))
      and t.kind = 'api_key' and t.revoked_at is null and ${condition}
    order by t.created_at desc, t.id desc limit ${MAX_KEYS_LISTED}`.execute(db);
  return rows.map(({ user_id, user_name, ...key }) => ({
    ...key,
    object: 'api_key',
    scopes: scopes.filter((known) => key.scopes.includes(known)),
    member: { id: user_id, name: user_name },
  }));
}

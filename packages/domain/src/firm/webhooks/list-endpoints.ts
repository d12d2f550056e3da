import type { WebhookEndpoint } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/** Returns the endpoints of the firm, newest first. */
export function listEndpoints(ctx: AccountContext): Promise<WebhookEndpoint[]> {
  return selectEndpoints(ctx, sql`true`);
}

/** Returns one of {@link listEndpoints}. Throws `resource_not_found`. */
export async function readEndpoint(ctx: AccountContext, id: string): Promise<WebhookEndpoint> {
  const [endpoint] = await selectEndpoints(ctx, sql`id = ${id}`);
  if (!endpoint) throw new ApiError('resource_not_found');
  return endpoint;
}

async function selectEndpoints(
  { db, workspace, now }: AccountContext,
  condition: RawBuilder<unknown>,
): Promise<WebhookEndpoint[]> {
  const { rows } = await sql<Omit<WebhookEndpoint, 'object'>>`
    select id, url, description, events, disabled, failing_since, created_at,
      case when previous_secret_until > ${now.toISOString()} then previous_secret_until end as previous_until
    from webhook_endpoints where workspace_id = ${workspace.id} and ${condition}
    order by created_at desc, id desc`.execute(db);
  return rows.map((row) => ({ object: 'webhook_endpoint', ...row }));
}

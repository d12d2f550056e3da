import type { Ping } from '@firmdesk/contract';
import { firmSlug } from '../access/workspaces/sandbox.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/** Returns the scopes and the workspace of the token (contract §4.1). */
export function ping({ identity, now }: AccountContext): Ping {
  return {
    ok: true,
    environment: identity.environment,
    api_key: identity.tokenId,
    scopes: [...identity.scopes],
    tenant: { name: identity.home.name, slug: firmSlug(identity.home.slug) },
    time: now.toISOString(),
  };
}

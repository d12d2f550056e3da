import type { Ping } from '@firmdesk/contract';
import type { AccountContext } from '../procedures/call-context.ts';

/** Contract §4.1: the key is valid; what it may do, and where. */
export function ping({ identity, now }: AccountContext): Ping {
  return {
    ok: true,
    environment: identity.environment,
    api_key: identity.tokenId,
    scopes: [...identity.scopes],
    tenant: { name: identity.home.name, slug: identity.home.slug },
    time: now.toISOString(),
  };
}

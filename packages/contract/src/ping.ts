import { z } from 'zod';
import { Scope, Slug, tokenEnvironments } from './access.ts';
import { Timestamp } from './fields.ts';
import { idOf } from './ids.ts';

/** The workspace of a token; `platform` for the service's own staff. */
export const Tenant = z.object({ name: z.string(), slug: Slug });

/** Contract §2.8. */
export const Ping = z.object({
  ok: z.boolean(),
  environment: z.enum(tokenEnvironments),
  api_key: idOf('token').meta({ description: 'The key’s id; safe to log' }),
  scopes: z.array(Scope),
  tenant: Tenant,
  time: Timestamp,
});
export type Ping = z.infer<typeof Ping>;

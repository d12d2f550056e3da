import * as z from 'zod';
import { Scope, Slug, WorkspaceSlug } from './firm/access.ts';
import { LogoUrl, Timestamp } from './values/fields.ts';
import { idOf } from './values/ids.ts';
import { tokenEnvironments } from './values/schema-enumerations.ts';

/** The workspace of a token; `platform` for the service's own staff. */
export const Tenant = z.object({
  name: z.string().meta({ description: 'The name to show to users' }),
  slug: Slug.meta({ description: 'The name in the header `Service-Workspace`' }),
});

/** A workspace as people choose it. */
export const FirmTenant = Tenant.extend({ logo_url: LogoUrl });

/** A workspace: a firm, `platform`, or the sandbox of either, whose slug ends with `.test`. */
export const WorkspaceName = Tenant.extend({ slug: WorkspaceSlug });

/** Contract §2.8. */
export const Ping = z.object({
  ok: z.boolean().meta({ description: 'Always true' }),
  environment: z.enum(tokenEnvironments).meta({ description: 'The environment of the token' }),
  api_key: idOf('token').meta({ description: 'The key’s id; safe to log' }),
  scopes: z.array(Scope).meta({ description: 'What the token may be used for' }),
  tenant: Tenant,
  time: Timestamp,
});
export type Ping = z.infer<typeof Ping>;

import { z } from 'zod';
import { memberRoles, Permission, Scope } from './access.ts';
import { idOf } from './ids.ts';
import { Tenant } from './ping.ts';

/** A person as they see themselves. */
export const AccountUser = z.object({
  id: idOf('user'),
  name: z.string(),
  email: z.string(),
  timezone: z.string().meta({ description: 'IANA zone' }),
  language: z.string().meta({ description: 'BCP 47 tag' }),
});

/** At most this many workspaces are listed. */
export const MAX_WORKSPACES_LISTED = 1_000;

/** Who calls, where, and what they may do there. */
export const Account = z.object({
  object: z.literal('account'),
  user: AccountUser,
  is_staff: z.boolean().meta({ description: 'Whether the caller acts as one of the service’s own staff' }),
  workspace: Tenant.extend({
    role: z
      .enum([...memberRoles, 'staff'])
      .nullable()
      .meta({ description: 'Null for a member who no longer helps run it' }),
  }).meta({ description: 'The token’s own environment, or the firm that the staff name' }),
  permissions: z.array(Permission).meta({ description: 'In that firm; none in `platform`' }),
  scopes: z.array(Scope),
  workspaces: z.array(Tenant).meta({
    description:
      'The firms that the caller may act in, by name; a signed-in device is told of all firms of its account',
  }),
});
export type Account = z.infer<typeof Account>;

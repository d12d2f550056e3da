import * as z from 'zod';
import { Permission, Scope } from '../firm/access.ts';
import { FirmTenant, WorkspaceName } from '../ping.ts';
import { Language, LogoUrl, VisibleLine } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';
import { MAX_AVATAR_URL } from '../values/limits.ts';
import { memberRoles } from '../values/schema-enumerations.ts';
import { IanaZone } from './devices.ts';

/** The caller's own account. */
export const AccountUser = z.object({
  id: idOf('user').meta({ description: 'The id of the account' }),
  name: z.string().meta({ description: 'The name to show to users' }),
  email: z.string().meta({ description: 'The address with which the account signs in' }),
  timezone: z.string().meta({ description: 'The IANA zone of the account, in which days begin' }),
  language: z.string().meta({ description: 'The language of push notifications, a BCP 47 tag' }),
});

/** The new time zone of the caller's account. */
export const SetTimezoneInput = z.object({ timezone: IanaZone });

/** What is left out stays. `avatar`: a picture as a `data:` URL, or null for none. */
export const SetAccountProfileInput = z.object({
  name: VisibleLine.max(100).optional(),
  language: Language.max(35).optional(),
  avatar: z
    .string()
    .regex(/^data:image\/(png|jpeg|gif|webp|avif);base64,/, 'must be a picture as a data: URL')
    .max(MAX_AVATAR_URL)
    .nullable()
    .optional(),
});

/** The caller, the workspace of the call, and the caller's rights there. */
export const Account = z.object({
  object: z.literal('account'),
  user: AccountUser,
  avatar_url: z.string().nullable().meta({ description: 'The picture of the account' }),
  is_staff: z
    .boolean()
    .meta({ description: 'Whether the caller acts as a member of the service’s own staff' }),
  needs_reason: z.boolean().meta({
    description: 'Whether the caller is staff and must say why it acts in that firm before it can',
  }),
  workspace: WorkspaceName.extend({
    logo_url: LogoUrl,
    role: z
      .enum([...memberRoles, 'staff'])
      .nullable()
      .meta({ description: 'Null for an account that no longer belongs to the workspace' }),
  }).meta({
    description: 'The token’s own workspace, or the firm that staff name; for a test token, its sandbox',
  }),
  permissions: z.array(Permission).meta({ description: 'The permissions in that firm; empty in `platform`' }),
  scopes: z.array(Scope),
  workspaces: z.array(FirmTenant).meta({
    description:
      'The firms in which the caller may act, sorted by name; a signed-in device gets all firms of its account',
  }),
});
export type Account = z.infer<typeof Account>;

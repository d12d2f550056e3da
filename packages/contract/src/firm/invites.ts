import * as z from 'zod';
import { Email } from '../mail/email.ts';
import { FirmTenant, Tenant } from '../ping.ts';
import { Timestamp, VisibleLine } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';
import { deliveryStates } from '../values/schema-enumerations.ts';
import { Permission, Slug } from './access.ts';

/**
 * How far an invite has come. `withdrawn`: who made it may no longer give its permissions, so nobody can accept it until a member who may
 * sends it again.
 */
export const InviteState = z.enum(['pending', 'accepted', 'expired', 'revoked', 'withdrawn']);

/**
 * An invite of a person to the firm's team, for one email address. `delivery`: of the last mail with its link; null if none was sent.
 * `sent`: how many mails were sent.
 */
export const Invite = z.object({
  object: z.literal('invite'),
  id: idOf('invite'),
  email: z.string(),
  permissions: z.array(Permission),
  state: InviteState,
  invited_by: z.object({ id: idOf('user'), name: z.string() }),
  delivery: z.enum(deliveryStates).nullable(),
  sent: z.int(),
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type Invite = z.infer<typeof Invite>;

/** The invites that are pending or have ended in the last 30 days, newest first. */
export const Invites = z.object({ data: z.array(Invite) });

/** `by_mail`: whether the service sends the link to the address. Otherwise a member passes it on. */
export const CreateInviteInput = z.object({
  email: Email,
  permissions: z.array(Permission).max(100),
  by_mail: z.boolean().default(true),
});

export const InviteRef = z.object({ id: idOf('invite') });

/** The link with which one accepts an invite. */
export const InviteLink = z.object({ object: z.literal('invite_link'), id: idOf('invite'), url: z.string() });

/** Names an invite, with the key from its link. */
export const InviteKey = z.object({ workspace: Slug, invite: idOf('invite'), key: z.string().max(100) });

/** An invite as the person sees it who opens its link. `has_account`: whether its address has an account, which then joins the firm; null for a copied link, whose bearer may be anybody. */
export const OpenInvite = z.object({
  object: z.literal('open_invite'),
  tenant: FirmTenant,
  email: z.string(),
  invited_by: z.string(),
  permissions: z.array(Permission),
  state: InviteState,
  has_account: z.boolean().nullable(),
  expires_at: Timestamp,
});
export type OpenInvite = z.infer<typeof OpenInvite>;

/** `password`: of the account with the address, or the first one of a new account, which also needs `name`. */
export const AcceptInviteInput = InviteKey.extend({
  name: VisibleLine.max(100).optional(),
  password: z.string().min(1).max(1024),
});

export const InviteAccepted = z.object({
  object: z.literal('invite_accepted'),
  tenant: Tenant,
  email: z.string(),
});

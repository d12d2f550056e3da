import * as z from 'zod';
import { Scope, Slug, WorkspaceSlug } from '../firm/access.ts';
import { Email } from '../mail/email.ts';
import { FirmTenant, Tenant, WorkspaceName } from '../ping.ts';
import { Timestamp, VisibleLine } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';
import { signInMethods } from '../values/schema-enumerations.ts';
import { AccountUser } from './account.ts';

/** A new password. At sign-in, any string of at most 1,024 characters is tried. */
export const NewPassword = z.string().min(10).max(1024);

/** Six digits of an authenticator app, or a recovery code. */
export const SignInCode = z.string().min(1).max(40);

/** Where a new session acts, and how it is kept. With `cookie` the token is not in the response but in an HttpOnly cookie, for browsers. */
export const NewSession = z.object({
  workspace: Slug.optional().meta({
    description: 'The firm to act in; required for an account of several',
    examples: ['northwind'],
  }),
  name: VisibleLine.max(100)
    .optional()
    .meta({ description: 'The name of the device in the list of sessions' }),
  cookie: z
    .boolean()
    .default(false)
    .meta({
      description: 'For browsers: the token comes in an HttpOnly cookie and not in the response',
      examples: [false],
    }),
});

/** The input of a sign-in: an address with its password, or the challenge that stands for them after `second_factor_required`. */
export const SignInInput = NewSession.extend({
  email: Email.optional().meta({
    description: 'The address of the account; required without a challenge',
    examples: ['maya@example.com'],
  }),
  password: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .meta({
      description: 'The password of the account; required without a challenge',
      examples: ['correct horse battery staple'],
    }),
  challenge: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({
      description: 'The challenge of `second_factor_required`, in place of email and password',
      examples: ['q3VtZ0f4b1oYw6b7nJr8sT2uXc5dEhKmPaLg9iVqR0s'],
    }),
  code: SignInCode.optional().meta({
    description: 'A code of the authenticator app, or a recovery code',
    examples: ['123456'],
  }),
  device: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({
      description:
        'The `device` of an earlier sign-in: wrong passwords from other devices do not delay a known device',
      examples: ['dev_4x7q2m'],
    }),
}).superRefine((input, { addIssue }) => {
  for (const field of ['email', 'password'] as const)
    if (input.challenge === undefined && input[field] === undefined)
      addIssue({ code: 'custom', path: [field], message: 'must be present without a challenge' });
});

/** A signed-in device. Its id is the `session` of push notifications (contract §6.1). */
export const Session = z.object({
  object: z.literal('session'),
  id: idOf('token').meta({ description: 'The id of the session, which push notifications name' }),
  name: z.string().nullable().meta({ description: 'The name of the device, from the sign-in' }),
  created_at: Timestamp.meta({ description: 'The time of the sign-in' }),
  last_used_at: Timestamp.nullable().meta({ description: 'The time of the last call, to the minute' }),
  expires_at: Timestamp.nullable().meta({
    description: 'Null: the session expires only when it is not used',
  }),
  signed_in_by: z
    .enum(signInMethods)
    .nullable()
    .meta({
      description:
        'How it was opened; `code` is a password with the code of a second factor. Null for one of before this was stored',
      examples: ['password'],
    }),
  current: z.boolean().meta({ description: 'Whether the call was made with this session' }),
});
export type Session = z.infer<typeof Session>;

/** The response to a sign-in, which is the only one that contains the token. */
export const SignedIn = Session.extend({
  token: z.string().nullable().meta({ description: 'The bearer token; null if it is in a cookie' }),
  device: z.string().meta({
    description:
      'Store it, also after signing out, and send it with the next sign-in. It is not a credential.',
  }),
  scopes: z.array(Scope).meta({ description: 'What the token may be used for' }),
  tenant: Tenant,
  user: AccountUser,
});
export type SignedIn = z.infer<typeof SignedIn>;

/** A browser's session of the console. */
export const BrowserSession = z.object({
  object: z.literal('browser_session'),
  workspace: WorkspaceName.meta({
    description: 'The workspace of the session: a firm, `platform`, or the sandbox of either',
  }),
  user: AccountUser.pick({ id: true, name: true, email: true }),
  workspaces: z
    .array(FirmTenant)
    .meta({ description: 'The firms in which its account may act, sorted by name' }),
});
export type BrowserSession = z.infer<typeof BrowserSession>;

export const OpenSessionInput = z.object({ workspace: WorkspaceSlug });

/** The browser can now act in that firm. The response sets a cookie if the browser needs another one. */
export const SessionOpened = z.object({ object: z.literal('session_opened'), tenant: WorkspaceName });
export type SessionOpened = z.infer<typeof SessionOpened>;

export const SessionEnded = z.object({
  object: z.literal('session_ended'),
  id: idOf('token').meta({ description: 'The id of the session that was signed out' }),
});
export type SessionEnded = z.infer<typeof SessionEnded>;

/** A passkey of an account. */
export const Passkey = z.object({
  object: z.literal('passkey'),
  id: z
    .uuid()
    .meta({ description: 'The id of the passkey', examples: ['0197a6f2-5b1c-7d3e-9f40-1a2b3c4d5e6f'] }),
  name: z.string().meta({ description: 'The name that its owner gave it', examples: ['Laptop'] }),
  created_at: Timestamp.meta({ description: 'When it was added' }),
  last_used_at: Timestamp.nullable().meta({ description: 'When it last opened or confirmed a session' }),
});
export type Passkey = z.infer<typeof Passkey>;

export const ChangePasswordInput = z.object({
  current_password: z.string().min(1).max(1024).meta({ description: 'The password until now' }),
  new_password: NewPassword.meta({ description: 'The password from now on' }),
  remove_passkeys: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether the passkeys of the account end too', examples: [false] }),
});

export const PasswordChanged = z.object({
  object: z.literal('password_changed'),
  signed_out: z.int().min(0).meta({ description: 'The number of other devices that the change signed out' }),
  passkeys: z.array(Passkey).meta({ description: 'The passkeys that still open the account' }),
});

import { z } from 'zod';
import { Scope, Slug } from './access.ts';
import { AccountUser } from './account.ts';
import { Email } from './email.ts';
import { Timestamp } from './fields.ts';
import { idOf } from './ids.ts';
import { Tenant } from './ping.ts';

/** A password that may be chosen. At sign-in any string of at most 1,024 characters is tried. */
export const NewPassword = z.string().min(10).max(1024);

/** What a sign-in sends. `cookie` keeps the token out of the answer: it comes as an httpOnly cookie (for browsers). */
export const SignInInput = z.object({
  email: Email,
  password: z.string().min(1).max(1024),
  workspace: Slug.optional().meta({ description: 'The firm to act in; needed by an account of several' }),
  name: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'How the device is named among the sessions' }),
  device: z.string().min(1).max(200).optional().meta({
    description:
      'The `device` of an earlier sign-in: lets a known device in where wrong passwords from elsewhere hold the account up',
  }),
  cookie: z.boolean().default(false),
});

/** A signed-in device. Its id is the `session` of push notifications (contract §6.1). */
export const Session = z.object({
  object: z.literal('session'),
  id: idOf('token'),
  name: z.string().nullable(),
  created_at: Timestamp,
  last_used_at: Timestamp.nullable(),
  expires_at: Timestamp.nullable(),
  current: z.boolean(),
});
export type Session = z.infer<typeof Session>;

/** The answer to a sign-in: the one time that the token is shown. */
export const SignedIn = Session.extend({
  token: z.string().nullable().meta({ description: 'The bearer token; null when it was sent as a cookie' }),
  device: z.string().meta({
    description: 'Keep it through signing out, and send it with the next sign-in. It is no credential.',
  }),
  scopes: z.array(Scope),
  tenant: Tenant,
  user: AccountUser,
});
export type SignedIn = z.infer<typeof SignedIn>;

/** A session that a browser holds for the console. */
export const BrowserSession = z.object({
  object: z.literal('browser_session'),
  workspace: Tenant.meta({ description: 'The workspace of the session: a firm, or `platform`' }),
  user: AccountUser.pick({ id: true, name: true, email: true }),
  workspaces: z.array(Tenant).meta({ description: 'The firms that its account may go to, by name' }),
});
export type BrowserSession = z.infer<typeof BrowserSession>;

export const OpenSessionInput = z.object({ workspace: Slug });

/** The browser can act in that firm from now on; where that needed a cookie, the answer set it. */
export const SessionOpened = z.object({ object: z.literal('session_opened'), tenant: Tenant });
export type SessionOpened = z.infer<typeof SessionOpened>;

/** At most this many sessions are listed, most recently used first. */
export const MAX_SESSIONS_LISTED = 100;

export const SessionEnded = z.object({ object: z.literal('session_ended'), id: idOf('token') });

export const ChangePasswordInput = z.object({
  current_password: z.string().min(1).max(1024),
  new_password: NewPassword,
});

/** `signed_out`: how many other devices the change signed out. */
export const PasswordChanged = z.object({ object: z.literal('password_changed'), signed_out: z.int() });

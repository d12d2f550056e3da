import * as z from 'zod';
import { Slug } from '../firm/access.ts';
import { Email } from '../mail/email.ts';
import { Line, Timestamp } from '../values/fields.ts';
import { idOf } from '../values/ids.ts';
import { NewSession } from './sessions.ts';

/** A domain of mail. It counts once the firm has put the text of the record into its DNS. */
export const SignInDomain = z.object({
  domain: z.string(),
  record_name: z.string(),
  record_text: z.string(),
  verified_at: Timestamp.nullable(),
});
export type SignInDomain = z.infer<typeof SignInDomain>;

/** The single sign-on of a firm by its OpenID provider. */
export const SingleSignOn = z.object({
  object: z.literal('single_sign_on'),
  provider: z.object({ issuer: z.string(), client_id: z.string() }).nullable(),
  is_required: z.boolean(),
  /** The one administrator who may still sign in without the provider. */
  break_glass: z.object({ id: idOf('user'), name: z.string() }).nullable(),
  /** The administrators who can be that one: they have a password, and may change the settings. */
  break_glass_choices: z.array(z.object({ id: idOf('user'), name: z.string() })),
  /** The page that the provider must know as a redirect URL. */
  redirect_url: z.string(),
  domains: z.array(SignInDomain),
});
export type SingleSignOn = z.infer<typeof SingleSignOn>;

/** The secret is kept where it is omitted. The provider is asked for its description before it is stored. */
export const SaveProviderInput = z.object({
  issuer: z.url({ protocol: /^https?$/ }).max(500),
  client_id: Line.max(500),
  client_secret: z.string().min(1).max(1_000).optional(),
});

/** A firm whose provider is required names the administrator who may still sign in without it. */
export const RequireProviderInput = z.object({
  is_required: z.boolean(),
  break_glass: idOf('user').nullable(),
});

export const SignInDomainRef = z.object({
  domain: z
    .string()
    .max(253)
    .regex(/^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/)
    .meta({ examples: ['example.com'] }),
});

/** By the firm, or by an address at a domain of it. `is_fresh`: the person must prove again who it is. */
export const StartProviderInput = z.object({
  workspace: Slug.optional(),
  email: Email.optional(),
  is_fresh: z.boolean().default(false),
});

/** The page of the provider to open, and what its answer must contain as `state`: a page that did not ask for it refuses the answer. */
export const ProviderStarted = z.object({
  object: z.literal('provider_started'),
  url: z.string(),
  state: z.string(),
});

/** The query with which the provider has sent the person back. */
export const SignInWithProviderInput = NewSession.pick({ name: true, cookie: true }).extend({
  query: z.string().min(1).max(8_000),
});

import * as z from 'zod';
import { Email } from '../mail/email.ts';
import { Timestamp, VisibleLine } from '../values/fields.ts';
import { NewPassword, NewSession, Passkey, SignInCode } from './sessions.ts';

/** How the caller's account signs in. */
export const SignInSettings = z.object({
  object: z.literal('sign_in_settings'),
  has_password: z.boolean(),
  /** The authenticator app; null if there is none. */
  second_factor: z.object({ created_at: Timestamp, recovery_codes_left: z.int().min(0) }).nullable(),
  passkeys: z.array(Passkey),
  /** Whether the firm of the session has a single sign-on. */
  has_provider: z.boolean(),
});
export type SignInSettings = z.infer<typeof SignInSettings>;

/** The secret of a new authenticator app, for typing and as the address of a QR code. Nothing changes until a code confirms it. */
export const SecondFactorStarted = z.object({
  object: z.literal('second_factor_started'),
  secret: z.string(),
  url: z.string(),
});

export const EnableSecondFactorInput = z.object({ code: SignInCode });

/** Shown once. Each opens one session in place of a code. */
export const RecoveryCodes = z.object({
  object: z.literal('recovery_codes'),
  codes: z.array(z.string()),
});

/** An answer of WebAuthn: a JSON object of the browser, which the library checks. */
const WebAuthnResponse = z.record(z.string(), z.unknown());

/** The options for `navigator.credentials`, as JSON. */
export const PasskeyOptions = z.object({
  object: z.literal('passkey_options'),
  options: z.record(z.string(), z.unknown()),
});

const PasskeyName = VisibleLine.max(100);
export const AddPasskeyInput = z.object({ name: PasskeyName, response: WebAuthnResponse });
export const PasskeyRef = z.object({ id: z.uuid() });
export const RenamePasskeyInput = PasskeyRef.extend({ name: PasskeyName });

export const SignInChanged = z.object({ object: z.literal('sign_in_changed') });

export const SignInWithPasskeyInput = NewSession.extend({ response: WebAuthnResponse });

/** Proves again who holds the session: exactly one of them. With a second factor, a password does not suffice. */
export const ConfirmSessionInput = z
  .object({
    password: z.string().min(1).max(1024).optional(),
    code: SignInCode.optional(),
    passkey: WebAuthnResponse.optional(),
  })
  .refine((proofs) => Object.values(proofs).filter((proof) => proof !== undefined).length === 1, {
    path: ['password'],
    message: 'must be sent, or a code or a passkey in its place',
  });

export const SessionConfirmed = z.object({
  object: z.literal('session_confirmed'),
  /** Until when the session counts as fresh. */
  fresh_until: Timestamp,
});

export const RequestPasswordResetInput = z.object({ email: Email });
export const PasswordResetRequested = z.object({ object: z.literal('password_reset_requested') });
export const ResetPasswordInput = z.object({
  link: z.string().min(1).max(200),
  new_password: NewPassword,
  /** Whether the passkeys of the account end too. */
  remove_passkeys: z.boolean().default(false),
});
/** `passkeys`: those that still open the account. */
export const PasswordReset = z.object({ object: z.literal('password_reset'), passkeys: z.array(Passkey) });

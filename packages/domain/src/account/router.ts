import {
  Account,
  AccountUser,
  BrowserSession,
  ChangePasswordInput,
  ConfirmSessionInput,
  idOf,
  MAX_AVATAR_URL,
  MAX_SESSIONS,
  OpenSessionInput,
  PasskeyOptions,
  PasswordChanged,
  PasswordReset,
  PasswordResetRequested,
  Ping,
  ProviderStarted,
  RequestPasswordResetInput,
  ResetPasswordInput,
  Session,
  SessionConfirmed,
  SessionEnded,
  SessionOpened,
  SetAccountProfileInput,
  SetTimezoneInput,
  SignedIn,
  SignInInput,
  SignInWithPasskeyInput,
  SignInWithProviderInput,
  StartProviderInput,
} from '@firmdesk/contract';
import { z } from 'zod';
import { startPasskey, usePasskey } from '../access/sign-in/passkeys.ts';
import { accountProcedure, NoInput, publicProcedure, router } from '../procedures/trpc.ts';
import { changePassword, preparePasswordChange } from './change-password.ts';
import { getAccount } from './get-account.ts';
import { ping } from './ping.ts';
import { endSession, signOut } from './sessions/end-session.ts';
import { listBrowserSessions } from './sessions/list-browser-sessions.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { openSession } from './sessions/open-session.ts';
import { answerWithCookie } from './sessions/session-cookie.ts';
import { setProfile } from './set-profile.ts';
import { setTimezone } from './set-timezone.ts';
import { confirmSession, prepareConfirmation } from './sign-in/confirm-session.ts';
import { openDeviceSession } from './sign-in/open-device-session.ts';
import {
  preparePasswordReset,
  prepareResetRequest,
  requestPasswordReset,
  resetPassword,
} from './sign-in/reset-password.ts';
import { prepareSignIn, signIn } from './sign-in.ts';
import {
  prepareProviderSignIn,
  signInWithProvider,
  startProvider,
} from './single-sign-on/provider-sign-in.ts';

/** Each sign-in or password change may wait for a lock on its account, and holds one of the pool's ten connections meanwhile. */
const MAX_CONCURRENT_SIGN_INS = 3;

/** A picture, and the other fields. */
const PROFILE_BODY_LIMIT = MAX_AVATAR_URL + 65_536;

export const pingProcedure = accountProcedure({
  rest: 'GET /v1/ping',
  tag: 'Ping',
  summary: 'Check that a key is valid and see its scopes',
  scope: null,
  input: NoInput,
  output: Ping,
}).query(({ ctx }) => ping(ctx));

export const accountRouter = router({
  get: accountProcedure({
    tag: 'Sessions',
    summary: 'Get the caller’s account and its permissions in the workspace',
    scope: null,
    errors: ['workspace_not_permitted'],
    requestHeaders: ['Service-Workspace'],
    input: NoInput,
    output: Account,
  }).query(({ ctx }) => getAccount(ctx)),

  setProfile: accountProcedure({
    tag: 'Sessions',
    summary: 'Change the name, the language and the picture of the caller’s account',
    scope: null,
    liveOnly: true,
    largeBody: { limit: PROFILE_BODY_LIMIT, maxConcurrent: 2 },
    input: SetAccountProfileInput,
    output: AccountUser,
  }).mutation(({ ctx, input }) => setProfile(ctx, input)),

  setTimezone: accountProcedure({
    tag: 'Sessions',
    summary: 'Set the time zone of the caller’s account',
    scope: null,
    liveOnly: true,
    input: SetTimezoneInput,
    output: AccountUser,
  }).mutation(({ ctx, input }) => setTimezone(ctx, input)),
});

export const sessionsRouter = router({
  signIn: publicProcedure({
    rest: 'POST /v1/sessions',
    hasSecret: true,
    tag: 'Sessions',
    summary: 'Sign in with email and password, and a code if the account has a second factor',
    description: `An account has at most ${MAX_SESSIONS} sessions in each firm: a further one ends that which was not used for longest.`,
    status: [201],
    errors: [
      'invalid_credentials',
      'second_factor_required',
      'invalid_code',
      'challenge_expired',
      'provider_required',
      'workspace_not_permitted',
    ],
    requestHeaders: ['Cookie'],
    maxConcurrent: MAX_CONCURRENT_SIGN_INS,
    input: SignInInput,
    output: SignedIn,
    answer: answerWithCookie<SignedIn>,
    prepare: prepareSignIn,
  }).mutation(({ ctx, input }) => signIn(ctx, input)),

  startPasskey: publicProcedure({
    hasSecret: true,
    withoutIdempotencyKey: true,
    tag: 'Sessions',
    summary: 'Get the options with which a browser signs in by a passkey',
    input: NoInput,
    output: PasskeyOptions,
    prepare: ({ services, call }) => services.limits.signInStart(call.ip),
  }).mutation(async ({ ctx }) => ({
    object: 'passkey_options' as const,
    options: await startPasskey(ctx),
  })),

  signInWithPasskey: publicProcedure({
    hasSecret: true,
    withoutIdempotencyKey: true,
    tag: 'Sessions',
    summary: 'Sign in by a passkey',
    status: [201],
    errors: ['invalid_credentials', 'challenge_expired', 'provider_required', 'workspace_not_permitted'],
    requestHeaders: ['Cookie'],
    input: SignInWithPasskeyInput,
    output: SignedIn,
    answer: answerWithCookie<SignedIn>,
    prepare: ({ services, call }) => services.limits.signInStart(call.ip),
  }).mutation(async ({ ctx, input: { response, ...input } }) =>
    openDeviceSession(
      ctx,
      await usePasskey(ctx, response),
      { method: 'passkey', verifiedAt: ctx.now },
      input,
    ),
  ),

  startProvider: publicProcedure({
    hasSecret: true,
    withoutIdempotencyKey: true,
    tag: 'Sessions',
    summary: 'Get the page on which a person signs in by the provider of a firm',
    errors: ['resource_not_found', 'provider_failed'],
    input: StartProviderInput,
    output: ProviderStarted,
    prepare: startProvider,
  }).mutation(({ ctx }) => ctx.prepared),

  signInWithProvider: publicProcedure({
    hasSecret: true,
    withoutIdempotencyKey: true,
    tag: 'Sessions',
    summary: 'Sign in by what the provider of a firm has answered',
    status: [201],
    errors: [
      'invalid_credentials',
      'challenge_expired',
      'provider_failed',
      'resource_not_found',
      'workspace_not_permitted',
    ],
    requestHeaders: ['Cookie'],
    input: SignInWithProviderInput,
    output: SignedIn,
    answer: answerWithCookie<SignedIn>,
    prepare: prepareProviderSignIn,
  }).mutation(({ ctx, input }) => signInWithProvider(ctx, input)),

  confirm: accountProcedure({
    tag: 'Sessions',
    summary: 'Prove again who holds the session, before a change of how the account signs in',
    scope: null,
    liveOnly: true,
    withoutIdempotencyKey: true,
    errors: ['invalid_code', 'invalid_credentials', 'challenge_expired'],
    input: ConfirmSessionInput,
    output: SessionConfirmed,
    prepare: prepareConfirmation,
  }).mutation(({ ctx, input }) => confirmSession(ctx, input)),

  requestPasswordReset: publicProcedure({
    withoutIdempotencyKey: true,
    tag: 'Sessions',
    summary: 'Request a mail with a link for a new password; the answer is the same for unknown accounts',
    input: RequestPasswordResetInput,
    output: PasswordResetRequested,
    prepare: prepareResetRequest,
  }).mutation(({ ctx, input }) => requestPasswordReset(ctx, input)),

  resetPassword: publicProcedure({
    withoutIdempotencyKey: true,
    tag: 'Sessions',
    summary:
      'Set a new password by the link of a mail, and sign out all devices; passkeys stay unless they are removed too',
    errors: ['challenge_expired'],
    maxConcurrent: MAX_CONCURRENT_SIGN_INS,
    input: ResetPasswordInput,
    output: PasswordReset,
    prepare: preparePasswordReset,
  }).mutation(({ ctx, input }) => resetPassword(ctx, input)),

  open: accountProcedure({
    tag: 'Sessions',
    summary: 'Open a session of this browser in another firm of the account',
    scope: null,
    errors: ['workspace_not_permitted', 'provider_required'],
    requestHeaders: ['Cookie'],
    withoutIdempotencyKey: true,
    input: OpenSessionInput,
    output: SessionOpened,
    answer: answerWithCookie<SessionOpened>,
  }).mutation(({ ctx, input }) => openSession(ctx, input)),

  ofBrowser: publicProcedure({
    tag: 'Sessions',
    summary: 'List this browser’s sessions, and the firms in which each may act',
    requestHeaders: ['Cookie'],
    input: NoInput,
    output: z.array(BrowserSession),
  }).query(({ ctx }) => listBrowserSessions(ctx)),

  list: accountProcedure({
    rest: 'GET /v1/me/sessions',
    conditional: true,
    tag: 'Sessions',
    summary: 'List the signed-in devices of the account',
    description: 'With a test token: only those that are signed in with test tokens.',
    scope: null,
    input: NoInput,
    output: z.array(Session),
  }).query(({ ctx }) => listSessions(ctx)),

  end: accountProcedure({
    rest: 'DELETE /v1/me/sessions/{id}',
    tag: 'Sessions',
    summary: 'Sign out one of the account’s devices',
    description: 'With a test token: only one that is signed in with a test token.',
    scope: null,
    errors: ['resource_not_found'],
    input: z.object({ id: idOf('token').meta({ description: 'The id of the session' }) }),
    output: SessionEnded,
    answer: answerWithCookie<SessionEnded>,
  }).mutation(({ ctx, input }) => endSession(ctx, input)),

  signOut: accountProcedure({
    rest: 'DELETE /v1/me/session',
    tag: 'Sessions',
    summary: 'Sign out',
    scope: null,
    input: NoInput,
    output: SessionEnded,
    answer: answerWithCookie<SessionEnded>,
  }).mutation(({ ctx }) => signOut(ctx)),

  changePassword: accountProcedure({
    rest: 'PUT /v1/me/password',
    tag: 'Sessions',
    summary: 'Change the password and sign out all other devices',
    description:
      'Not with a test token. Passkeys and API keys stay: the answer lists the passkeys, and `remove_passkeys` removes them too.',
    scope: null,
    liveOnly: true,
    maxConcurrent: MAX_CONCURRENT_SIGN_INS,
    input: ChangePasswordInput,
    errors: ['fresh_sign_in_required'],
    output: PasswordChanged,
    prepare: preparePasswordChange,
  }).mutation(({ ctx, input }) => changePassword(ctx, input)),
});

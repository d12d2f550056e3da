import {
  AddPasskeyInput,
  EnableSecondFactorInput,
  PasskeyOptions,
  PasskeyRef,
  RecoveryCodes,
  RenamePasskeyInput,
  SecondFactorStarted,
  SignInChanged,
  SignInSettings,
} from '@firmdesk/contract';
import { startNewPasskey } from '../../access/sign-in/passkeys.ts';
import { accountProcedure, NoInput, router } from '../../procedures/trpc.ts';
import { addOwnPasskey, removePasskey, renamePasskey } from './change-passkeys.ts';
import {
  disableSecondFactor,
  enableSecondFactor,
  replaceRecoveryCodes,
  startSecondFactor,
} from './change-second-factor.ts';
import { getSignInSettings } from './sign-in-settings.ts';

const changing = { tag: 'Sessions', scope: null, liveOnly: true, fresh: true } as const;
/** The response contains a secret, which is not stored for a replay. */
const once = { hasSecret: true, withoutIdempotencyKey: true } as const;
const changed = { object: 'sign_in_changed' as const };

/** How the caller's account signs in. */
export const signInRouter = router({
  get: accountProcedure({
    tag: 'Sessions',
    scope: null,
    liveOnly: true,
    summary: 'Get how the caller’s account signs in',
    input: NoInput,
    output: SignInSettings,
  }).query(({ ctx }) => getSignInSettings(ctx)),

  startSecondFactor: accountProcedure({
    ...changing,
    ...once,
    summary: 'Create the secret of an authenticator app, which a code then confirms',
    errors: ['validation_failed'],
    input: NoInput,
    output: SecondFactorStarted,
  }).mutation(({ ctx }) => startSecondFactor(ctx)),

  enableSecondFactor: accountProcedure({
    ...changing,
    ...once,
    summary: 'Sign in with a code of the authenticator app from now on',
    errors: ['invalid_code'],
    input: EnableSecondFactorInput,
    output: RecoveryCodes,
  }).mutation(({ ctx, input }) => enableSecondFactor(ctx, input)),

  renewRecoveryCodes: accountProcedure({
    ...changing,
    ...once,
    summary: 'Replace the recovery codes',
    errors: ['resource_not_found'],
    input: NoInput,
    output: RecoveryCodes,
  }).mutation(({ ctx }) => replaceRecoveryCodes(ctx)),

  disableSecondFactor: accountProcedure({
    ...changing,
    summary: 'Sign in without a code from now on',
    input: NoInput,
    output: SignInChanged,
  }).mutation(async ({ ctx }) => {
    await disableSecondFactor(ctx);
    return changed;
  }),

  startPasskey: accountProcedure({
    ...changing,
    ...once,
    summary: 'Get the options with which a browser creates a passkey',
    errors: ['validation_failed'],
    input: NoInput,
    output: PasskeyOptions,
  }).mutation(async ({ ctx }) => ({
    object: 'passkey_options' as const,
    options: await startNewPasskey(ctx, ctx.identity.user),
  })),

  addPasskey: accountProcedure({
    ...changing,
    summary: 'Add the passkey that a browser has created',
    errors: ['challenge_expired'],
    input: AddPasskeyInput,
    output: SignInChanged,
  }).mutation(async ({ ctx, input }) => {
    await addOwnPasskey(ctx, input);
    return changed;
  }),

  renamePasskey: accountProcedure({
    ...changing,
    fresh: false,
    summary: 'Rename a passkey',
    errors: ['resource_not_found'],
    input: RenamePasskeyInput,
    output: SignInChanged,
  }).mutation(async ({ ctx, input }) => {
    await renamePasskey(ctx, input);
    return changed;
  }),

  removePasskey: accountProcedure({
    ...changing,
    summary: 'Remove a passkey',
    errors: ['resource_not_found'],
    input: PasskeyRef,
    output: SignInChanged,
  }).mutation(async ({ ctx, input }) => {
    await removePasskey(ctx, input);
    return changed;
  }),
});

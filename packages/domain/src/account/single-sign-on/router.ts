import { RequireProviderInput, SaveProviderInput, SignInDomainRef, SingleSignOn } from '@firmdesk/contract';
import { adminProcedure, NoInput, router } from '../../procedures/trpc.ts';
import { addDomain, prepareVerification, removeDomain, verifyDomain } from './domains.ts';
import {
  getSingleSignOn,
  prepareProvider,
  recordSetting,
  removeProvider,
  requireProvider,
  saveProvider,
} from './firm-settings.ts';

const access = { tag: 'Firm', permissions: ['manage_settings'], liveOnly: true } as const;
const changing = { ...access, scope: 'admin:write', fresh: true } as const;

/** The single sign-on of a firm. */
export const singleSignOnRouter = router({
  get: adminProcedure({
    ...access,
    scope: 'admin:read',
    summary: 'Get the single sign-on of the firm',
    input: NoInput,
    output: SingleSignOn,
  }).query(({ ctx }) => getSingleSignOn(ctx)),

  saveProvider: adminProcedure({
    ...changing,
    summary: 'Set the OpenID provider of the firm',
    errors: ['provider_failed'],
    input: SaveProviderInput,
    output: SingleSignOn,
    prepare: prepareProvider,
  }).mutation(({ ctx, input }) => saveProvider(ctx, input)),

  removeProvider: adminProcedure({
    ...changing,
    summary: 'Remove the OpenID provider of the firm',
    input: NoInput,
    output: SingleSignOn,
  }).mutation(({ ctx }) => removeProvider(ctx)),

  require: adminProcedure({
    ...changing,
    summary: 'Make the provider the only way into the firm, but for one administrator',
    errors: ['resource_not_found'],
    input: RequireProviderInput,
    output: SingleSignOn,
  }).mutation(({ ctx, input }) => requireProvider(ctx, input)),

  addDomain: adminProcedure({
    ...changing,
    summary: 'Add a domain whose addresses sign in by the provider, once it is verified',
    input: SignInDomainRef,
    output: SingleSignOn,
  }).mutation(async ({ ctx, input }) => {
    await addDomain(ctx, input);
    await recordSetting(ctx, 'firm.sign_in_domain_added', input);
    return getSingleSignOn(ctx);
  }),

  verifyDomain: adminProcedure({
    ...changing,
    summary: 'Verify by its DNS record that the firm owns a domain',
    errors: ['resource_not_found'],
    input: SignInDomainRef,
    output: SingleSignOn,
    prepare: prepareVerification,
  }).mutation(async ({ ctx, input }) => {
    await verifyDomain(ctx, input.domain);
    await recordSetting(ctx, 'firm.sign_in_domain_verified', input);
    return getSingleSignOn(ctx);
  }),

  removeDomain: adminProcedure({
    ...changing,
    summary: 'Remove a domain',
    input: SignInDomainRef,
    output: SingleSignOn,
  }).mutation(async ({ ctx, input }) => {
    await removeDomain(ctx, input.domain);
    await recordSetting(ctx, 'firm.sign_in_domain_removed', input);
    return getSingleSignOn(ctx);
  }),
});

import {
  FindPreRegistrationsInput,
  ListPreRegistrationsInput,
  PreRegisterInput,
  PreRegistration,
  PreRegistrationRef,
  pageOf,
} from '@firmdesk/contract';
import { adminProcedure, router, workspaceProcedure } from '../procedures/trpc.ts';
import { claimPreRegistration, revokePreRegistration } from './end-pre-registration.ts';
import { listPreRegistrations } from './list-pre-registrations.ts';
import { preRegister } from './pre-register.ts';
import { resendPreRegistration } from './resend-pre-registration.ts';

const tag = 'Affiliates';

/** For the platform's services. Only the scope is checked. */
const platformRouter = router({
  preRegister: workspaceProcedure({
    tag,
    summary: 'Reserve a referral code',
    status: [201],
    scope: 'platform:write',
    input: PreRegisterInput,
    output: PreRegistration,
  }).mutation(({ ctx, input }) => preRegister(ctx, input)),

  claim: workspaceProcedure({
    tag,
    summary: 'Claim the reserved code of a pre-registration',
    scope: 'platform:write',
    errors: ['resource_not_found', 'pre_registration_ended'],
    input: PreRegistrationRef,
    output: PreRegistration,
  }).mutation(({ ctx, input }) => claimPreRegistration(ctx, input)),

  revoke: workspaceProcedure({
    tag,
    summary: 'Revoke an affiliate pre-registration',
    scope: 'platform:write',
    errors: ['resource_not_found', 'pre_registration_ended'],
    input: PreRegistrationRef,
    output: PreRegistration,
  }).mutation(({ ctx, input }) => revokePreRegistration(ctx, input)),
});

/** For the console: the same operations, with the firm's permissions. */
const adminRouter = router({
  list: adminProcedure({
    tag,
    summary: 'List affiliate pre-registrations in the console, newest first',
    scope: 'admin:read',
    permissions: ['view_affiliates'],
    input: FindPreRegistrationsInput,
    output: pageOf(PreRegistration),
  }).query(({ ctx, input }) => listPreRegistrations(ctx, input)),

  preRegister: adminProcedure({
    tag,
    summary: 'Reserve a referral code',
    status: [201],
    scope: 'admin:write',
    permissions: ['view_affiliates', 'manage_affiliates'],
    input: PreRegisterInput,
    output: PreRegistration,
  }).mutation(({ ctx, input }) => preRegister(ctx, { ...input, source: 'console' })),

  revoke: adminProcedure({
    tag,
    summary: 'Revoke an affiliate pre-registration',
    scope: 'admin:write',
    permissions: ['view_affiliates', 'manage_affiliates'],
    errors: ['resource_not_found', 'pre_registration_ended'],
    input: PreRegistrationRef,
    output: PreRegistration,
  }).mutation(({ ctx, input }) => revokePreRegistration(ctx, input)),

  resend: adminProcedure({
    tag,
    summary: 'Send the mail about a pre-registration again',
    scope: 'admin:write',
    permissions: ['view_affiliates', 'manage_affiliates'],
    errors: ['resource_not_found', 'pre_registration_ended', 'rate_limited'],
    input: PreRegistrationRef,
    output: PreRegistration,
  }).mutation(({ ctx, input }) => resendPreRegistration(ctx, input)),
});

export const affiliatesRouter = router({
  list: workspaceProcedure({
    rest: 'GET /v1/affiliates/pre-registrations',
    conditional: true,
    tag,
    summary: 'List affiliate pre-registrations, newest first',
    scope: 'affiliates:write',
    devicePermissions: ['view_affiliates'],
    input: ListPreRegistrationsInput,
    output: pageOf(PreRegistration),
  }).query(({ ctx, input }) => listPreRegistrations(ctx, input)),

  resend: workspaceProcedure({
    rest: 'POST /v1/affiliates/pre-registrations/{id}/resend',
    tag,
    summary: 'Send the mail about a pre-registration again',
    scope: 'affiliates:write',
    devicePermissions: ['view_affiliates', 'manage_affiliates'],
    errors: ['resource_not_found', 'pre_registration_ended', 'rate_limited'],
    input: PreRegistrationRef,
    output: PreRegistration,
  }).mutation(({ ctx, input }) => resendPreRegistration(ctx, input)),

  platform: platformRouter,
  admin: adminRouter,
});

import {
  AcceptInviteInput,
  CreateInviteInput,
  Invite,
  InviteAccepted,
  InviteKey,
  InviteLink,
  InviteRef,
  Invites,
  MAX_INVITES_PER_DAY,
  OpenInvite,
} from '@firmdesk/contract';
import { accountProcedure, adminProcedure, NoInput, publicProcedure, router } from '../../procedures/trpc.ts';
import { acceptInvite, joinFirm, openInvite, prepareAccept } from './accept-invite.ts';
import { createInvite, getInviteLink, resendInvite, revokeInvite } from './change-invites.ts';
import { listInvites } from './list-invites.ts';

// The sandbox has the members of the firm: a test token invites nobody.
const access = { tag: 'Firm', permissions: ['manage_members'], liveOnly: true } as const;
const managing = { ...access, scope: 'admin:write' } as const;

/** The invites of the firm, for those who manage its members. */
export const firmInvitesRouter = router({
  list: adminProcedure({
    ...access,
    scope: 'admin:read',
    summary: 'List the invites to the firm’s team',
    input: NoInput,
    output: Invites,
  }).query(async ({ ctx }) => ({ data: await listInvites(ctx) })),

  create: adminProcedure({
    ...managing,
    summary: 'Invite a person to the firm’s team',
    description: `A firm can make ${MAX_INVITES_PER_DAY} invites a day.`,
    status: [201],
    errors: ['rate_limited'],
    input: CreateInviteInput,
    output: Invite,
  }).mutation(({ ctx, input }) => createInvite(ctx, input)),

  resend: adminProcedure({
    ...managing,
    summary: 'Send the link of an invite again, and let it be accepted for another seven days',
    errors: ['resource_not_found', 'invite_ended'],
    input: InviteRef,
    output: Invite,
  }).mutation(({ ctx, input }) => resendInvite(ctx, input)),

  revoke: adminProcedure({
    ...managing,
    summary: 'Revoke an invite: its link works no more',
    errors: ['resource_not_found', 'invite_ended'],
    input: InviteRef,
    output: Invite,
  }).mutation(({ ctx, input }) => revokeInvite(ctx, input)),

  link: adminProcedure({
    ...managing,
    hasSecret: true,
    summary: 'Get the link of an invite, to pass it on',
    errors: ['resource_not_found', 'invite_ended'],
    input: InviteRef,
    output: InviteLink,
  }).query(async ({ ctx, input }) => ({
    object: 'invite_link' as const,
    id: input.id,
    url: await getInviteLink(ctx, input),
  })),
});

/** Each may hash a password, and holds a connection meanwhile. */
const MAX_CONCURRENT = 3;

/** The invite of a link, for the person who opens it. */
export const invitesRouter = router({
  get: publicProcedure({
    tag: 'Firm',
    summary: 'Get the invite of a link',
    errors: ['resource_not_found', 'workspace_not_permitted'],
    input: InviteKey,
    output: OpenInvite,
  }).query(({ ctx, input }) => openInvite(ctx, input)),

  accept: publicProcedure({
    tag: 'Firm',
    summary: 'Accept an invite with a new account, or with the password of the account of its address',
    errors: ['resource_not_found', 'workspace_not_permitted', 'invalid_credentials', 'invite_ended'],
    maxConcurrent: MAX_CONCURRENT,
    input: AcceptInviteInput,
    output: InviteAccepted,
    prepare: prepareAccept,
  }).mutation(({ ctx, input }) => acceptInvite(ctx, input)),

  join: accountProcedure({
    tag: 'Firm',
    summary: 'Accept an invite for the address of the caller’s account',
    scope: null,
    liveOnly: true,
    errors: ['resource_not_found', 'workspace_not_permitted', 'forbidden', 'invite_ended'],
    input: InviteKey,
    output: InviteAccepted,
  }).mutation(({ ctx, input }) => joinFirm(ctx, input)),
});

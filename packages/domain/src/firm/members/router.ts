import {
  DismissMemberInput,
  FirmTraderPage,
  ListFirmTradersInput,
  Member,
  MemberDismissal,
  MemberDismissed,
  MemberRef,
  Members,
  UpdateMemberInput,
} from '@firmdesk/contract';
import { adminProcedure, NoInput, router } from '../../procedures/trpc.ts';
import { dismissFromFirm, findTicketsToReassign, readmitToFirm, updateMember } from './change-member.ts';
import { listMembers } from './list-members.ts';
import { listTraders } from './list-traders.ts';
import { previewDismissal } from './preview-dismissal.ts';

// The sandbox has the members of the firm: a test token cannot change them.
const access = { tag: 'Firm', permissions: ['manage_members'], liveOnly: true } as const;
const viewing = { ...access, scope: 'admin:read' } as const;
const managing = { ...access, scope: 'admin:write' } as const;

export const membersRouter = router({
  list: adminProcedure({
    ...viewing,
    summary: 'List the members of the firm’s team, with their permissions',
    input: NoInput,
    output: Members,
  }).query(async ({ ctx }) => ({ data: await listMembers(ctx) })),

  traders: adminProcedure({
    ...viewing,
    summary: 'List the firm’s traders',
    input: ListFirmTradersInput,
    output: FirmTraderPage,
  }).query(({ ctx, input }) => listTraders(ctx, input)),

  update: adminProcedure({
    ...managing,
    summary: 'Replace the permissions of a member',
    errors: ['resource_not_found'],
    input: UpdateMemberInput,
    output: Member,
  }).mutation(({ ctx, input }) => updateMember(ctx, input)),

  previewDismissal: adminProcedure({
    ...viewing,
    summary: 'Get what ends when a member is dismissed',
    errors: ['resource_not_found'],
    input: MemberRef,
    output: MemberDismissal,
  }).query(({ ctx, input }) => previewDismissal(ctx, input)),

  dismiss: adminProcedure({
    ...managing,
    summary: 'Dismiss a member: sessions, keys and access to the firm end at once',
    errors: ['resource_not_found'],
    input: DismissMemberInput,
    output: MemberDismissed,
    prepare: findTicketsToReassign,
  }).mutation(({ ctx, input }) => dismissFromFirm(ctx, input, ctx.prepared)),

  readmit: adminProcedure({
    ...managing,
    summary: 'Make a dismissed member a member again, with the same permissions',
    errors: ['resource_not_found'],
    input: MemberRef,
    output: Member,
  }).mutation(({ ctx, input }) => readmitToFirm(ctx, input)),
});

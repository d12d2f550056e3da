import {
  CreateFirmInput,
  FirmEntered,
  ListStaffFirmsInput,
  StaffFirm,
  StaffFirmInput,
  StaffFirmPage,
} from '@firmdesk/contract';
import { accountProcedure, router } from '../../procedures/trpc.ts';
import { createFirm, enterFirm, listStaffFirms, resumeForStaff, suspendForStaff } from './staff-firms.ts';

// Only a session of the service's own staff: the operations refuse all others.
const access = { tag: 'Staff', liveOnly: true, errors: ['forbidden'] } as const;
const managing = { ...access, scope: 'admin:write', errors: ['forbidden', 'resource_not_found'] } as const;

/** The firms, for the service's own staff. */
export const staffRouter = router({
  firms: router({
    list: accountProcedure({
      ...access,
      scope: 'admin:read',
      summary: 'List the firms for which the caller is staff',
      input: ListStaffFirmsInput,
      output: StaffFirmPage,
    }).query(({ ctx, input }) => listStaffFirms(ctx, input)),

    create: accountProcedure({
      ...access,
      scope: 'admin:write',
      fresh: true,
      summary: 'Create a firm',
      status: [201],
      input: CreateFirmInput,
      output: StaffFirm,
    }).mutation(({ ctx, input }) => createFirm(ctx, input)),

    suspend: accountProcedure({
      ...managing,
      fresh: true,
      summary: 'Suspend a firm: nobody can use it, and nothing is lost',
      input: StaffFirmInput,
      output: StaffFirm,
    }).mutation(({ ctx, input }) => suspendForStaff(ctx, input)),

    resume: accountProcedure({
      ...managing,
      fresh: true,
      summary: 'Resume a suspended firm',
      input: StaffFirmInput,
      output: StaffFirm,
    }).mutation(({ ctx, input }) => resumeForStaff(ctx, input)),

    enter: accountProcedure({
      ...managing,
      summary:
        'Record in the audit log of a firm why the caller acts in it; a signed-in session of the staff acts in no firm before',
      input: StaffFirmInput,
      output: FirmEntered,
    }).mutation(({ ctx, input }) => enterFirm(ctx, input)),
  }),
});

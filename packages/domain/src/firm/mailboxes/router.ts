import {
  CreateFirmMailboxInput,
  FirmMailbox,
  FirmMailboxes,
  UpdateFirmMailboxInput,
} from '@firmdesk/contract';
import { createFirmMailbox, listFirmMailboxes, updateFirmMailbox } from '../../mail/index.ts';
import { adminProcedure, NoInput, router } from '../../procedures/trpc.ts';
import { beginChange } from '../firm-changes.ts';

// Addresses are the firm's: its sandbox has none of its own.
const access = { tag: 'Firm', permissions: ['manage_settings'], liveOnly: true } as const;
const managing = { ...access, scope: 'admin:write' } as const;

export const mailboxesRouter = router({
  list: adminProcedure({
    ...access,
    scope: 'admin:read',
    summary: 'List the firm’s mailboxes, with who reads each',
    input: NoInput,
    output: FirmMailboxes,
  }).query(async ({ ctx }) => ({ data: await listFirmMailboxes(ctx) })),

  create: adminProcedure({
    ...managing,
    summary: 'Create a mailbox',
    status: [201],
    input: CreateFirmMailboxInput,
    output: FirmMailbox,
  }).mutation(async ({ ctx, input }) => createFirmMailbox(await beginChange(ctx, 'mailboxes'), input)),

  update: adminProcedure({
    ...managing,
    summary:
      'Change the name, the members and the aliases of a mailbox, and whether mail to it opens tickets',
    errors: ['resource_not_found'],
    input: UpdateFirmMailboxInput,
    output: FirmMailbox,
  }).mutation(async ({ ctx, input }) => updateFirmMailbox(await beginChange(ctx, 'mailboxes'), input)),
});

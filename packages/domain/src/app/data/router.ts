import {
  DataRequest,
  DataRequests,
  ErasePersonInput,
  exportPermissions,
  FirmDeletion,
  ListPersonRequestsInput,
  PersonErasure,
  PersonRef,
  ScheduleDeletionInput,
} from '@firmdesk/contract';
import { adminProcedure, NoInput, router } from '../../procedures/trpc.ts';
import {
  cancelDeletion,
  deletionPermissions,
  getDeletion,
  scheduleDeletion,
} from '../firms/schedule-deletion.ts';
import { listDataRequests, previewErasureOf, requestErasure, requestExport } from './data-requests.ts';

// A sandbox has test data, and the people and the settings of the firm.
const people = { tag: 'Firm', permissions: ['manage_members'], liveOnly: true } as const;
const firm = { tag: 'Firm', permissions: ['manage_settings'], liveOnly: true } as const;
const viewing = { scope: 'admin:read' } as const;
const asking = { scope: 'admin:write', fresh: true } as const;

/** What is stored about people and the firm: exports, erasures, and the deletion of the firm. */
export const firmDataRouter = router({
  data: router({
    person: router({
      requests: adminProcedure({
        ...people,
        ...viewing,
        summary: 'List the exports and erasures of people',
        input: ListPersonRequestsInput,
        output: DataRequests,
      }).query(({ ctx, input }) => listDataRequests(ctx, ['export_person', 'erase_person'], input.person)),

      export: adminProcedure({
        ...people,
        ...asking,
        permissions: exportPermissions.trader,
        summary: 'Export what the firm stores about a person',
        description:
          'For a colleague it needs every permission: the file contains calendars, drafts and notifications.',
        errors: ['resource_not_found', 'forbidden'],
        input: PersonRef,
        output: DataRequest,
      }).mutation(({ ctx, input }) => requestExport(ctx, input.id)),

      previewErasure: adminProcedure({
        ...people,
        ...viewing,
        summary: 'Get what the erasure of a person deletes, changes and keeps',
        errors: ['resource_not_found'],
        input: PersonRef,
        output: PersonErasure,
      }).query(({ ctx, input }) => previewErasureOf(ctx, input)),

      erase: adminProcedure({
        ...people,
        ...asking,
        summary: 'Erase a person: it cannot be undone',
        errors: ['resource_not_found', 'forbidden'],
        input: ErasePersonInput,
        output: DataRequest,
      }).mutation(({ ctx, input }) => requestErasure(ctx, input)),
    }),

    exports: adminProcedure({
      ...firm,
      ...viewing,
      summary: 'List the exports of the firm',
      input: NoInput,
      output: DataRequests,
    }).query(({ ctx }) => listDataRequests(ctx, ['export_firm'])),

    export: adminProcedure({
      ...firm,
      ...asking,
      permissions: exportPermissions.firm,
      summary: 'Export the firm as an import file',
      description: 'The file contains the mail of all mailboxes, and the calendars of all members.',
      input: NoInput,
      output: DataRequest,
    }).mutation(({ ctx }) => requestExport(ctx, null)),

    deletion: adminProcedure({
      ...firm,
      ...viewing,
      summary: 'Get when the firm is deleted',
      input: NoInput,
      output: FirmDeletion,
    }).query(({ ctx }) => getDeletion(ctx)),

    scheduleDeletion: adminProcedure({
      ...firm,
      ...asking,
      permissions: deletionPermissions,
      summary: 'Schedule the deletion of the firm in seven days',
      input: ScheduleDeletionInput,
      output: FirmDeletion,
    }).mutation(({ ctx, input }) => scheduleDeletion(ctx, input)),

    cancelDeletion: adminProcedure({
      ...firm,
      scope: 'admin:write',
      summary: 'Cancel the deletion of the firm',
      input: NoInput,
      output: FirmDeletion,
    }).mutation(({ ctx }) => cancelDeletion(ctx)),
  }),
});

import {
  BulkChange,
  BulkChangeRef,
  ListSkippedTicketsInput,
  SkippedTicketPage,
  StartBulkChangeInput,
  StoppedBulkChanges,
} from '@firmdesk/contract';
import { adminProcedure, NoInput, router } from '../../procedures/trpc.ts';
import { listStoppedBulkChanges, readBulkChange, toBulkChange } from './bulk-change.ts';
import { listSkippedTickets } from './list-skipped-tickets.ts';
import { selectTickets, startBulkChange } from './start-bulk-change.ts';
import { undoBulkChange } from './undo-bulk-change.ts';

const tag = 'Tickets';
const permissions = ['view_tickets', 'manage_tickets'] as const;

export const bulkChangeRouter = router({
  start: adminProcedure({
    tag,
    summary: 'Change many tickets, by their ids or by a filter, in the background',
    scope: 'admin:write',
    permissions,
    status: [201],
    input: StartBulkChangeInput,
    output: BulkChange,
    prepare: selectTickets,
  }).mutation(({ ctx, input }) => startBulkChange(ctx, input, ctx.prepared)),

  get: adminProcedure({
    tag,
    summary: 'Get the progress of a bulk change',
    scope: 'admin:read',
    permissions,
    errors: ['resource_not_found'],
    input: BulkChangeRef,
    output: BulkChange,
  }).query(async ({ ctx, input }) => toBulkChange(await readBulkChange(ctx, input.id))),

  stopped: adminProcedure({
    tag,
    summary: 'List the bulk changes that were stopped because their account may no longer change tickets',
    scope: 'admin:read',
    permissions,
    input: NoInput,
    output: StoppedBulkChanges,
  }).query(({ ctx }) => listStoppedBulkChanges(ctx)),

  skipped: adminProcedure({
    tag,
    summary: 'List the tickets that a bulk change has left as they were',
    scope: 'admin:read',
    permissions,
    errors: ['resource_not_found'],
    input: ListSkippedTicketsInput,
    output: SkippedTicketPage,
  }).query(({ ctx, input }) => listSkippedTickets(ctx, input)),

  undo: adminProcedure({
    tag,
    summary:
      'Stop and undo a bulk change, until a minute after it has ended; one that was stopped, for a day',
    scope: 'admin:write',
    permissions,
    errors: ['resource_not_found', 'undo_expired'],
    input: BulkChangeRef,
    output: BulkChange,
  }).mutation(({ ctx, input }) => undoBulkChange(ctx, input)),
});

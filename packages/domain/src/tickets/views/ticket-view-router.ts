import {
  CountTicketsInput,
  CreateTicketViewInput,
  OrderTicketViewsInput,
  StreamTicketViewsInput,
  TicketView,
  TicketViewCounts,
  TicketViewDeleted,
  TicketViewList,
  TicketViewRef,
  TicketViewStreamEvent,
  UpdateTicketViewInput,
} from '@firmdesk/contract';
import { trackedStreamOf } from '../../procedures/tracked-stream.ts';
import { adminProcedure, NoInput, router } from '../../procedures/trpc.ts';
import { countTicketViews } from './count-ticket-views.ts';
import {
  createTicketView,
  deleteTicketView,
  orderTicketViews,
  updateTicketView,
} from './edit-ticket-views.ts';
import { streamTicketViews } from './stream-ticket-views.ts';
import { readTicketViews } from './ticket-view-row.ts';

const viewing = { tag: 'Tickets', scope: 'admin:read', permissions: ['view_tickets'] } as const;
/** A view is the reader's own arrangement, so it needs no permission to change tickets. */
const editing = { tag: 'Tickets', scope: 'admin:write', permissions: ['view_tickets'] } as const;

export const ticketViewRouter = router({
  list: adminProcedure({
    ...viewing,
    summary: 'List the caller’s saved views and those of their teams, in the caller’s order',
    input: NoInput,
    output: TicketViewList,
  }).query(async ({ ctx }) => ({ object: 'ticket_views' as const, views: await readTicketViews(ctx) })),

  counts: adminProcedure({
    ...viewing,
    summary: 'Count the tickets of each saved view',
    input: CountTicketsInput,
    output: TicketViewCounts,
  }).query(({ ctx, input }) => countTicketViews(ctx, input)),

  create: adminProcedure({
    ...editing,
    summary: 'Save a view, for the caller or for one of their teams',
    status: [201],
    input: CreateTicketViewInput,
    output: TicketView,
  }).mutation(({ ctx, input }) => createTicketView(ctx, input)),

  update: adminProcedure({
    ...editing,
    summary: 'Rename or share a saved view, or change its filters',
    errors: ['resource_not_found'],
    input: UpdateTicketViewInput,
    output: TicketView,
  }).mutation(({ ctx, input }) => updateTicketView(ctx, input)),

  delete: adminProcedure({
    ...editing,
    summary: 'Delete a saved view',
    errors: ['resource_not_found'],
    input: TicketViewRef,
    output: TicketViewDeleted,
  }).mutation(async ({ ctx, input }) => {
    await deleteTicketView(ctx, input);
    return { object: 'ticket_view_deleted' as const, id: input.id };
  }),

  reorder: adminProcedure({
    ...editing,
    summary: 'Set the order in which the caller sees their saved views',
    input: OrderTicketViewsInput,
    output: TicketViewList,
  }).mutation(({ ctx, input }) => orderTicketViews(ctx, input)),

  live: adminProcedure({
    ...viewing,
    summary: 'Follow changes of the caller’s views and of those of the firm’s teams',
    input: StreamTicketViewsInput,
    output: trackedStreamOf(TicketViewStreamEvent),
  }).subscription(({ ctx, input, signal }) => streamTicketViews(ctx, input, signal!)),
});

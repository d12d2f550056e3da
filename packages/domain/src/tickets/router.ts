import { ListTicketsInput, TicketPage } from '@firmdesk/contract';
import { adminProcedure, router } from '../kernel/trpc.ts';
import { listTickets } from './list-tickets.ts';

const tag = 'Tickets';

export const ticketsRouter = router({
  list: adminProcedure({
    rest: 'GET /v1/admin/tickets',
    tag,
    summary: 'List the firm’s support tickets',
    scope: 'admin:read',
    permissions: ['view_tickets'],
    input: ListTicketsInput,
    output: TicketPage,
  }).query(({ ctx, input }) => listTickets(ctx, input)),
});

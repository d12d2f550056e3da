import {
  RateTicketInput,
  SatisfactionSettings,
  SetSatisfactionInput,
  TicketRef,
  TicketSatisfaction,
} from '@firmdesk/contract';
import { adminProcedure, NoInput, router, workspaceProcedure } from '../procedures/trpc.ts';
import {
  getSatisfaction,
  getSatisfactionSettings,
  rateForTrader,
  setSatisfactionSettings,
} from './rate-ticket.ts';

export const satisfactionRouter = router({
  get: adminProcedure({
    tag: 'Tickets',
    scope: 'admin:read',
    permissions: ['view_tickets'],
    summary: 'Read how satisfied the trader of a ticket was',
    errors: ['resource_not_found'],
    input: TicketRef,
    output: TicketSatisfaction,
  }).query(({ ctx, input }) => getSatisfaction(ctx, input)),

  rate: workspaceProcedure({
    tag: 'Tickets',
    scope: 'platform:write',
    summary: 'Store how satisfied a trader was with the answers to a ticket, once',
    errors: ['resource_not_found', 'precondition_failed'],
    input: RateTicketInput,
    output: TicketSatisfaction,
  }).mutation(({ ctx, input }) => rateForTrader(ctx, input)),

  settings: adminProcedure({
    tag: 'Tickets',
    scope: 'admin:read',
    permissions: ['manage_assistant'],
    summary: 'Read whether traders are asked how satisfied they were',
    input: NoInput,
    output: SatisfactionSettings,
  }).query(({ ctx }) => getSatisfactionSettings(ctx)),

  setSettings: adminProcedure({
    tag: 'Tickets',
    scope: 'admin:write',
    permissions: ['manage_assistant'],
    summary: 'Set whether traders are asked how satisfied they were, by mail after a resolution',
    input: SetSatisfactionInput,
    output: SatisfactionSettings,
  }).mutation(({ ctx, input }) => setSatisfactionSettings(ctx, input)),
});

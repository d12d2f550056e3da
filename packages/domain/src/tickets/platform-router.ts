import {
  CallAssistantInput,
  OpenTicketInput,
  Ticket,
  TraderRenamed,
  TraderRenamedInput,
  TraderWriteInput,
  TraderWrote,
} from '@firmdesk/contract';
import { router, workspaceProcedure } from '../procedures/trpc.ts';
import { callAssistant, openTicket, writeTraderMessage } from './messages/trader-messages.ts';
import { refreshTraderSearchText } from './search/refresh-search-text.ts';

const common = { tag: 'Tickets', scope: 'platform:write' } as const;

/** The router `tickets.platform`: procedures for the platform’s other services. Their tokens need the scope, but no administrator. */
export const platformRouter = router({
  open: workspaceProcedure({
    ...common,
    summary: 'Open a ticket for a trader',
    status: [201],
    input: OpenTicketInput,
    output: TraderWrote,
  }).mutation(({ ctx, input }) => openTicket(ctx, input)),

  write: workspaceProcedure({
    ...common,
    summary: 'Add a trader’s message to a ticket, or to a new one if that has ended',
    status: [201],
    errors: ['resource_not_found'],
    input: TraderWriteInput,
    output: TraderWrote,
  }).mutation(({ ctx, input }) => writeTraderMessage(ctx, input)),

  callAssistant: workspaceProcedure({
    ...common,
    summary: 'Call the assistant back for a trader',
    errors: ['resource_not_found', 'ticket_ended', 'assistant_unavailable'],
    input: CallAssistantInput,
    output: Ticket,
  }).mutation(({ ctx, input }) => callAssistant(ctx, input)),

  traderRenamed: workspaceProcedure({
    ...common,
    summary: 'Update the search texts of a trader’s tickets after a change of name or address',
    input: TraderRenamedInput,
    output: TraderRenamed,
  }).mutation(async ({ ctx, input }) => ({
    object: 'trader_renamed' as const,
    tickets: await refreshTraderSearchText(ctx, input),
  })),
});

import type { TicketAssistant } from '../tickets/index.ts';
import { answerTrader, stopObsoleteRuns } from './run.ts';
import { pendingRuns } from './run-store.ts';

/** Implements the port by which tickets use the assistant (`tickets/assistant-port.ts`). */
export const ticketAssistant: TicketAssistant = {
  answerTrader,
  stopObsoleteRuns,
  async isAnswering(ctx, ticket) {
    return (await pendingRuns(ctx, ticket)).some(({ kind }) => kind === 'answer');
  },
};

import type { TicketAssistant } from '../tickets/index.ts';
import { answerTrader, stopObsoleteRuns } from './run.ts';
import { pendingRuns } from './run-store.ts';

/** Implements what tickets need of the assistant. */
export const ticketAssistant: TicketAssistant = {
  answerTrader,
  stopObsoleteRuns,
  async isAnswering(ctx, ticketId) {
    return (await pendingRuns(ctx, ticketId)).some(({ kind }) => kind === 'answer');
  },
};

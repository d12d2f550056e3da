import type { TicketAssistant } from '../tickets/index.ts';
import { answerTrader, stopObsoleteRuns } from './run.ts';
import { pendingRuns } from './run-store.ts';

/** Implements the port by which tickets use the assistant (`tickets/assistant-port.ts`). */
export const ticketAssistant: TicketAssistant = {
  answerTrader,
  stopObsoleteRuns,
  async isAnswering(ctx, ticketId) {
    return (await pendingRuns(ctx, ticketId)).some(({ kind }) => kind === 'answer');
  },
};

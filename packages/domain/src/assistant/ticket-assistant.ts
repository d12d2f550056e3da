import type { TicketAssistant } from '../tickets/index.ts';
import { answerTrader } from './answer-trader.ts';
import { pendingRuns } from './run.ts';
import { stopNeedlessRuns } from './stop-runs.ts';

/** The assistant as tickets see it. */
export const ticketAssistant: TicketAssistant = {
  answerTrader,
  stopNeedlessRuns,
  async isAnswering(ctx, ticketId) {
    return (await pendingRuns(ctx, ticketId)).some(({ kind }) => kind === 'answer');
  },
};

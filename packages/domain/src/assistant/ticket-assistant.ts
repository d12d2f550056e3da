import type { TicketAssistant } from '../tickets/index.ts';
import { answerTrader, stopObsoleteRuns } from './run.ts';
import { newRunId } from './run-store.ts';

/** Implements the port by which tickets use the assistant (`tickets/assistant-port.ts`). */
export const ticketAssistant: TicketAssistant = {
  newRunId,
  answerTrader,
  stopObsoleteRuns,
};

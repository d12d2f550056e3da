import type { TicketAssistant } from '../../tickets/index.ts';
import { answerTrader, stopObsoleteRuns } from './run.ts';

/** Implements the port by which tickets use the assistant (`tickets/assistant-port.ts`). */
export const ticketAssistant: TicketAssistant = {
  answerTrader,
  stopObsoleteRuns,
};

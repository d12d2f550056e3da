import type { TicketStatus } from '@firmdesk/contract';

/** A reply of the assistant that waits or is being written. Only the moves of `assistant/runs/run.ts` change it. */
export interface PendingRun {
  id: string;
  workspace_id: number;
  ticket_id: string;
  kind: 'command' | 'answer';
  state: 'waiting' | 'running';
  /** Whether the run is within the firm's allowance. */
  allowed: boolean;
  attempt: number;
  message_id: string | null;
  /** The ticket's status before the run. A failure restores it if `last_message_at` is still that of the ticket. */
  status_before: TicketStatus;
  last_message_at: string;
  /** Whether the command replaced an answer to the trader. If the command fails, that answer is requested again. */
  replaced_answer: boolean;
}

import type { TicketPriority, TicketStatus } from '@firmdesk/contract';
import type { Tone } from '../../ui/badge.tsx';

/** The labels of ticket statuses. */
export const ticketStatusLabels: Record<TicketStatus, { label: string; tone: Tone }> = {
  open: { label: 'AI handling', tone: 'ai' },
  awaiting_admin: { label: 'Needs reply', tone: 'warning' },
  awaiting_trader: { label: 'Waiting on trader', tone: 'accent' },
  resolved: { label: 'Resolved', tone: 'success' },
  closed: { label: 'Closed', tone: 'neutral' },
};

export const priorityLabels: Record<TicketPriority, string> = {
  urgent: 'Urgent',
  high: 'High',
  normal: 'Normal',
  low: 'Low',
};

export function isEnded(status: TicketStatus): boolean {
  return status === 'resolved' || status === 'closed';
}

import type { TicketPriority, TicketStatus } from '@firmdesk/contract';
import type { Tone } from '../ui/badge.tsx';

/** How the states and priorities of tickets are said, everywhere in the console. */
export const ticketStatusLabels: Record<TicketStatus, { label: string; tone: Tone }> = {
  open: { label: 'Assistant answers', tone: 'ai' },
  awaiting_admin: { label: 'Waiting for us', tone: 'warning' },
  awaiting_trader: { label: 'Waiting for trader', tone: 'accent' },
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

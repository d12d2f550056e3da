import type { TicketGroup, TicketSort } from '@firmdesk/contract';

export const groupLabels: Record<TicketGroup, string> = {
  all: 'All tickets',
  open: 'All open',
  waiting: 'Needs reply',
  ai: 'AI handling',
  trader: 'Waiting on trader',
  ended: 'Done',
};

export const sortLabels: Record<TicketSort, string> = {
  queue: 'Queue',
  '-last_message_at': 'Latest activity',
  '-created_at': 'Newest',
  created_at: 'Oldest',
  '-priority': 'Priority',
  next_due_at: 'Due first',
};

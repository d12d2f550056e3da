import type { Ticket } from '@firmdesk/contract';

/** Returns a ticket for tests. */
export function ticketOf(over: Partial<Ticket> = {}): Ticket {
  return {
    object: 'ticket',
    id: 'tkt_01hzzzzzzzzzzzzzzzzzz4x7q2m',
    number: '#4X7Q2M',
    subject: 'Payout question',
    status: 'awaiting_admin',
    priority: 'normal',
    ai_enabled: false,
    ai_blocked: false,
    unread: 0,
    last_from: 'trader',
    last_message_at: '2026-11-20T09:00:00.000Z',
    created_at: '2026-11-19T09:00:00.000Z',
    closed_at: null,
    snoozed: false,
    snoozed_until: null,
    woken_at: null,
    first_response_due_at: null,
    resolution_due_at: null,
    trader: {
      id: 'usr_01trader',
      name: 'Tess Træder',
      email: 'tess@example.com',
      avatar_url: null,
      deleted: false,
    },
    assignee: null,
    team: null,
    tags: [],
    action_url: '/tickets/tkt_01hzzzzzzzzzzzzzzzzzz4x7q2m',
    ...over,
  };
}

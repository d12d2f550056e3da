import type { Ticket } from '@firmdesk/contract';
import { describe, expect, test } from 'vitest';
import type { InboxSearch } from './inbox-search.ts';
import { type Match, matches } from './match.ts';
import { compareTickets } from './order.ts';
import { ticketOf } from './testing.ts';

const me = { id: 'usr_00000me', teams: [7] };
const agent = (id: string) => ({ id, name: 'Robin', avatar_url: null });

const cases: [title: string, filters: InboxSearch, ticket: Partial<Ticket>, match: Match][] = [
  ['no filter lets everything through', {}, { status: 'closed' }, true],
  ['waiting is what awaits the team', { status: 'waiting' }, { status: 'awaiting_admin' }, true],
  ['waiting is not what the assistant answers', { status: 'waiting' }, { status: 'open' }, false],
  ['open is all that has not ended', { status: 'open' }, { status: 'awaiting_trader' }, true],
  ['ended is closed too', { status: 'ended' }, { status: 'closed' }, true],
  ['mine is what I hold', { assignee: 'me' }, { assignee: agent(me.id) }, true],
  ['mine is what my teams hold', { assignee: 'me' }, { team: { id: 7, name: 'Risk' } }, true],
  ['mine is not what another team holds', { assignee: 'me' }, { team: { id: 8, name: 'Other' } }, false],
  ['nobody’s has no agent', { assignee: 'none' }, { assignee: agent('usr_other1') }, false],
  ['nobody’s has no team either', { assignee: 'none' }, { team: { id: 7, name: 'Risk' } }, false],
  [
    'an agent’s is what that agent holds',
    { assignee: 'usr_other1' },
    { assignee: agent('usr_other1') },
    true,
  ],
  ['a team’s is what it holds', { team: '7' }, { team: { id: 7, name: 'Risk' } }, true],
  ['without a team is without', { team: 'none' }, { team: { id: 7, name: 'Risk' } }, false],
  ['a priority is that one', { priority: 'urgent' }, { priority: 'high' }, false],
  ['a tag is one of the ticket’s', { tag: '3' }, { tags: [{ id: 3, name: 'KYC', color: '#000' }] }, true],
  ['a tag that it lacks', { tag: '3' }, { tags: [] }, false],
  ['words in subject, name and address, whatever their case', { q: 'PAYOUT tess example.com' }, {}, true],
  ['accents count as without', { q: 'café' }, { subject: 'At the CAFE' }, true],
  ['a word that may stand in a message', { q: 'payout drawdown' }, {}, 'perhaps'],
  ['the number', { q: '4x7q2m' }, {}, true],
  ['the beginning of the number', { q: '#4x7' }, {}, true],
  ['another number, which no message can make right', { q: 'drawdown #zzz' }, {}, false],
  ['a whole ticket id is that ticket alone', { q: 'tkt_01hzzzzzzzzzzzzzzzzzz00other' }, {}, false],
  ['a whole trader id is that trader’s', { q: 'usr_01trader' }, {}, true],
  ['a search of nothing but space', { q: '  ' }, {}, true],
  ['filters count before words', { status: 'ended', q: 'drawdown' }, {}, false],
];

describe('which tickets a list holds', () => {
  for (const [title, filters, ticket, match] of cases) {
    test(title, () => expect(matches(ticketOf(ticket), filters, me)).toBe(match));
  }
});

test('the queue: waiting by priority, then by wait; the assistant’s; the traders’; the ended', () => {
  const at = (hour: number) => ({ last_message_at: `2026-11-20T0${hour}:00:00.000Z` });
  const queue = [
    ticketOf({ id: 'tkt_urgent', priority: 'urgent', ...at(9) }),
    ticketOf({ id: 'tkt_waited', ...at(1) }),
    ticketOf({ id: 'tkt_waits0', ...at(2) }),
    ticketOf({ id: 'tkt_low000', priority: 'low', ...at(0) }),
    ticketOf({ id: 'tkt_ai0000', status: 'open', priority: 'urgent', ...at(1) }),
    ticketOf({ id: 'tkt_trader', status: 'awaiting_trader', ...at(5) }),
    ticketOf({ id: 'tkt_older0', status: 'awaiting_trader', ...at(4) }),
    ticketOf({ id: 'tkt_ended0', status: 'resolved', ...at(8) }),
    ticketOf({ id: 'tkt_closed', status: 'closed', ...at(7) }),
  ];
  const shuffled = [...queue].sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(shuffled.sort((a, b) => compareTickets('queue', a, b))).toEqual(queue);
});

test('how long a ticket has waited is not guessed where the trader did not write last', () => {
  const a = ticketOf({ last_from: 'ai', last_message_at: '2026-11-20T01:00:00.000Z' });
  expect(compareTickets('queue', a, ticketOf())).toBe(0);
});

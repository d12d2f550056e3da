import type { Ticket } from '@firmdesk/contract';
import { describe, expect, test } from 'vitest';
import { compareTickets } from '../list/order.ts';
import { ticketOf } from '../testing.ts';
import type { InboxSearch } from './inbox-search.ts';
import { type Match, matches } from './match.ts';

const me = { id: 'usr_00000me', teams: [7] };
const PAST = '2020-01-01T00:00:00.000Z';
const FUTURE = new Date(Date.now() + 3_600_000).toISOString();
const agent = (id: string) => ({ id, name: 'Robin', avatar_url: null });

const cases: [title: string, filters: InboxSearch, ticket: Partial<Ticket>, match: Match][] = [
  ['no filter matches every ticket', {}, { status: 'closed' }, true],
  ['no filter does not match a snoozed ticket', {}, { snoozed: true }, false],
  ['a search matches a snoozed ticket', { q: 'payout' }, { snoozed: true }, true],
  ['only matches a snoozed ticket', { snoozed: 'only' }, { snoozed: true }, true],
  ['only does not match another ticket', { snoozed: 'only' }, {}, false],
  ['breached matches an overdue ticket', { due: 'breached' }, { resolution_due_at: PAST }, true],
  ['breached does not match a later one', { due: 'breached' }, { resolution_due_at: FUTURE }, false],
  ['minutes match an overdue ticket', { due: '30m' }, { first_response_due_at: PAST }, true],
  ['minutes do not match a later one', { due: '30m' }, { first_response_due_at: FUTURE }, false],
  ['minutes do not match a ticket without a due time', { due: '30m' }, {}, false],
  ['set matches any due time', { due: 'set' }, { first_response_due_at: FUTURE }, true],
  [
    'set does not match a ticket that just stopped to await the team',
    { due: 'set' },
    { status: 'awaiting_trader', first_response_due_at: FUTURE },
    false,
  ],
  ['one of several values matches', { priority: 'urgent,high' }, { priority: 'high' }, true],
  ['none of several values does not match', { status: 'waiting,trader' }, { status: 'open' }, false],
  ['an excluded value does not match', { priority: '-low,high' }, { priority: 'high' }, false],
  ['what is not excluded matches', { assignee: '-me,none' }, { assignee: agent('usr_other1') }, true],
  ['an excluded team matches a ticket without a team', { team: '-7' }, { team: null }, true],
  ['an excluded due time matches a ticket without one', { due: '-set' }, {}, true],
  ['unread matches a ticket with unread messages', { is: 'unread' }, { unread: 2 }, true],
  ['unread does not match another ticket', { is: 'unread' }, {}, false],
  ['waiting matches awaiting_admin', { status: 'waiting' }, { status: 'awaiting_admin' }, true],
  ['waiting does not match open', { status: 'waiting' }, { status: 'open' }, false],
  [
    'open matches every ticket that is not resolved or closed',
    { status: 'open' },
    { status: 'awaiting_trader' },
    true,
  ],
  ['ended matches closed', { status: 'ended' }, { status: 'closed' }, true],
  ['me matches a ticket assigned to the caller', { assignee: 'me' }, { assignee: agent(me.id) }, true],
  [
    'me matches a ticket of a team of the caller',
    { assignee: 'me' },
    { team: { id: 7, name: 'Risk' } },
    true,
  ],
  [
    'me does not match a ticket of another team',
    { assignee: 'me' },
    { team: { id: 8, name: 'Other' } },
    false,
  ],
  [
    'none does not match a ticket with an agent',
    { assignee: 'none' },
    { assignee: agent('usr_other1') },
    false,
  ],
  [
    'none does not match a ticket with a team',
    { assignee: 'none' },
    { team: { id: 7, name: 'Risk' } },
    false,
  ],
  ['an agent id matches their tickets', { assignee: 'usr_other1' }, { assignee: agent('usr_other1') }, true],
  ['a team id matches its tickets', { team: '7' }, { team: { id: 7, name: 'Risk' } }, true],
  ['no team does not match a ticket with a team', { team: 'none' }, { team: { id: 7, name: 'Risk' } }, false],
  ['a priority does not match another one', { priority: 'urgent' }, { priority: 'high' }, false],
  [
    'a tag matches a ticket that has it',
    { tag: '3' },
    { tags: [{ id: 3, name: 'KYC', color: '#000' }] },
    true,
  ],
  ['a tag does not match a ticket without it', { tag: '3' }, { tags: [] }, false],
  [
    'words match subject, name and address without regard to case',
    { q: 'PAYOUT tess example.com' },
    {},
    true,
  ],
  ['accents are ignored', { q: 'café' }, { subject: 'At the CAFE' }, true],
  ['a word that may be in a message matches perhaps', { q: 'payout drawdown' }, {}, 'perhaps'],
  ['a number matches', { q: '4x7q2m' }, {}, true],
  ['the start of a number matches', { q: '#4x7' }, {}, true],
  ['another number never matches', { q: 'drawdown #zzz' }, {}, false],
  ['a ticket id matches only that ticket', { q: 'tkt_01hzzzzzzzzzzzzzzzzzz00other' }, {}, false],
  ['a trader id matches their tickets', { q: 'usr_01trader' }, {}, true],
  ['a blank search matches every ticket', { q: '  ' }, {}, true],
  ['filters are applied before words', { status: 'ended', q: 'drawdown' }, {}, false],
];

describe('matches', () => {
  for (const [title, filters, ticket, match] of cases) {
    test(title, () => expect(matches(ticketOf(ticket), filters, me)).toBe(match));
  }
});

test('sorts the queue: waiting by priority and wait, then with the assistant, with the trader, done', () => {
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

test('does not compare waiting times unless the trader wrote last', () => {
  const a = ticketOf({ last_from: 'ai', last_message_at: '2026-11-20T01:00:00.000Z' });
  expect(compareTickets('queue', a, ticketOf())).toBe(0);
});

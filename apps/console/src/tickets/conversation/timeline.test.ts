import type { TicketHistoryEntry, TicketMessage, TicketPropertyChange } from '@firmdesk/contract';
import { expect, test } from 'vitest';
import { authorName, phraseOf } from '../properties/change-phrases.ts';
import { timelineOf } from './timeline.ts';

const ada = { id: 'usr_ada', name: 'Ada Able' };
const ben = { id: 'usr_ben', name: 'Ben Best' };
let ids = 0;

function entry(
  time: string,
  author: TicketHistoryEntry['author'],
  ...changes: TicketPropertyChange[]
): TicketHistoryEntry {
  return {
    object: 'ticket_history_entry',
    id: String(++ids),
    created_at: `2026-11-${time}:00.000Z`,
    author,
    reason: null,
    automatic: false,
    changes,
  };
}
const message = (time: string) =>
  ({ id: `tmsg_${time}`, created_at: `2026-11-${time}:00.000Z` }) as TicketMessage;
const urgent: TicketPropertyChange = { property: 'priority', before: 'normal', after: 'urgent' };

/** The items as short texts: the time of a message, or the author and number of changes. */
const shown = (messages: TicketMessage[], entries: TicketHistoryEntry[]) =>
  timelineOf(messages, entries, 'UTC').map((item) =>
    item.message ? item.message.id : `${authorName(item.changes[0]!)} ${item.changes.length}`,
  );

test('changes stand between the messages by time, after the message that caused them', () => {
  const messages = [message('20T10:00'), message('20T11:00')];
  const entries = [
    entry('20T09:00', ada, urgent),
    entry('20T10:00', ada, urgent),
    entry('20T12:00', null, urgent),
  ];
  expect(shown(messages, entries)).toEqual([
    'Ada Able 1',
    'tmsg_20T10:00',
    'Ada Able 1',
    'tmsg_20T11:00',
    'The assistant 1',
  ]);
});

test('successive changes of one author on one day are joined', () => {
  const entries = [
    entry('20T10:00', ada, urgent),
    entry('20T10:05', ada, urgent),
    entry('20T10:06', ben, urgent),
    entry('20T10:07', ada, urgent),
    entry('21T10:00', ada, urgent),
  ];
  expect(shown([], entries)).toEqual(['Ada Able 2', 'Ben Best 1', 'Ada Able 1', 'Ada Able 1']);
  expect(timelineOf([], entries, 'UTC').map(({ isFirstOfDay }) => isFirstOfDay)).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test('messages of one author within five minutes are one group, without a change or another kind in between', () => {
  const by = (author: string, time: string, over: Partial<TicketMessage> = {}) =>
    ({
      ...message(time),
      author,
      from: 'admin',
      internal: false,
      event: null,
      via_email: false,
      ...over,
    }) as TicketMessage;
  const messages = [
    by('Ada', '20T10:00'),
    by('Ada', '20T10:04'),
    by('Ada', '20T10:09'),
    by('Ben', '20T10:10'),
    by('Ben', '20T10:11', { internal: true }),
    by('Ben', '20T10:12', { internal: true }),
    by('Ben', '20T10:14', { internal: true }),
    by('Ben', '20T10:15', { internal: true, event: 'ai_command' }),
    by('Tess', '20T10:16', { from: 'trader', via_email: true }),
    by('Tess', '20T10:17', { from: 'trader' }),
  ];
  const items = timelineOf(messages, [entry('20T10:13', ada, urgent)], 'UTC');
  expect(items.filter(({ continues }) => continues).map(({ key }) => key)).toEqual([
    'tmsg_20T10:04',
    'tmsg_20T10:12',
  ]);
});

const tag = (name: string) => ({ id: 1, name, color: '#000000' });
const other = { id: 'tkt_other1', number: '#OTHER1' };

test.each<[TicketPropertyChange[], string]>([
  [[{ property: 'assignee', before: null, after: ben }], 'assigned this to Ben Best'],
  [[{ property: 'assignee', before: ben, after: ada }], 'assigned this to themselves'],
  [[{ property: 'assignee', before: ben, after: null }], 'unassigned Ben Best'],
  [[{ property: 'team', before: null, after: { id: 1, name: 'Payouts' } }], 'moved this to the team Payouts'],
  [
    [{ property: 'team', before: { id: 1, name: 'Payouts' }, after: null }],
    'removed this from the team Payouts',
  ],
  [[urgent], 'set the priority to Urgent'],
  [[{ property: 'tags', added: [tag('vip'), tag('late')], removed: [] }], 'added the tags vip and late'],
  [
    [{ property: 'tags', added: [tag('vip')], removed: [tag('late')] }],
    'added the tag vip and removed the tag late',
  ],
  [[{ property: 'status', before: 'open', after: 'resolved' }], 'resolved this'],
  [[{ property: 'status', before: 'open', after: 'awaiting_admin' }], 'changed the status to Needs reply'],
  [
    [{ property: 'status', before: 'closed', after: 'awaiting_admin' }],
    'reopened this with the status Needs reply',
  ],
  [[{ property: 'assistant_blocked', after: true }], 'blocked the assistant'],
  [[{ property: 'merged_into', ticket: other }], 'merged this into #OTHER1'],
  [[{ property: 'merged_from', ticket: other }], 'merged #OTHER1 into this'],
  [
    [
      { property: 'status', before: 'open', after: 'awaiting_trader' },
      urgent,
      { property: 'assistant', after: false },
    ],
    'changed the status to Waiting on trader, set the priority to Urgent and switched the assistant off',
  ],
])('a change is told in words: %#', (changes, phrase) => {
  expect(phraseOf([entry('20T10:00', ada, ...changes)])).toBe(phrase);
});

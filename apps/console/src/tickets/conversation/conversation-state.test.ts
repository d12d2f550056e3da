import type { TicketMessage, TicketStreamEvent } from '@firmdesk/contract';
import { expect, test } from 'vitest';
import {
  type ConversationState,
  emptyConversation,
  messagesIn,
  withEvent,
  withMessages,
} from './conversation-state.ts';

const REPLY = 'tmsg_00000000000000000000000002';

const reply = (over: Partial<TicketMessage> = {}): TicketMessage => ({
  object: 'ticket_message',
  id: REPLY,
  ticket_id: 'tkt_00000000000000000000000001',
  from: 'ai',
  author: 'Assistant',
  body: '',
  image_url: null,
  image_name: null,
  attachments: [],
  internal: false,
  streaming: true,
  via_email: false,
  event: null,
  read_at: null,
  created_at: '2026-11-21T10:00:00.000Z',
  ...over,
});

const begun: TicketStreamEvent = { type: 'message.created', message: reply() };
const finished: TicketStreamEvent = {
  type: 'message.updated',
  message: reply({ body: 'Hello there.', streaming: false, created_at: '2026-11-21T10:00:05.000Z' }),
};
const snapshot = (text: string): TicketStreamEvent => ({ type: 'snapshot', message_id: REPLY, text });
const reset: TicketStreamEvent = { type: 'text_reset', message_id: REPLY };
const delta = (offset: number, text: string): TicketStreamEvent => ({
  type: 'text_delta',
  ticket_id: 'tkt_00000000000000000000000001',
  message_id: REPLY,
  offset,
  text,
});

const after = (...events: TicketStreamEvent[]): ConversationState =>
  events.reduce(withEvent, emptyConversation);
const textAfter = (...events: TicketStreamEvent[]) => messagesIn(after(...events)).at(-1)?.body;

test('shows the text of a reply while it is streamed', () => {
  expect(textAfter(begun)).toBe('');
  expect(textAfter(begun, delta(0, 'Hello'), delta(5, ' there'))).toBe('Hello there');
});

test('ignores duplicate pieces', () => {
  expect(textAfter(begun, delta(0, 'Hello'), delta(0, 'Hello'), delta(5, ' there'), delta(0, 'Hello'))).toBe(
    'Hello there',
  );
});

test('holds early pieces back until the gap is filled', () => {
  expect(textAfter(begun, delta(5, ' there'))).toBe('');
  expect(textAfter(begun, delta(5, ' there'), delta(11, '.'), delta(0, 'Hello'))).toBe('Hello there.');
});

test('continues from a snapshot, also in the middle of a word', () => {
  expect(textAfter(begun, snapshot('Hello th'), delta(6, 'ther'), delta(10, 'e.'))).toBe('Hello there.');
  expect(textAfter(snapshot('Hel'), begun, delta(3, 'lo'))).toBe('Hello');
});

test('replaces the known text by a snapshot', () => {
  expect(textAfter(begun, delta(0, 'Good day to'), snapshot('Hel'), delta(3, 'lo'))).toBe('Hello');
});

test('clears the text on a reset', () => {
  expect(textAfter(begun, delta(0, 'Good'), delta(9, 'lost'), reset)).toBe('');
  expect(textAfter(begun, delta(0, 'Good'), reset, delta(0, 'Hello'))).toBe('Hello');
});

test('counts offsets in UTF-16 units', () => {
  expect(textAfter(begun, delta(0, 'Hi 👋'), delta(5, ' you'))).toBe('Hi 👋 you');
});

test('keeps a final message despite late events and fetches', () => {
  const state = after(begun, delta(0, 'Hell'), finished, delta(4, 'o'), snapshot('Hell'), begun);
  expect(messagesIn(withMessages(state, [reply()]))).toEqual([finished.message]);
  expect(state.streaming.size).toBe(0);
});

test('sorts a conversation by time', () => {
  const earlier = reply({ id: 'tmsg_00000000000000000000000003', from: 'trader', streaming: false });
  const later = reply({
    id: 'tmsg_00000000000000000000000001',
    from: 'admin',
    streaming: false,
    created_at: '2026-11-21T10:00:02.000Z',
  });
  const state = withMessages(after(begun, finished), [later, earlier]);
  expect(messagesIn(state).map(({ from }) => from)).toEqual(['trader', 'admin', 'ai']);
});

test('moves a reply that a command takes over below the command, empty', () => {
  const command = reply({
    id: 'tmsg_00000000000000000000000004',
    from: 'admin',
    body: '/ai Be brief',
    internal: true,
    streaming: false,
    event: 'ai_command',
    created_at: '2026-11-21T10:00:03.000Z',
  });
  const state = after(
    begun,
    delta(0, 'Dear'),
    { type: 'message.created', message: command },
    { type: 'message.updated', message: reply({ created_at: '2026-11-21T10:00:03.001Z' }) },
    reset,
    delta(0, 'Hi'),
  );
  expect(messagesIn(state).map(({ body }) => body)).toEqual(['/ai Be brief', 'Hi']);
});

test('forgets, once fetched again, what was known before and not what came since', () => {
  const older = reply({ id: 'tmsg_00000000000000000000000001', streaming: false, body: 'Hello.' });
  const newer = reply({ id: 'tmsg_00000000000000000000000003', streaming: false, body: 'Bye.' });
  const doubtful = after(begun, { type: 'message.created', message: older }, { type: 'resync' });
  expect(messagesIn(doubtful)).toHaveLength(2);
  const since: TicketStreamEvent[] = [finished, { type: 'message.created', message: newer }];
  const state = withEvent(since.reduce(withEvent, doubtful), { type: 'refetched' });
  expect(messagesIn(state).map(({ body }) => body)).toEqual(['Bye.', 'Hello there.']);
});

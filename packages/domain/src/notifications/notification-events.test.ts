import { expect, test } from 'vitest';
import { createdEvent, payloadFor, readEvent } from './notification-events.ts';

const content = {
  object: 'notification',
  kind: 'ticket_awaiting_admin',
  reason: null,
  title: 'A ticket awaits an answer',
  body: null,
  action_url: '/tickets',
  created_at: '2026-01-01T00:00:00.000Z',
  read_at: null,
} as const;

test('a notification is one event, of which each recipient gets their own notification and others nothing', () => {
  const { type, body } = createdEvent(content, [
    { id: 'first', user_id: 'usr_a' },
    { id: 'second', user_id: 'usr_b' },
  ]);
  expect(payloadFor('usr_a', type, body)).toEqual({ notification: { ...content, id: 'first' } });
  expect(payloadFor('usr_b', type, body)).toEqual({ notification: { ...content, id: 'second' } });
  expect(payloadFor('usr_c', type, body)).toBeNull();
  expect(payloadFor('constructor', type, body)).toBeNull();
});

test('only the account that has read notifications gets the event', () => {
  const { type, body } = readEvent('usr_a');
  expect(payloadFor('usr_a', type, body)).toEqual({});
  expect(payloadFor('usr_b', type, body)).toBeNull();
});

test('passes on events of the stream itself', () => {
  expect(payloadFor('usr_a', 'began', {})).toEqual({});
});

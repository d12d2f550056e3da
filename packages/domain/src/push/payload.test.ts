import { expect, test } from 'vitest';
import { type PushContent, writePayload } from './payload.ts';

const content = (title: string, body: string, fields: Record<string, string | null> = {}): PushContent => ({
  alert: { title, body },
  badge: 3,
  threadId: 'mailbox-7',
  fields: { type: 'mail.message', ...fields },
});

test('a payload that fits is left as it is', () => {
  expect(JSON.parse(writePayload(content('Ann', 'Numbers', { message_id: 'msg_1' })))).toEqual({
    aps: { alert: { title: 'Ann', body: 'Numbers' }, badge: 3, sound: 'default', 'thread-id': 'mailbox-7' },
    type: 'mail.message',
    message_id: 'msg_1',
  });
});

test.each([
  ['letters', 'x'],
  ['a family, which is one character', '👨‍👩‍👧‍👦'],
  ['a flag', '🇵🇹'],
  ['an accent of its own', 'e\u0301'],
  ['what JSON escapes', '"\n'],
])('a long text is cut between characters and fills the limit: %s', (_what, character) => {
  const json = writePayload(content(character.repeat(3_000), character.repeat(5_000)));
  const { title, body } = JSON.parse(json).aps.alert;
  const bytes = Buffer.byteLength(json);
  expect(bytes).toBeLessThanOrEqual(4_096);
  expect(bytes).toBeGreaterThan(4_096 - Buffer.byteLength(JSON.stringify(character)) - 3);
  for (const text of [title, body])
    expect(text).toBe(`${character.repeat((text.length - 1) / character.length)}…`);
});

test('a link that leaves no room is left out, and the text stays', () => {
  const json = writePayload(content('Payout', 'Asked for', { action_url: `/${'é'.repeat(2_100)}` }));
  expect(JSON.parse(json)).toMatchObject({ aps: { alert: { body: 'Asked for' } }, action_url: null });
});

test('a surrogate half at the cut never goes out', () => {
  const json = writePayload(content('T', `${'a'.repeat(3_900)}${'😀'.repeat(200)}`));
  expect(Buffer.from(json).toString()).toBe(json);
  expect(Buffer.byteLength(json)).toBeLessThanOrEqual(4_096);
});

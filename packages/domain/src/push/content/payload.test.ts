import { expect, test } from 'vitest';
import { type PushContent, writePayload } from './payload.ts';

const content = (title: string, body: string, fields: Record<string, string | null> = {}): PushContent => ({
  alert: { title, body },
  badge: 3,
  threadId: 'mailbox-7',
  fields: { type: 'mail.message', ...fields },
});

test('leaves a payload that fits unchanged', () => {
  expect(JSON.parse(writePayload(content('Ann', 'Numbers', { message_id: 'msg_1' })))).toEqual({
    aps: { alert: { title: 'Ann', body: 'Numbers' }, badge: 3, sound: 'default', 'thread-id': 'mailbox-7' },
    type: 'mail.message',
    message_id: 'msg_1',
  });
});

test.each([
  ['letters', 'x'],
  ['an emoji of several code points', '👨‍👩‍👧‍👦'],
  ['a flag', '🇵🇹'],
  ['a combining accent', 'e\u0301'],
  ['characters that JSON escapes', '"\n'],
])('cuts a long text between grapheme clusters, and fills the limit: %s', (_, character) => {
  const json = writePayload(content(character.repeat(3_000), character.repeat(5_000)));
  const { title, body } = JSON.parse(json).aps.alert;
  const bytes = Buffer.byteLength(json);
  expect(bytes).toBeLessThanOrEqual(4_096);
  expect(bytes).toBeGreaterThan(4_096 - Buffer.byteLength(JSON.stringify(character)) - 3);
  for (const text of [title, body])
    expect(text).toBe(`${character.repeat((text.length - 1) / character.length)}…`);
});

test('sets a link that leaves no room to null, and keeps the text', () => {
  const json = writePayload(content('Payout', 'Asked for', { action_url: `/${'é'.repeat(2_100)}` }));
  expect(JSON.parse(json)).toMatchObject({ aps: { alert: { body: 'Asked for' } }, action_url: null });
});

test('never cuts a surrogate pair', () => {
  const json = writePayload(content('T', `${'a'.repeat(3_900)}${'😀'.repeat(200)}`));
  expect(Buffer.from(json).toString()).toBe(json);
  expect(Buffer.byteLength(json)).toBeLessThanOrEqual(4_096);
});

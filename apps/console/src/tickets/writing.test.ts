import { expect, test } from 'vitest';
import { instructionOf, lengthOf } from './assistant-command.ts';
import { pruneDrafts } from './drafts.ts';
import { wholeSentences } from './sentences.ts';
import { textParts } from './text-parts.ts';

test('only what begins with /ai is for the assistant', () => {
  expect(instructionOf('/ai be brief')).toBe('be brief');
  expect(instructionOf('  /ai\nbe brief\n')).toBe('be brief');
  expect(instructionOf('/ai')).toBe('');
  expect(instructionOf('/air is free')).toBeNull();
  expect(instructionOf('see /ai be brief')).toBeNull();
});

test('an instruction is counted in characters, a message as the service counts it', () => {
  expect(lengthOf('/ai 👋👋')).toEqual({ length: 2, limit: 2_000 });
  expect(lengthOf('👋👋')).toEqual({ length: 4, limit: 20_000 });
});

test('a sentence is whole once another follows it, or the text is final', () => {
  expect(wholeSentences('Hello there. I look in', false)).toEqual({ sentences: ['Hello there.'], units: 13 });
  expect(wholeSentences('Hello there.', false).sentences).toEqual([]);
  expect(wholeSentences('Hello there.', true).sentences).toEqual(['Hello there.']);
});

test('addresses become links without the marks after them, and nothing else does', () => {
  expect(textParts('See https://a.example/x?y=1, or (https://b.example/z).')).toEqual([
    { text: 'See ', href: null },
    { text: 'https://a.example/x?y=1', href: 'https://a.example/x?y=1' },
    { text: ', or (', href: null },
    { text: 'https://b.example/z', href: 'https://b.example/z' },
    { text: ').', href: null },
  ]);
  expect(textParts('https://c.example/Option_(finance).')[0]!.href).toBe(
    'https://c.example/Option_(finance)',
  );
  const harmless = 'javascript:alert(1) data:text/html,x <img src=x onerror=alert(1)>';
  expect(textParts(harmless)).toEqual([{ text: harmless, href: null }]);
});

test('a text loses nothing by being cut', () => {
  const text = 'a https:// b https://x.example/ü😀. c';
  expect(
    textParts(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

test('drafts are kept for thirty days, the newest two hundred of them, and nothing else is touched', () => {
  const now = Date.parse('2026-11-21T10:00:00Z');
  const stored = new Map<string, string>([
    ['firmdesk.theme', '"dark"'],
    ['firmdesk.draft.a', '{"text":"old","changedAt":1}'],
    ['firmdesk.draft.b', 'not JSON'],
    ['firmdesk.draft.c', 'null'],
  ]);
  for (let age = 0; age < 201; age++) {
    stored.set(`firmdesk.draft.${age}`, JSON.stringify({ text: 'x', changedAt: now - age * 1_000 }));
  }
  pruneDrafts(
    {
      get length() {
        return stored.size;
      },
      key: (index) => [...stored.keys()][index] ?? null,
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
      clear: () => stored.clear(),
    },
    now,
  );
  expect(stored.size).toBe(201);
  expect(stored.has('firmdesk.theme')).toBe(true);
  expect(stored.has('firmdesk.draft.199')).toBe(true);
  expect(stored.has('firmdesk.draft.200')).toBe(false);
});

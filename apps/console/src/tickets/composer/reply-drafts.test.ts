import { expect, test } from 'vitest';
import { pruneDrafts } from './reply-drafts.ts';

test('deletes drafts older than thirty days and beyond the newest two hundred, and nothing else', () => {
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

import { beforeEach, expect, test, vi } from 'vitest';

/** A stand-in for localStorage. */
const stored = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
});
vi.stubGlobal('addEventListener', () => {});

const { deleteView, formatTicketCount, isSameSearch, renameView, savedViews, saveView } = await import(
  './views.ts'
);

const FIRM = 'northgate';
beforeEach(() => savedViews(FIRM).set([]));

test('saves views per firm and replaces a view of the same name', () => {
  saveView(FIRM, { name: 'Urgent', search: { priority: 'urgent' } });
  saveView(FIRM, { name: 'Risk', search: { team: '7' } });
  saveView(FIRM, { name: 'Urgent', search: { priority: 'urgent', status: 'open' } });
  expect(savedViews(FIRM).get()).toEqual([
    { name: 'Urgent', search: { priority: 'urgent', status: 'open' } },
    { name: 'Risk', search: { team: '7' } },
  ]);
  expect(savedViews('other').get()).toEqual([]);
  expect(JSON.parse(stored.get(`firmdesk.views.${FIRM}`)!)).toHaveLength(2);
});

test('renames a view in place and deletes it', () => {
  saveView(FIRM, { name: 'A', search: {} });
  saveView(FIRM, { name: 'B', search: { q: 'b' } });
  renameView(FIRM, 'A', 'C');
  expect(
    savedViews(FIRM)
      .get()
      .map(({ name }) => name),
  ).toEqual(['C', 'B']);
  deleteView(FIRM, 'C');
  expect(
    savedViews(FIRM)
      .get()
      .map(({ name }) => name),
  ).toEqual(['B']);
});

test('ignores stored values that are not views and unknown filters', () => {
  stored.set(
    'firmdesk.views.third',
    JSON.stringify([
      { name: 'Good', search: { status: 'waiting', colour: 'red', priority: 'huge' } },
      { name: 1 },
      null,
    ]),
  );
  expect(savedViews('third').get()).toEqual([{ name: 'Good', search: { status: 'waiting' } }]);
});

test('compares searches by their filters, not by key order', () => {
  expect(isSameSearch({ status: 'open', q: 'a' }, { q: 'a', status: 'open' })).toBe(true);
  expect(isSameSearch({ status: 'open' }, {})).toBe(false);
});

test('shows a count above the maximum as the maximum and a plus sign', () => {
  const format = new Intl.NumberFormat('en');
  expect(formatTicketCount(10_000, format)).toBe('10,000');
  expect(formatTicketCount(10_001, format)).toBe('10,000+');
});

import { beforeEach, expect, test, vi } from 'vitest';

/** What a browser has, as far as stored values use it. */
const kept = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
});
vi.stubGlobal('addEventListener', () => {});

const { deleteView, isSameSearch, renameView, savedViews, saveView } = await import('./views.ts');

const FIRM = 'northgate';
beforeEach(() => savedViews(FIRM).set([]));

test('a view is kept per firm, and replaced by one of its name', () => {
  saveView(FIRM, { name: 'Urgent', search: { priority: 'urgent' } });
  saveView(FIRM, { name: 'Risk', search: { team: '7' } });
  saveView(FIRM, { name: 'Urgent', search: { priority: 'urgent', status: 'open' } });
  expect(savedViews(FIRM).get()).toEqual([
    { name: 'Urgent', search: { priority: 'urgent', status: 'open' } },
    { name: 'Risk', search: { team: '7' } },
  ]);
  expect(savedViews('other').get()).toEqual([]);
  expect(JSON.parse(kept.get(`firmdesk.views.${FIRM}`)!)).toHaveLength(2);
});

test('a view is renamed where it stands, and deleted', () => {
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

test('what is stored and no view, or no filter that there is, is left out', () => {
  kept.set(
    'firmdesk.views.third',
    JSON.stringify([
      { name: 'Good', search: { status: 'waiting', colour: 'red', priority: 'huge' } },
      { name: 1 },
      null,
    ]),
  );
  expect(savedViews('third').get()).toEqual([{ name: 'Good', search: { status: 'waiting' } }]);
});

test('two searches are the same by what they filter, not by their order', () => {
  expect(isSameSearch({ status: 'open', q: 'a' }, { q: 'a', status: 'open' })).toBe(true);
  expect(isSameSearch({ status: 'open' }, {})).toBe(false);
});

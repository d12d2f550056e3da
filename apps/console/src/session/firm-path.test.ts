import { expect, test } from 'vitest';
import { firmOfPath, firmPath, liveSlug, pageOfPath, testSlug } from './firm-path.ts';

test('returns the firm and the page of a firm path, for every valid slug', () => {
  for (const firm of ['northgate', 'a', 'docs', 'tickets', 'firms', 'north-gate-2', 'northgate.test']) {
    for (const page of ['/', '/tickets', '/tickets/tkt_1?status=open#end']) {
      const path = firmPath(firm, page);
      expect([firmOfPath(path), pageOfPath(path)]).toEqual([firm, page]);
    }
  }
  expect(firmOfPath('/firms/northgate?a=1')).toBe('northgate');
});

test('returns null for a path without a valid firm', () => {
  for (const path of [
    '/',
    '/tickets/tkt_1',
    '/firms',
    '/firms/',
    '/firms/North',
    '/firms/-a',
    '/firms/a_b/x',
    '/firms/a.b/x',
    '/x/firms/a',
  ]) {
    expect([path, firmOfPath(path)]).toEqual([path, null]);
  }
});

test('maps a picker path to the first page and a link without a firm to its page', () => {
  expect(['/firms', '/firms/North/tickets', '/firms?a=1'].map(pageOfPath)).toEqual(['/', '/', '/']);
  expect(pageOfPath('/tickets/tkt_1?a=1')).toBe('/tickets/tkt_1?a=1');
});

test('converts between the slugs of live data and test data', () => {
  expect(['northgate', 'northgate.test'].map(testSlug)).toEqual(['northgate.test', 'northgate.test']);
  expect(['northgate', 'northgate.test'].map(liveSlug)).toEqual(['northgate', 'northgate']);
});

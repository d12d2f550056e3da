import { expect, test } from 'vitest';
import { firmOfPath, firmPath, pageOfPath } from './firm-path.ts';

test('finds the firm of a path, whatever the firm is called', () => {
  for (const firm of ['northgate', 'a', 'docs', 'tickets', 'firms', 'north-gate-2']) {
    for (const page of ['/', '/tickets', '/tickets/tkt_1?status=open#end']) {
      const path = firmPath(firm, page);
      expect([firmOfPath(path), pageOfPath(path)]).toEqual([firm, page]);
    }
  }
  expect(firmOfPath('/firms/northgate?a=1')).toBe('northgate');
});

test('finds no firm in other paths', () => {
  for (const path of [
    '/',
    '/tickets/tkt_1',
    '/firms',
    '/firms/',
    '/firms/North',
    '/firms/-a',
    '/firms/a_b/x',
    '/x/firms/a',
  ]) {
    expect([path, firmOfPath(path)]).toEqual([path, null]);
  }
});

test('leads from the picker to the first page of a firm, and from an old link to its page', () => {
  expect(['/firms', '/firms/North/tickets', '/firms?a=1'].map(pageOfPath)).toEqual(['/', '/', '/']);
  expect(pageOfPath('/tickets/tkt_1?a=1')).toBe('/tickets/tkt_1?a=1');
});

import { describe, expect, test } from 'vitest';
import { isWebPath } from './web-path.ts';

describe('isWebPath', () => {
  test.each([
    '/',
    '/tickets/tkt_01hzzzzzzzzzzzzzzzzzz4x7q2m',
    '/tickets?status=waiting&q=a%20b#last',
    '/firms/northgate.test/tickets',
    '/.well-known/a..b?from=/../x',
  ])('accepts %j', (path) => expect(isWebPath(path)).toBe(true));

  test.each([
    '',
    'tickets',
    'https://evil.test',
    'javascript:alert(1)',
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '\\/evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    '/\r/evil.test',
    '/\t\\evil.test',
    '\t//evil.test',
    ' //evil.test',
    '/tickets\\..',
    '/tickets\n',
    '/ /evil.test',
    '/\0',
    '/\u00a0/evil.test',
    '/\u2028/evil.test',
    '/\u202etest.live',
    '/．／evil.test',
    '/.',
    '/settings/../tickets',
    '/.//evil.test',
    '/..//evil.test',
    '/%2e//evil.test',
    '/%2E%2e//evil.test',
    '/x/..//evil.test',
    '/./\t/evil.test',
  ])('rejects %j', (path) => expect(isWebPath(path)).toBe(false));

  test('whatever it accepts stays on the site, also if the resolved path is resolved again', () => {
    const parts = ['/', '\\', '.', '%2e', '%2f', '\t', '\n', '@', ':', '?', '#', 'evil.test'];
    const site = 'https://firm.example';
    let paths = ['/'];
    for (let length = 1; length <= 4; length++) {
      paths = paths.flatMap((path) => parts.map((part) => path + part));
      for (const path of paths.filter(isWebPath)) {
        const { origin, pathname, search, hash } = new URL(path, site);
        expect(origin, path).toBe(site);
        expect(new URL(pathname + search + hash, site).origin, path).toBe(site);
      }
    }
  });
});

import { expect, test } from 'vitest';
import { splitLinks } from './split-links.ts';

test('links only http and https URLs, without trailing punctuation', () => {
  expect(splitLinks('See https://a.example/x?y=1, or (https://b.example/z).')).toEqual([
    { text: 'See ', href: null },
    { text: 'https://a.example/x?y=1', href: 'https://a.example/x?y=1' },
    { text: ', or (', href: null },
    { text: 'https://b.example/z', href: 'https://b.example/z' },
    { text: ').', href: null },
  ]);
  expect(splitLinks('https://c.example/Option_(finance).')[0]!.href).toBe(
    'https://c.example/Option_(finance)',
  );
  const harmless = 'javascript:alert(1) data:text/html,x <img src=x onerror=alert(1)>';
  expect(splitLinks(harmless)).toEqual([{ text: harmless, href: null }]);
});

test('keeps the whole text', () => {
  const text = 'a https:// b https://x.example/ü😀. c';
  expect(
    splitLinks(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

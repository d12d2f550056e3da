import fc from 'fast-check';
import { expect, test } from 'vitest';
import { snippetOf } from './snippet.ts';

test.each([
  ['<p>Dear Ann,</p><p>see below</p>', 'Dear Ann, see below'],
  ['one<br>two', 'one two'],
  ['<b>H</b>ello <a href="x">there</a>', 'Hello there'],
  ['<style>p { color: red }</style><script>alert(1)</script>Shown', 'Shown'],
  ['<!-- not <p>this</p> --><p>this</p>', 'this'],
  ['Fish &amp; chips &#8364;5 &#x26; &lt;b&gt; &unknown;', 'Fish & chips €5 & <b> &unknown;'],
  ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ['\u200b\u200c&zwnj;&nbsp; Preheader', 'Preheader'],
  ['<style>never closed', ''],
  ['cut in a <ta', 'cut in a'],
  ['', ''],
])('the snippet of %j is %j', (html, snippet) => expect(snippetOf(html)).toBe(snippet));

test('text behind more tags than are looked at is no part of the snippet', () => {
  const tags = '<b></b>'.repeat(10_000);
  expect(snippetOf(`${tags}late`)).toBe('');
  expect(snippetOf(`early${tags}late`)).toBe('early');
});

test('a snippet has at most 200 characters and never half of one', () => {
  expect(snippetOf('x'.repeat(500))).toHaveLength(200);
  expect(snippetOf(`${'x'.repeat(199)}😀`)).toBe('x'.repeat(199));
});

test('whatever the HTML, a snippet is one storable line', () => {
  const pieces = fc.constantFrom(
    '<',
    '>',
    '<!--',
    '-->',
    '<style',
    '</style>',
    '&#55357;',
    '&#0;',
    '\n',
    '😀',
    'a ',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (html) => {
      const snippet = snippetOf(html.join(''));
      expect(snippet).not.toMatch(/[\0\n\r\t]/);
      expect(snippet.isWellFormed()).toBe(true);
      expect(snippet.length).toBeLessThanOrEqual(200);
    }),
  );
});

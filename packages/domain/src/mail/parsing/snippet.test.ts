import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { snippetOf } from './snippet.ts';

describe('snippetOf', () => {
  test.each([
    ['<p>Dear Ann,</p><p>see below</p>', 'Dear Ann, see below'],
    ['one<br>two', 'one two'],
    ['<b>H</b>ello <a href="x">there</a>', 'Hello there'],
    ['<a title="1 > 0">link</a>', 'link'],
    ['<style>p { color: red }</style><script>alert(1)</script>Shown', 'Shown'],
    ['<STYLE>p {}</STYLE >Shown', 'Shown'],
    ['<html><head><title>Not shown</title></head><body>Shown</body></html>', 'Shown'],
    ['<template><p>Not shown</p></template>Shown', 'Shown'],
    ['<!-- not <p>this</p> --><p>this</p>', 'this'],
    ['<!--[if mso]>not this<![endif]-->this', 'this'],
    ['Fish &amp; chips &#8364;5 &#x26; &lt;b&gt; &unknown;', 'Fish & chips €5 & <b> &unknown;'],
    ['Caf&eacute; &hellip; &euro;5 &copy', 'Café … €5 ©'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['\u200b\u200c&zwnj;&nbsp; Preheader', 'Preheader'],
    ['<style>never closed', ''],
    ['cut in a <ta', 'cut in a'],
    ['', ''],
  ])('of %j is %j', (html, snippet) => expect(snippetOf(html)).toBe(snippet));

  test('joins text that spans chunks of the parser', () => {
    expect(snippetOf(`${'<i></i>'.repeat(600)}a&am`)).toBe('a&am');
    expect(snippetOf(`${' '.repeat(4_093)}a&amp;b`)).toBe('a&b');
  });

  test('finds text behind a lot of white space', () => {
    expect(snippetOf(`${' '.repeat(100_000)}late`)).toBe('late');
    expect(snippetOf(`${'<td>\n  </td>'.repeat(2_000)}late`)).toBe('late');
    expect(snippetOf(`${'<!-- no text -->\n'.repeat(2_000)}late`)).toBe('late');
  });

  test('ignores text behind more tags than it parses', () => {
    const tags = '<b></b>'.repeat(10_000);
    expect(snippetOf(`${tags}late`)).toBe('');
    expect(snippetOf(`early${tags}late`)).toBe('early');
  });

  test('has at most 200 characters and never half of a surrogate pair', () => {
    expect(snippetOf('x'.repeat(500))).toHaveLength(200);
    expect(snippetOf(`${'x'.repeat(199)}😀`)).toBe('x'.repeat(199));
  });

  test('is one line without unsupported characters for any HTML', () => {
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

  /** Returns the processor time in milliseconds of the fastest of three calls: caches and compilation slow down single ones. */
  const leastTimeOf = (html: string) => {
    const times = Array.from({ length: 3 }, () => {
      const started = process.threadCpuUsage();
      snippetOf(html);
      const { user, system } = process.threadCpuUsage(started);
      return (user + system) / 1_000;
    });
    return Math.min(...times);
  };
  const size = 10 * 1024 * 1024;
  test.each([
    ['open tags', '<a>'],
    ['paragraphs that are never closed', '<p>'],
    ['end tags without start tags', '</a>'],
    ['unterminated attributes', '<a x="'],
    ['ampersands', '&'],
    ['comments that are never closed', '<!--'],
    ['end tags of a hidden element', '<style></styl'],
    ['spaces', ' '],
    ['invisible characters', '\u200b'],
  ])('takes less than 200 ms of processor time for 10 MiB of %s', (_, piece) => {
    expect(leastTimeOf(piece.repeat(size / piece.length))).toBeLessThan(200);
  });

  test('takes less than 200 ms of processor time for tags that match no open element', () => {
    expect(leastTimeOf(`${'<b>'.repeat(2_500)}${'</i>'.repeat(100_000)}`)).toBeLessThan(200);
  });
});

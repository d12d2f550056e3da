import { htmlOfPlainText, MAX_FORMATTED_LENGTH, plainTextOf } from '@firmdesk/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanFormatted } from './formatted-text.ts';

test.each<[html: string, cleaned: string | null, text: string]>([
  ['<p>Hello</p><p></p><p>Bye</p>', null, 'Hello\n\nBye'],
  [
    '<p>It comes <b>today</b>, <i>surely</i></p>',
    '<p>It comes <strong>today</strong>, <em>surely</em></p>',
    'It comes today, surely',
  ],
  [
    '<ul><li><p>one</p><ol start="3"><li>three</li><li>four</li></ol></li><li>two</li></ul>',
    '<ul><li><p>one</p><ol start="3"><li>three</li><li>four</li></ol></li><li>two</li></ul>',
    '- one\n  3. three\n  4. four\n- two',
  ],
  [
    '<blockquote><p>a</p><p></p><p>b</p></blockquote>',
    '<blockquote><p>a</p><p></p><p>b</p></blockquote>',
    '> a\n>\n> b',
  ],
  ['<pre><code>if (a)\n  b();\n</code></pre>', '<pre><code>if (a)\n  b();\n</code></pre>', 'if (a)\n  b();'],
  [
    '<p><a href="https://x.example/a" onclick="x()" target="_blank">here</a></p>',
    '<p><a href="https://x.example/a">here</a></p>',
    'here (https://x.example/a)',
  ],
  [
    '<p><a href="https://x.example/">x.example</a></p>',
    '<p><a href="https://x.example/">x.example</a></p>',
    'x.example',
  ],
  [
    '<p dir="rtl" style="position:fixed">שלום <strong class="x">עולם</strong></p>',
    '<p>שלום <strong>עולם</strong></p>',
    'שלום עולם',
  ],
  ['<h1>Title</h1><div>line<br>next</div>', null, 'Title\nline\nnext'],
  ['<p><strong>a&#0;&#xd800;b</strong></p>', '<p><strong>a\ufffd\ufffdb</strong></p>', 'a\ufffd\ufffdb'],
  [
    '5 &lt; 6 &amp;&amp; <strong>"7"</strong>',
    '5 &lt; 6 &amp;&amp; <strong>&quot;7&quot;</strong>',
    '5 < 6 && "7"',
  ],
])('%s', (html, cleaned, text) => {
  expect(cleanFormatted(html)).toEqual({ html: cleaned, text });
  if (cleaned !== null) expect(cleanFormatted(cleaned)).toEqual({ html: cleaned, text });
});

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href=" &#x6a;avascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="//evil.example">x</a>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<form action=https://evil.example><input name=p><button>Go</button></form>',
  '<style>@import "https://evil.example"</style>',
  '<p style="background:url(https://evil.example)" class="fixed" id="root">x</p>',
  '<strong onmouseover=alert(1)>x</strong><!-- <script> --><![CDATA[<script>]]>',
  '<<script>script>alert(1)<</script>/script>',
  '<template><script>alert(1)</script></template><object data=x></object><base href=//evil.example>',
])('nothing of %s can run or load', (html) => {
  const { html: cleaned } = cleanFormatted(`<p><strong>a</strong></p>${html}`);
  const tags = [...cleaned!.matchAll(/<\/?([^\s>]+)([^>]*)>/g)];
  for (const [, name, rest] of tags) {
    expect(['p', 'strong', 'a', 'br']).toContain(name);
    expect(rest).toMatch(/^( href="(https?:|mailto:)[^"]*")?$/);
  }
});

test('takes bounded time and depth, whatever is sent', () => {
  const fill = (part: string) => part.repeat(Math.floor(MAX_FORMATTED_LENGTH / part.length));
  const started = performance.now();
  for (const html of [
    '<blockquote>',
    '<ul><li>',
    '<a href=x>',
    '<',
    '<p><strong>',
    '</p>',
    '&lt;',
    '<!--',
    '<p a="',
    '<b><i></b>',
  ].map(fill)) {
    const { html: cleaned } = cleanFormatted(html);
    expect((cleaned ?? '').length).toBeLessThan(4 * MAX_FORMATTED_LENGTH);
  }
  expect(performance.now() - started).toBeLessThan(20_000);
});

test('keeps each plain text as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const plain = text
        .replaceAll(/[\r\0]/g, '')
        .toWellFormed()
        .trim();
      expect(cleanFormatted(htmlOfPlainText(plain))).toEqual({ html: null, text: plain });
    }),
    { seed: 1 },
  );
  expect(plainTextOf([])).toBe('');
});

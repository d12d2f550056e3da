import { convert } from 'html-to-text';

/** The text is made of this much of the HTML. The time for it grows with the square of the elements. */
const MAX_HTML = 200_000;

/** Returns the text alternative of a message in HTML. For HTML of outsiders it can take seconds: use a thread. */
export function textOfMessage(html: string, { wordwrap = 78 }: { wordwrap?: number | false } = {}): string {
  return convert(html.slice(0, MAX_HTML), {
    wordwrap,
    limits: { maxDepth: 100, maxChildNodes: 10_000, ellipsis: '…' },
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
      // A message that came as plain text.
      { selector: 'div[style="white-space: pre-wrap"]', format: 'pre' },
      // Pictures are parts of the message.
      { selector: 'img', format: 'skip' },
    ],
  });
}

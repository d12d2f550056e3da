import { compile } from 'html-to-text';

/** The text is made of this much of the HTML. The time for it grows with the square of the elements. */
const MAX_HTML = 200_000;

const convert = compile({
  wordwrap: 78,
  limits: { maxDepth: 100, maxChildNodes: 10_000, ellipsis: '…' },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    // Pictures are parts of the message.
    { selector: 'img', format: 'skip' },
  ],
});

/** Returns the text alternative of a message in HTML. For HTML of outsiders it can take seconds: use a thread. */
export function textOfMessage(html: string): string {
  return convert(html.slice(0, MAX_HTML));
}

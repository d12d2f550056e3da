import {
  htmlOfRichText,
  isFormatted,
  MAX_RICH_DEPTH,
  plainTextOf,
  type RichNode,
  type RichTag,
  richTags,
  safeHref,
} from '@firmdesk/contract';
import { Parser } from 'htmlparser2';
import sanitizeHtml from 'sanitize-html';

/** What other programs write for the elements that are kept. */
const SYNONYMS: Readonly<Record<string, RichTag>> = {
  b: 'strong',
  i: 'em',
  del: 's',
  strike: 's',
  div: 'p',
  h1: 'p',
  h2: 'p',
  h3: 'p',
  h4: 'p',
  h5: 'p',
  h6: 'p',
};

const options: sanitizeHtml.IOptions = {
  allowedTags: [...richTags],
  allowedAttributes: { a: ['href'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  transformTags: SYNONYMS,
  nestingLimit: MAX_RICH_DEPTH,
  // Their content is no text either.
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'noscript',
    'title',
    'template',
    'svg',
    'math',
    'iframe',
    'object',
  ],
};

export interface CleanedText {
  /** Null without formatting. */
  html: string | null;
  text: string;
}

/**
 * Returns the safe part of a formatted text, null if that has no formatting, and its plain text. Nothing but elements of `richTags`, the `href` of
 * links and the `start` of lists is kept.
 */
export function cleanFormatted(html: string): CleanedText {
  const cleaned = sanitizeHtml(html, options);
  const nodes = toRichNodes(cleaned);
  return { html: isFormatted(nodes) ? htmlOfRichText(nodes) : null, text: plainTextOf(nodes).trim() };
}

/** Returns the parts of a text that is cleaned. */
function toRichNodes(html: string): RichNode[] {
  const root: RichNode[] = [];
  const open: { name: string; children: RichNode[] }[] = [{ name: '', children: root }];
  const parser = new Parser({
    ontext(text) {
      open.at(-1)!.children.push(text);
    },
    onopentag(name, { href, start }) {
      const { children } = open.at(-1)!;
      const tag = richTags.find((each) => each === name);
      const address = tag === 'a' ? safeHref(href) : undefined;
      // What is in a link that may not be followed stays.
      if (!tag || (tag === 'a' && address === undefined)) {
        open.push({ name, children });
        return;
      }
      const first = tag === 'ol' ? Number(start ?? 1) : 1;
      const element = {
        tag,
        children: [] as RichNode[],
        ...(address !== undefined && { href: address }),
        ...(Number.isInteger(first) && first > 1 && first < 1_000_000 && { start: first }),
      };
      children.push(element);
      open.push({ name, children: element.children });
    },
    onclosetag() {
      open.pop();
    },
  });
  parser.end(html);
  return root;
}

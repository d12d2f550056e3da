import {
  htmlOfRichText,
  isFormatted,
  MAX_MESSAGE_LENGTH,
  MAX_RICH_DEPTH,
  plainTextOf,
  type RichNode,
  type RichTag,
  richTags,
  safeHref,
} from '@firmdesk/contract';
import { Parser } from 'htmlparser2';
import sanitizeHtml from 'sanitize-html';
import { invalidField } from '../../platform/process/errors.ts';

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

/**
 * Returns the safe part of a formatted text, null if that has no formatting, and its plain text. Nothing but elements of `richTags`, the `href` of
 * links and the `start` of lists is kept.
 */
export function cleanFormatted(html: string): { html: string | null; text: string } {
  const cleaned = sanitizeHtml(html, options);
  const nodes = toRichNodes(cleaned);
  return { html: isFormatted(nodes) ? htmlOfRichText(nodes) : null, text: plainTextOf(nodes).trim() };
}

/** Returns the body of a message as it is stored. With formatting, it is the text of that. Throws `validation_failed` if it is too long. */
export function bodyOf({ body, body_html }: { body: string; body_html?: string | undefined }): {
  body: string;
  bodyHtml: string | null;
} {
  if (body_html === undefined || body === '') return { body, bodyHtml: null };
  const { html, text } = cleanFormatted(body_html);
  if (html === null || text === '') return { body, bodyHtml: null };
  if (text.length > MAX_MESSAGE_LENGTH)
    throw invalidField('body', `must have at most ${MAX_MESSAGE_LENGTH} characters`);
  return { body: text, bodyHtml: html };
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

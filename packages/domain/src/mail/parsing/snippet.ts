import { textOfHtml } from './text-of-html.ts';

const MAX_SNIPPET = 200;
/** Invisible characters are dropped later, so more text is collected than the snippet has characters. */
const MAX_TEXT = 4 * MAX_SNIPPET;
const MAX_TAGS = 5_000;

/**
 * Returns the beginning of the HTML's visible text, on one line, at most 200 characters. The work is limited for any
 * input.
 */
export function snippetOf(html: string): string {
  return toOneLine(textOfHtml(html, { maxText: MAX_TEXT, maxTags: MAX_TAGS }));
}

/** Collapses white space, drops invisible characters and cuts to the limit, never inside a surrogate pair. */
function toOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_SNIPPET)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}

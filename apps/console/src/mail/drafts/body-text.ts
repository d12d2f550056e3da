import { parseHtml, STYLE, shownPart, textOf } from '../message/shown-part.ts';

export const NO_BREAK = '\u00a0';

/** Returns plain text as HTML with a paragraph for each line, as mail programs write it. */
export function textToHtml(text: string): string {
  if (text === '') return '';
  return text
    .split('\n')
    .map((line) => `<p>${line === '' ? '<br>' : escaped(withSpaces(line))}</p>`)
    .join('');
}

/**
 * Returns the text of HTML that has only paragraphs and line breaks, or null if it has formatting, images or links that would
 * be lost.
 */
export function htmlToText(html: string): string | null {
  if (shownPart(html) !== html) return null;
  const { body } = parseHtml(html).document;
  const isPlain = [...body.querySelectorAll('*')].every(
    ({ localName, attributes }) => ['p', 'div', 'br'].includes(localName) && attributes.length === 0,
  );
  if (!isPlain) return null;
  return linesOf(body).join('\n');
}

/** Returns the text of any HTML, without its formatting. */
export function plainText(html: string): string {
  if (shownPart(html) !== html) return textOf(html).trim();
  const { body } = parseHtml(html).document;
  for (const hidden of body.querySelectorAll(`script, ${STYLE}, template`)) hidden.remove();
  return linesOf(body).join('\n').trim();
}

const BLOCKS = new Set(
  'address article aside blockquote dd div dl dt footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul'.split(
    ' ',
  ),
);

function linesOf(root: HTMLElement): string[] {
  const lines: string[] = [];
  let line: string | null = null;
  const end = () => {
    // HTML collapses runs of spaces, except non-breaking ones.
    if (line !== null)
      lines.push(
        line
          .replace(/[ \t\r\n]+/g, ' ')
          .replace(/^ | $/g, '')
          .replaceAll(NO_BREAK, ' '),
      );
    line = null;
  };
  const walk = (node: Node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      if (line !== null || node.nodeValue?.trim()) line = (line ?? '') + node.nodeValue;
      return;
    }
    if (!(node instanceof Element)) return;
    const { localName } = node;
    if (localName === 'br') {
      line ??= '';
      end();
      return;
    }
    const isBlock = BLOCKS.has(localName);
    if (isBlock) end();
    for (const child of node.childNodes) walk(child);
    if (isBlock) end();
  };
  for (const child of root.childNodes) walk(child);
  end();
  return lines;
}

/** Makes spaces non-breaking where HTML would collapse them. */
function withSpaces(line: string): string {
  return line.replace(/^ | $|(?<= ) /g, NO_BREAK);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

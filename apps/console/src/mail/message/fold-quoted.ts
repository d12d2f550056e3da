/** What mail programs put around the message that is answered. */
const QUOTE =
  '.gmail_quote, .gmail_extra, .yahoo_quoted, .protonmail_quote, blockquote[type=cite], #OLK_SRC_BODY_SECTION, #mail-editor-reference-message-container';
/** What Outlook puts before it: all that follows is quoted. */
const DIVIDER = '#divRplyFwdMsg, #appendonsend, #x_divRplyFwdMsg';
/** The line before a quote, such as "On 3 May, Ann wrote:", or its start in a line of its own. */
const ATTRIBUTION = '.moz-cite-prefix, .gmail_attr';

/** Elements that show something without text. */
const SHOWN = 'img, hr, table';

/**
 * Removes the quoted message at the end of a cleaned body. Returns whether there was one. A forwarded message stays, as does a quote that has
 * text behind it, or that is all there is. Each element is looked at a fixed number of times: the body's size is limited before.
 */
export function foldQuoted(body: HTMLElement): boolean {
  const divider = body.querySelector(DIVIDER);
  if (divider) return removeIfLast(body, divider, true);
  const quote = findLastQuote(body);
  if (quote) return removeIfLast(body, quote, false);
  return foldQuotedLines(body) || foldQuotedParagraphs(body);
}

/** Removes a quote, with what is behind it, unless it is a forwarded message or all there is. */
function removeIfLast(body: HTMLElement, quote: Element, removesRest: boolean): boolean {
  if (/^\s*-{2,}\s*(?:forwarded|weitergeleitet)/i.test(quote.textContent?.slice(0, 200) ?? '')) return false;
  const range = body.ownerDocument.createRange();
  const attribution = quote.previousElementSibling;
  const begins = attribution?.matches(ATTRIBUTION) ? attribution : quote;
  range.setStart(body, 0);
  range.setEndBefore(begins);
  const before = range.cloneContents();
  if (!before.textContent?.trim() && !before.querySelector(SHOWN)) return false;
  range.setStartBefore(begins);
  if (removesRest) range.setEnd(body, body.childNodes.length);
  else range.setEndAfter(quote);
  range.deleteContents();
  return true;
}

/** Returns the first quote with only blanks behind it: it contains the last text, or begins behind that. */
function findLastQuote(body: HTMLElement): Element | null {
  const walk = () =>
    body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  let last: Node | null = null;
  for (let nodes = walk(), node = nodes.nextNode(); node; node = nodes.nextNode())
    if (node.nodeType === Node.TEXT_NODE && node.nodeValue!.trim() !== '') last = node;
  let isBehind = last === null;
  for (let nodes = walk(), node = nodes.nextNode(); node; node = nodes.nextNode()) {
    isBehind ||= node === last;
    if (node.nodeType !== Node.ELEMENT_NODE || !(node as Element).matches(QUOTE)) continue;
    if (isBehind || node.contains(last)) return node as Element;
  }
  return null;
}

/** Removes the quoted lines at the end of a plain text: lines that begin with `>`, and the line before them that ends with a colon. */
function foldQuotedLines(body: HTMLElement): boolean {
  const block = body.children.length === 1 ? body.firstElementChild! : null;
  if (!block || block.children.length > 0 || body.textContent!.trim() !== block.textContent!.trim())
    return false;
  const lines = block.textContent!.split('\n');
  let end = lines.length;
  while (end > 0 && /^(?:>|\s*$)/.test(lines[end - 1]!)) end--;
  if (!lines.slice(end).some((line) => line.startsWith('>'))) return false;
  // An attribution can be wrapped once.
  if (end > 0 && /:\s*$/.test(lines[end - 1]!)) end -= /^\s*$/.test(lines[end - 2] ?? '') ? 1 : 2;
  const kept = lines.slice(0, Math.max(0, end)).join('\n').trimEnd();
  if (kept.trim() === '') return false;
  block.textContent = kept;
  return true;
}

/** Does the same with the paragraphs at the end of a body, as this console quotes. */
function foldQuotedParagraphs(body: HTMLElement): boolean {
  const isText = (node: ChildNode) => node.nodeType === Node.TEXT_NODE && node.nodeValue!.trim() !== '';
  if ([...body.childNodes].some(isText)) return false;
  const blocks = [...body.children].map((block) => ({
    block,
    text: block.textContent!.trim(),
    isBlank: block.textContent!.trim() === '' && !block.matches(SHOWN) && !block.querySelector(SHOWN),
  }));
  let end = blocks.findLastIndex(({ text, isBlank }) => !isBlank && !text.startsWith('>')) + 1;
  if (blocks.slice(end).every(({ isBlank }) => isBlank)) return false;
  if (blocks[end - 1]?.text.endsWith(':')) end--;
  if (blocks.slice(0, end).every(({ isBlank }) => isBlank)) return false;
  for (const { block } of blocks.slice(end)) block.remove();
  return true;
}

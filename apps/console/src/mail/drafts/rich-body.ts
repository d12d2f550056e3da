import {
  htmlOfRichText,
  isFormatted,
  plainTextOf,
  type RichNode,
  richTags,
  safeHref,
} from '@firmdesk/contract';
import type { FormattedText } from '../../rich-text/editable-field.ts';
import { fileOfImage, parseRichText, richNodesOf } from '../../rich-text/parse-rich-text.ts';
import { parseHtml, shownPart } from '../message/shown-part.ts';
import { htmlToText, NO_BREAK, textToHtml } from './body-text.ts';

const KEPT: ReadonlySet<string> = new Set([...richTags, 'b', 'i', 'del', 'div']);
const BLOCKS: ReadonlySet<string> = new Set(['p', 'ul', 'ol', 'li', 'blockquote', 'pre']);

/**
 * Returns the body of a message as the editor has it; null if the editor would lose a part of it, such as a colour or an image that is
 * none of the files of the draft.
 */
export function editableBody(html: string, isFile: (id: string) => boolean): FormattedText | null {
  const text = htmlToText(html);
  if (text !== null) return { text, html: null };
  if (shownPart(html) !== html) return null;
  const { body } = parseHtml(html).document;
  if (![...body.querySelectorAll('*')].every((element) => isKept(element, isFile))) return null;
  const nodes = withoutLayout(richNodesOf(body, true));
  return { text: plainTextOf(nodes), html: isFormatted(nodes) ? htmlOfRichText(nodes) : null };
}

/** Returns what the editor has as the body of a message. Other mail programs show it with the same spaces and empty lines. */
export function bodyOf({ text, html }: FormattedText): string {
  return html === null ? textToHtml(text) : htmlOfRichText(withLayout(parseRichText(html, true)));
}

function isKept(element: Element, isFile: (id: string) => boolean): boolean {
  const { localName, attributes } = element;
  if (localName === 'img') {
    const file = fileOfImage(element);
    return (
      file !== null && isFile(file) && [...attributes].every(({ name }) => name === 'src' || name === 'alt')
    );
  }
  return (
    KEPT.has(localName) &&
    [...attributes].every(
      ({ name, value }) =>
        (localName === 'a' && name === 'href' && safeHref(value) !== undefined) ||
        (localName === 'ol' && name === 'start'),
    )
  );
}

/** Removes what HTML does not show of white space, and the line break of an empty paragraph. */
function withoutLayout(nodes: readonly RichNode[]): RichNode[] {
  const hasBlocks = nodes.some((node) => typeof node !== 'string' && BLOCKS.has(node.tag));
  return nodes.flatMap((node): RichNode[] => {
    if (typeof node === 'string') {
      const text = node.replace(/[ \t\r\n]+/g, ' ');
      return hasBlocks && text === ' ' ? [] : [text.replaceAll(NO_BREAK, ' ')];
    }
    if (node.tag === 'pre') return [node];
    const [first, ...others] = node.children;
    const isEmpty =
      node.tag === 'p' && others.length === 0 && typeof first === 'object' && first.tag === 'br';
    return [{ ...node, children: isEmpty ? [] : withoutLayout(node.children) }];
  });
}

function withLayout(nodes: readonly RichNode[]): RichNode[] {
  return nodes.map((node) => {
    if (typeof node === 'string') return node.replace(/(?<= ) /g, NO_BREAK);
    if (node.tag === 'pre') return node;
    const isEmpty = node.tag === 'p' && node.children.length === 0;
    return { ...node, children: isEmpty ? [{ tag: 'br', children: [] }] : withLayout(node.children) };
  });
}

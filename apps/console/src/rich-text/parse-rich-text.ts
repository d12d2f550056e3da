import { MAX_RICH_DEPTH, type RichNode, type RichTag, richTags, safeHref } from '@firmdesk/contract';

/** What programs write for the elements of a formatted text. */
const SYNONYMS: Readonly<Record<string, RichTag>> = { b: 'strong', i: 'em', del: 's', div: 'p' };
/** Their content is no text. */
const WITHOUT_TEXT = new Set([
  'script',
  'style',
  'template',
  'title',
  'noscript',
  'svg',
  'math',
  'iframe',
  'textarea',
]);

/**
 * Returns the safe part of a formatted text. The browser parses it in a document of its own, in which nothing runs or is loaded, and nothing of that
 * document is ever shown: whoever shows the text makes new elements.
 */
export function parseRichText(html: string): RichNode[] {
  return richNodesOf(new DOMParser().parseFromString(html, 'text/html').body);
}

/** Returns the safe part of what an element of such a document contains. */
export function richNodesOf(parent: Node, depth = 0): RichNode[] {
  return [...parent.childNodes].flatMap((node): RichNode[] => {
    if (node instanceof Text) return [node.data];
    if (!(node instanceof Element) || WITHOUT_TEXT.has(node.localName)) return [];
    const children = depth < MAX_RICH_DEPTH ? richNodesOf(node, depth + 1) : [];
    const tag = richTags.find((each) => each === (SYNONYMS[node.localName] ?? node.localName));
    const href = tag === 'a' ? safeHref(node.getAttribute('href')) : undefined;
    if (!tag || (tag === 'a' && href === undefined)) return children;
    const start = tag === 'ol' ? Number(node.getAttribute('start') ?? 1) : 1;
    return [
      {
        tag,
        children,
        ...(href !== undefined && { href }),
        ...(Number.isInteger(start) && start > 1 && { start }),
      },
    ];
  });
}

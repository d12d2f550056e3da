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
export function parseRichText(html: string, hasImages = false): RichNode[] {
  return richNodesOf(new DOMParser().parseFromString(html, 'text/html').body, hasImages);
}

/** Returns the file of a mail that an image shows, in its body or in the editor; null for any other image. */
export function fileOfImage(image: Element): string | null {
  const source = image.getAttribute('data-file') ?? image.getAttribute('src')?.replace(/^cid:/, '') ?? '';
  return /^matt_[0-9a-z]+$/.test(source) ? source : null;
}

/**
 * Returns the safe part of what an element of such a document contains.
 *
 * @param hasImages whether images that are files of a mail are part of it
 */
export function richNodesOf(parent: Node, hasImages = false, depth = 0): RichNode[] {
  return [...parent.childNodes].flatMap((node): RichNode[] => {
    if (node instanceof Text) return [node.data];
    if (!(node instanceof Element) || WITHOUT_TEXT.has(node.localName)) return [];
    const file = hasImages && node.localName === 'img' ? fileOfImage(node) : null;
    if (file !== null)
      return [{ tag: 'img', src: `cid:${file}`, alt: node.getAttribute('alt') ?? '', children: [] }];
    const children = depth < MAX_RICH_DEPTH ? richNodesOf(node, hasImages, depth + 1) : [];
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

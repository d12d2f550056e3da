import { escapeHtml } from './html-of-plain-text.ts';

/** The elements of a formatted text. */
export const richTags = [
  'p',
  'br',
  'strong',
  'em',
  's',
  'code',
  'pre',
  'blockquote',
  'ul',
  'ol',
  'li',
  'a',
] as const;
export type RichTag = (typeof richTags)[number];

/** Elements that are nested deeper are not kept. */
export const MAX_RICH_DEPTH = 20;

export interface RichElement {
  /** An image stands only in mail, where it is a file of the message. */
  tag: RichTag | 'img';
  /** Of `a`. */
  href?: string;
  /** Of `ol`: its first number. */
  start?: number;
  /** Of `img`: `cid:` and the id of the file. */
  src?: string;
  /** Of `img`. */
  alt?: string;
  children: readonly RichNode[];
}
/** A part of a formatted text: an element, or a text. */
export type RichNode = string | RichElement;

/** Returns whether a text has formatting, and not only paragraphs and line breaks. */
export function isFormatted(nodes: readonly RichNode[]): boolean {
  return nodes.some(
    (node) =>
      typeof node !== 'string' && ((node.tag !== 'p' && node.tag !== 'br') || isFormatted(node.children)),
  );
}

/** Returns a formatted text as plain text, in the way in which Markdown writes lists and quotes. Each paragraph is a line. */
export function plainTextOf(nodes: readonly RichNode[]): string {
  return linesOf(nodes).join('\n');
}

const BLOCKS: ReadonlySet<string> = new Set(['p', 'pre', 'blockquote', 'ul', 'ol', 'li']);

function linesOf(nodes: readonly RichNode[]): string[] {
  const lines: string[] = [];
  let inline: RichNode[] = [];
  const endLine = () => {
    if (inline.length > 0) lines.push(...inlineText(inline).split('\n'));
    inline = [];
  };
  for (const node of nodes) {
    if (typeof node === 'string' || !BLOCKS.has(node.tag)) {
      inline.push(node);
      continue;
    }
    endLine();
    lines.push(...linesOfBlock(node));
  }
  endLine();
  return lines;
}

function linesOfBlock({ tag, start = 1, children }: RichElement): string[] {
  switch (tag) {
    case 'blockquote':
      return linesOf(children).map((line) => (line === '' ? '>' : `> ${line}`));
    case 'ul':
    case 'ol': {
      const items = children.filter((item) => typeof item !== 'string' && item.tag === 'li') as RichElement[];
      return items.flatMap((item, index) => {
        const mark = tag === 'ul' ? '- ' : `${start + index}. `;
        const [first = '', ...others] = linesOf(item.children);
        return [mark + first, ...others.map((line) => ' '.repeat(mark.length) + line)];
      });
    }
    case 'li':
      return linesOf(children);
    case 'pre':
      return inlineText(children).replace(/\n$/, '').split('\n');
    default:
      return children.some((child) => typeof child !== 'string' && BLOCKS.has(child.tag))
        ? linesOf(children)
        : inlineText(children).split('\n');
  }
}

function inlineText(nodes: readonly RichNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      if (node.tag === 'br') return '\n';
      if (node.tag === 'img') return node.alt ?? '';
      const text = BLOCKS.has(node.tag) ? linesOfBlock(node).join('\n') : inlineText(node.children);
      return node.href === undefined || isSameAddress(text, node.href) ? text : `${text} (${node.href})`;
    })
    .join('');
}

/** Returns whether a text names the address of a link itself. */
function isSameAddress(text: string, href: string): boolean {
  const plain = (address: string) =>
    address
      .trim()
      .replace(/^(?:https?:\/\/|mailto:)/i, '')
      .replace(/\/$/, '');
  return plain(text) === plain(href);
}

/** Returns a formatted text in HTML. */
export function htmlOfRichText(nodes: readonly RichNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return escapeHtml(node);
      if (node.tag === 'br') return '<br>';
      if (node.tag === 'img')
        return `<img src="${escapeHtml(node.src ?? '')}" alt="${escapeHtml(node.alt ?? '')}">`;
      const href = node.href === undefined ? '' : ` href="${escapeHtml(node.href)}"`;
      const start = node.start === undefined ? '' : ` start="${node.start}"`;
      return `<${node.tag}${href}${start}>${htmlOfRichText(node.children)}</${node.tag}>`;
    })
    .join('');
}

/** Returns the address of a link if it may be followed, otherwise undefined. */
export function safeHref(href: string | null | undefined): string | undefined {
  const address = href?.trim() ?? '';
  return /^(?:https?:\/\/|mailto:)[^\s/]/i.test(address) ? address : undefined;
}

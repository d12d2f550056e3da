import { isUtf8 } from 'node:buffer';
import { storableText } from '../../platform/database/storable-text.ts';

/** An unfolded content line (RFC 5545 §3.1) and the number of its first physical line, from 1. */
export interface ContentLine {
  line: number;
  text: string;
}

/** A component between BEGIN and END. `error` is the reason why it is invalid, or null. */
export interface Component {
  name: string;
  line: number;
  lines: ContentLine[];
  children: Component[];
  error: string | null;
}

/** The maximum length of an unfolded line. The rest of a longer one is cut. */
const MAX_LINE = 200_000;

const MAX_DEPTH = 8;

/** The maximum number of components that are open at a time. Deeper ones are read as lines. */
const MAX_OPEN = 64;

/**
 * Returns the outermost components of a document: its bytes, or a text that was decoded after its lines were joined. It accepts anything: a
 * component without its END is marked as invalid, and lines outside of components are ignored.
 */
export function parseComponents(document: string | Uint8Array): Component[] {
  const roots: Component[] = [];
  const open: Component[] = [];
  for (const content of contentLines(document)) {
    const [, keyword, name] = /^(BEGIN|END):\s*([\w-]+)\s*$/i.exec(content.text) ?? [];
    const current = open.at(-1);
    if (!keyword || !name || (open.length >= MAX_OPEN && keyword.toUpperCase() === 'BEGIN')) {
      current?.lines.push(content);
    } else if (keyword.toUpperCase() === 'BEGIN') {
      begin(roots, open, {
        name: name.toUpperCase(),
        line: content.line,
        lines: [],
        children: [],
        error: null,
      });
    } else {
      end(open, name.toUpperCase());
    }
  }
  while (open.length > 0) markUnclosed(open.pop()!);
  return roots;
}

function begin(roots: Component[], open: Component[], component: Component): void {
  // Events do not nest, so the previous event was not closed.
  while (component.name === 'VEVENT' && open.some(({ name }) => name === 'VEVENT')) markUnclosed(open.pop()!);
  const parent = open.at(-1);
  if (open.length >= MAX_DEPTH && parent) {
    parent.error ??= `nests components more than ${MAX_DEPTH} levels deep`;
  } else (parent?.children ?? roots).push(component);
  open.push(component);
}

function end(open: Component[], name: string): void {
  if (!open.some((component) => component.name === name)) return;
  for (let component = open.pop()!; component.name !== name; component = open.pop()!) markUnclosed(component);
}

function markUnclosed(component: Component): void {
  component.error ??= `${component.name} is not closed`;
}

/**
 * Yields the unfolded lines. A line that starts with a space or a tab continues the previous one; an empty line has no meaning. Lines are
 * folded by octets, also inside a character, so those of bytes are joined first and decoded then.
 */
function* contentLines(document: string | Uint8Array): Generator<ContentLine> {
  const { text, decode } = linesOf(document);
  let parts: string[] = [];
  let first = 0;
  let number = 0;
  const joined = (): ContentLine => ({
    line: first,
    text: storableText(decode(parts.join('').slice(0, MAX_LINE))),
  });
  for (const physical of text.split(/\r\n|\n|\r/)) {
    number++;
    if (physical.trim() === '') continue;
    if (first > 0 && (physical.startsWith(' ') || physical.startsWith('\t'))) {
      parts.push(physical.slice(1));
      continue;
    }
    if (first > 0) yield joined();
    parts = [physical];
    first = number;
  }
  if (first > 0) yield joined();
}

/** Returns a document as a text whose lines can be joined, and a function that decodes a joined line. */
function linesOf(document: string | Uint8Array): { text: string; decode: (line: string) => string } {
  if (typeof document === 'string') return { text: document.replace(/^\uFEFF/, ''), decode: (line) => line };
  const [a, b] = document;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff))
    return {
      text: new TextDecoder(a === 0xff ? 'utf-16le' : 'utf-16be').decode(document),
      decode: (line) => line,
    };
  // Each character is one byte.
  return {
    text: Buffer.from(document.buffer, document.byteOffset, document.length).toString('latin1'),
    decode,
  };
}

const UTF_8 = new TextDecoder('utf-8');
const WINDOWS_1252 = new TextDecoder('windows-1252');

/** Decodes a line of bytes: as UTF-8, or else as Windows-1252, which old programs write. */
function decode(line: string): string {
  if (!/[\x80-\xff]/.test(line)) return line;
  const bytes = Buffer.from(line, 'latin1');
  return (isUtf8(bytes) ? UTF_8 : WINDOWS_1252).decode(bytes);
}

/** Returns all components with a name, at any depth, in order. */
export function componentsNamed(name: string, components: readonly Component[]): Component[] {
  return components.flatMap((component) => [
    ...(component.name === name ? [component] : []),
    ...componentsNamed(name, component.children),
  ]);
}

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

/** The maximum length of an unfolded line. A longer line makes its component invalid. */
const MAX_LINE = 200_000;
const MAX_DEPTH = 8;

/**
 * Returns the outermost components of a text. It accepts any text: a component without its END is marked as invalid, and lines
 * outside of components are ignored.
 */
export function parseComponents(text: string): Component[] {
  const roots: Component[] = [];
  const open: Component[] = [];
  for (const content of contentLines(text)) {
    const [, keyword, name] = /^(BEGIN|END):\s*([\w-]+)\s*$/i.exec(content.text) ?? [];
    const current = open.at(-1);
    if (!keyword || !name) {
      if (!current) continue;
      if (content.text.length > MAX_LINE) {
        current.error ??= `line ${content.line} has more than ${MAX_LINE} characters`;
      } else current.lines.push(content);
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
  while (open.some(({ name }) => name === 'VEVENT') && component.name === 'VEVENT') markUnclosed(open.pop()!);
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

/** Yields the unfolded lines. A line that starts with a space or a tab continues the previous one. */
function* contentLines(text: string): Generator<ContentLine> {
  let parts: string[] = [];
  let first = 0;
  let number = 0;
  for (const physical of text.split(/\r\n|\n|\r/)) {
    number++;
    if (first > 0 && (physical.startsWith(' ') || physical.startsWith('\t'))) {
      parts.push(physical.slice(1));
      continue;
    }
    if (first > 0) yield { line: first, text: parts.join('') };
    parts = [physical];
    first = physical.trim() === '' ? 0 : number;
  }
  if (first > 0) yield { line: first, text: parts.join('') };
}

/** Returns all components with a name, at any depth, in order. */
export function componentsNamed(name: string, components: readonly Component[]): Component[] {
  return components.flatMap((component) => [
    ...(component.name === name ? [component] : []),
    ...componentsNamed(name, component.children),
  ]);
}

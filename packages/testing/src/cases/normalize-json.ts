/** Patterns of values that differ between runs, each with a function that returns the constant which replaces a value. */
const kinds: [pattern: RegExp, constantFor: (index: number, found: string) => string][] = [
  [/\b(?:usr|key|msg|matt|tkt|tmsg|aff_pre|req)_[0-9a-z]{26}\b/g, idLike],
  [/\bfd_(?:live|test)_[0-9A-Za-z_]{30,}/g, (_, found) => `${found.slice(0, 8)}…`],
  [/\bfdd_[\w-]{65}/g, () => 'fdd_…'],
  [/(?<="challenge": ")[^"]+/g, () => 'Y2hhbGxlbmdl'],
  [/(?<="next_cursor": ")(?!aff_pre_)[^"]+/g, () => 'b3BhcXVl'],
];

/** Returns indented JSON that is the same in every run: random values become constants, numbered in order of appearance. */
export function normalizeJson(value: unknown): string {
  let text = JSON.stringify(value, null, 2);
  for (const [pattern, constantFor] of kinds) {
    const known = new Map<string, string>();
    const replace = (found: string) => {
      const constant = known.get(found) ?? constantFor(known.size, found);
      known.set(found, constant);
      return constant;
    };
    text = text.replace(pattern, replace);
    // The number of a ticket is the end of its id.
    for (const [found, constant] of known) {
      if (found.startsWith('tkt_')) text = text.replaceAll(`#${numberOf(found)}`, `#${numberOf(constant)}`);
    }
  }
  return `${text}\n`;
}

function numberOf(id: string): string {
  return id.slice(-6).toUpperCase();
}

/** Returns an id with the same prefix that ends with the index. Ids of zeros, which examples use for unknown resources, stay. */
function idLike(index: number, found: string): string {
  if (/_0{26}$/.test(found)) return found;
  const prefix = found.slice(0, found.lastIndexOf('_') + 1);
  return `${prefix}01kar9x4z8${'c5m7p2t6v3'}${String(index).padStart(6, '0')}`;
}

const SIGNATURE = '-- ';

/**
 * Joins the lines of a `format=flowed` text (RFC 3676): lines that end with a space continue in the next line of the same depth of
 * quotation, but for the line before a signature. With `delSp`, that space was added and is removed.
 */
export function unflow(text: string, delSp: boolean): string {
  const paragraphs: { depth: number; text: string; isOpen: boolean }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const depth = quoteDepth(line);
    const content = line.slice(line[depth] === ' ' ? depth + 1 : depth);
    const isSignature = content === SIGNATURE;
    const isOpen = content.endsWith(' ') && !isSignature;
    const added = isOpen && delSp ? content.slice(0, -1) : content;
    const last = paragraphs.at(-1);
    if (last?.isOpen && last.depth === depth && !isSignature) {
      last.text += added;
      last.isOpen = isOpen;
    } else paragraphs.push({ depth, text: added, isOpen });
  }
  return paragraphs
    .map(({ depth, text }) => '>'.repeat(depth) + (depth > 0 && text !== '' ? ` ${text}` : text))
    .join('\n');
}

function quoteDepth(line: string): number {
  let depth = 0;
  while (line[depth] === '>') depth++;
  return depth;
}

/** More of a header is not read. */
const MAX_HEADER = 1_048_576;

/** A field of a header, whose name is in lower case. */
export interface HeaderField {
  name: string;
  value: string;
}

/** Returns the unfolded fields of a message's header (RFC 5322 §2.2), in order. What is no field is left out. */
export function headerFields(raw: Uint8Array): HeaderField[] {
  const fields: { name: string; lines: string[] }[] = [];
  let isField = false;
  const [header] = Buffer.from(raw.subarray(0, MAX_HEADER))
    .toString('latin1')
    .split(/\n\r?\n/, 1);
  for (const line of header!.split(/\r?\n/)) {
    if (line === '') break;
    if (line.startsWith(' ') || line.startsWith('\t')) {
      if (isField) fields.at(-1)!.lines.push(line.trim());
      continue;
    }
    const colon = line.indexOf(':');
    isField = colon > 0;
    if (isField)
      fields.push({ name: line.slice(0, colon).trim().toLowerCase(), lines: [line.slice(colon + 1).trim()] });
  }
  // Joined once: a stranger's field can have hundreds of thousands of lines.
  return fields.map(({ name, lines }) => ({ name, value: lines.filter((line) => line !== '').join(' ') }));
}

/** A content line (RFC 5545 §3.1), with what senders write instead of it. */
export interface ContentLineParts {
  /** In upper case. */
  name: string;
  /** By upper-case name. Of a repeated parameter, the first counts. */
  params: ReadonlyMap<string, string>;
  value: string;
}

const TIMES = new Set(['DTSTART', 'DTEND', 'DTSTAMP', 'RECURRENCE-ID', 'EXDATE', 'RDATE']);
const ADDRESSES = new Set(['ORGANIZER', 'ATTENDEE']);

/** The start of a time, a URI or an address, after the colon before it. */
const TIME_START = /^\s*\d{4}-?\d\d-?\d\d/;
const ADDRESS_START = /^\s*(?:urn:|https?:|\/|[^\s;:"=]{1,100}@)/i;

/** Returns the name of the property of a line in upper case, or null if it is no property. */
export function propertyNameOf(line: string): string | null {
  return /^([A-Za-z][\w-]{0,60})\s{0,9}[;:]/.exec(line)?.[1]?.toUpperCase() ?? null;
}

/**
 * Splits a line into its parts. A parameter value that lacks its quotes, or has unescaped ones inside, is read as a whole as far as the start
 * of the value can be known. Returns null for a line without a value. Takes time in proportion to the length of the line.
 */
export function splitContentLine(line: string): ContentLineParts | null {
  const name = propertyNameOf(line);
  if (name === null) return null;
  const delimiters = unquotedDelimiters(line);
  const end = valueColon(
    name,
    line,
    delimiters.filter((at) => line[at] === ':'),
  );
  if (end === null) return null;
  const semicolons = delimiters.filter((at) => line[at] === ';' && at < end);
  const params = semicolons.map((at, i) => line.slice(at + 1, semicolons[i + 1] ?? end));
  return { name, params: paramsOf(params), value: line.slice(end + 1) };
}

/** Returns the position of the colon before the value, or null. */
function valueColon(name: string, line: string, colons: readonly number[]): number | null {
  const after = (at: number) => line.slice(at + 1, at + 120);
  const [first = null] = colons;
  // A line without parameters. The value can contain anything.
  if (first === null || !line.slice(0, first).includes(';')) return first;
  if (TIMES.has(name)) return colons.find((at) => TIME_START.test(after(at))) ?? first;
  if (!ADDRESSES.has(name)) return first;
  // Unquoted parameters can contain `:` and even `mailto:`. The value is the last address.
  const mailto = colons.findLast((at) => /^\s*mailto:/i.test(after(at)));
  return mailto ?? colons.find((at) => ADDRESS_START.test(after(at))) ?? first;
}

/** Returns the positions of the colons and semicolons outside of quoted values. A quote that is not closed is a character of its value. */
function unquotedDelimiters(line: string): number[] {
  const found: number[] = [];
  let hasClosing = true;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === ':' || line[at] === ';') found.push(at);
    if (!hasClosing || line[at] !== '"' || (line[at - 1] !== '=' && line[at - 1] !== ',')) continue;
    const close = closingQuote(line, at);
    if (close < 0) hasClosing = false;
    else at = close;
  }
  return found;
}

/** Returns the position of the quote that closes the one at a position: it is followed by a delimiter and not escaped. -1 if there is none. */
function closingQuote(line: string, open: number): number {
  for (let at = line.indexOf('"', open + 1); at > 0; at = line.indexOf('"', at + 1)) {
    const isEscaped = line[at - 1] === '\\' && line[at - 2] !== '\\';
    const next = line[at + 1] ?? ';';
    if (!isEscaped && (next === ';' || next === ':' || next === ',')) return at;
  }
  return -1;
}

/** Returns the parameters of parts such as `CN=Ann`. A part without a name belongs to the value before it. */
function paramsOf(parts: readonly string[]): Map<string, string> {
  const raw: { name: string; values: string[] }[] = [];
  for (const part of parts) {
    const [, name, value] = /^\s{0,9}([A-Za-z][\w-]{0,60})\s{0,9}=(.*)$/s.exec(part) ?? [];
    if (name !== undefined && value !== undefined) raw.push({ name: name.toUpperCase(), values: [value] });
    else raw.at(-1)?.values.push(part);
  }
  const params = new Map<string, string>();
  for (const { name, values } of raw) if (!params.get(name)) params.set(name, readable(values.join(';')));
  return params;
}

const CARETS: Readonly<Record<string, string>> = { '^^': '^', '^n': '\n', "^'": '"' };

/** Returns a parameter value without its quotes and escapes: those of RFC 6868, and backslashes, which have no meaning there but are common. */
function readable(value: string): string {
  const text = value.trim();
  const close = text.startsWith('"') ? closingQuote(text, 0) : -1;
  const bare = close > 0 ? text.slice(1, close) : text.replace(/^"/, '');
  return bare
    .replace(/\^[\^n']/g, (pair) => CARETS[pair]!)
    .replace(/\\([\\",;:])/g, '$1')
    .trim();
}

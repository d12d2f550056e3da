import { MAX_RECIPIENTS, type MailRecipient } from '@firmdesk/contract';
import { oneLine } from '../parsing/one-line.ts';
import { decodeWords } from './encoded-words.ts';

const MAX_EMAIL = 254;
const MAX_NAME = 200;
/** Characters of a name that are kept while it is read. A name of encoded words is longer than what it says. */
const MAX_RAW_NAME = 2_000;
/** An encoded word, in which senders leave characters that would be separators. */
const ENCODED_WORD = /=\?[^?\s]{1,60}\?[bq]\?[^?]{0,2000}\?=/iy;

/** What was read of one address. */
interface Entry {
  /** Its words outside of angle brackets and comments. `address`: the word as it stands, if it has an `@` that is not quoted. */
  words: { text: string; address: string | null }[];
  angle: string | null;
  comments: string[];
}

/**
 * Reads the addresses of a header (RFC 5322 §3.4), also with what senders do wrong: commas and colons in a name without quotation marks,
 * brackets and quotation marks that are not closed, source routes. Groups are replaced by their members. An entry without an address is
 * the beginning of the next one's name. The work is linear in the header's length.
 */
export function readAddresses(header: string): MailRecipient[] {
  return new AddressReader(header).read();
}

class AddressReader {
  readonly #text: string;
  readonly #lastSemicolon: number;
  /** The next `>` at or after the position where one was last looked for; -1 if there is none. */
  #nextClosingAngle: number;
  readonly #recipients: MailRecipient[] = [];
  /** What has no end in the rest of the text, so that it is not looked for again. */
  readonly #unclosed = new Set<string>();
  #at = 0;
  #entry: Entry = { words: [], angle: null, comments: [] };
  /** The names of entries without an address, which a comma ended. */
  #pending: string[] = [];
  #isGroup = false;
  /** Whether the next character continues the last word. */
  #isAdjacent = false;

  constructor(text: string) {
    this.#text = text;
    this.#lastSemicolon = text.lastIndexOf(';');
    this.#nextClosingAngle = text.indexOf('>');
  }

  read(): MailRecipient[] {
    while (this.#at < this.#text.length && this.#recipients.length < MAX_RECIPIENTS) this.#readNext();
    this.#endEntry(false);
    this.#endPending();
    return this.#recipients.slice(0, MAX_RECIPIENTS);
  }

  #readNext(): void {
    const char = this.#text[this.#at]!;
    if (char === '"' && this.#readQuoted()) return;
    if (char === '(' && this.#readComment()) return;
    if (char === '<') {
      this.#readAngle();
      return;
    }
    if (char === '=' && this.#readEncodedWord()) return;
    this.#at++;
    if (char === ',') this.#endEntry(true);
    else if (char === ';') this.#endGroup();
    else if (char === ':' && this.#beginsGroup()) this.#beginGroup();
    else if (char === '>' || char.trim() === '') this.#isAdjacent = false;
    else this.#addText(char, char);
  }

  #readEncodedWord(): boolean {
    ENCODED_WORD.lastIndex = this.#at;
    const word = ENCODED_WORD.exec(this.#text)?.[0];
    if (word === undefined) return false;
    this.#at += word.length;
    this.#addText(word, word);
    return true;
  }

  #addText(text: string, source: string): void {
    const { words } = this.#entry;
    const last = this.#isAdjacent ? words.at(-1) : undefined;
    this.#isAdjacent = true;
    if (!last) {
      words.push({ text, address: source });
      return;
    }
    last.text += text;
    if (last.address !== null) last.address += source;
  }

  /** Reads a quoted string: a part of the name, or the local part of an address. */
  #readQuoted(): boolean {
    const end = this.#endOf('"', (from) => closingQuote(this.#text, from));
    if (end < 0) return false;
    const source = this.#text.slice(this.#at, end + 1);
    const text = source.slice(1, -1).replace(/\\(.)/gs, '$1');
    this.#at = end + 1;
    const isLocalPart = this.#text[this.#at] === '@';
    if (!isLocalPart) this.#isAdjacent = false;
    this.#addText(text, source);
    if (!isLocalPart) {
      this.#entry.words.at(-1)!.address = null;
      this.#isAdjacent = false;
    }
    return true;
  }

  #readComment(): boolean {
    const end = this.#endOf('(', (from) => closingParenthesis(this.#text, from));
    if (end < 0) return false;
    if (this.#entry.comments.length < 10) {
      this.#entry.comments.push(this.#text.slice(this.#at + 1, end).replace(/\\(.)/gs, '$1'));
    }
    this.#at = end + 1;
    this.#isAdjacent = false;
    return true;
  }

  /** Reads an address in angle brackets. Without a closing one, it ends at the next separator. */
  #readAngle(): void {
    this.#isAdjacent = false;
    let start = this.#at + 1;
    while (/[<\s]/.test(this.#text[start] ?? '')) start++;
    // A quoted local part can contain brackets.
    const quoted = this.#text[start] === '"' ? this.#endOf('"', () => closingQuote(this.#text, start)) : -1;
    const from = Math.max(start, quoted);
    const closing = this.#closingAngle(from);
    const opening = this.#text.indexOf('<', from);
    const isClosed = closing >= 0 && (opening < 0 || closing < opening);
    let end = closing;
    if (!isClosed) {
      end = from;
      while (end < this.#text.length && !/[,;<]/.test(this.#text[end]!)) end++;
    }
    this.#at = isClosed ? end + 1 : end;
    // Of several, the first is the address.
    this.#entry.angle ||= cleanAddress(this.#text.slice(start, end));
  }

  #closingAngle(from: number): number {
    if (this.#nextClosingAngle !== -1 && this.#nextClosingAngle < from) {
      this.#nextClosingAngle = this.#text.indexOf('>', from);
    }
    return this.#nextClosingAngle;
  }

  /** Returns what `find` returns, unless it found no end before. */
  #endOf(kind: string, find: (from: number) => number): number {
    if (this.#unclosed.has(kind)) return -1;
    const end = find(this.#at);
    if (end < 0) this.#unclosed.add(kind);
    return end;
  }

  /** A colon in a name is a part of it, unless a semicolon ends a group. */
  #beginsGroup(): boolean {
    const { angle, words } = this.#entry;
    return !this.#isGroup && angle === null && words.length > 0 && this.#lastSemicolon >= this.#at;
  }

  #beginGroup(): void {
    // A link instead of a group.
    if (this.#entry.words.at(-1)?.text.toLowerCase() === 'mailto') this.#entry.words.pop();
    else {
      this.#isGroup = true;
      this.#clear();
      this.#pending = [];
    }
    this.#isAdjacent = false;
  }

  #endGroup(): void {
    this.#endEntry(false);
    this.#isGroup = false;
  }

  #clear(): void {
    this.#entry = { words: [], angle: null, comments: [] };
    this.#isAdjacent = false;
  }

  #endEntry(isComma: boolean): void {
    const { words, angle, comments } = this.#entry;
    this.#clear();
    const bare = angle ? null : bareAddress(words);
    const email = angle || (bare?.email ?? '');
    const rest = (bare?.rest ?? words).map(({ text }) => text);
    const name =
      rest.join(' ').slice(0, MAX_RAW_NAME) || (email === angle && email !== '' ? '' : comments.join(' '));
    if (email !== '') {
      this.#add(email, name || comments.join(' '), Boolean(angle));
      return;
    }
    const decoded = decodeWords(name);
    // All of it is in one encoded word.
    const encoded =
      decoded !== name && /<[^<>@\s]{1,100}@[^<>\s]{1,254}>/.test(decoded) ? readAddresses(decoded) : [];
    for (const found of encoded) this.#add(found.email, found.name ?? '', true);
    if (encoded.length === 0 && name.trim() !== '' && this.#pending.length < 20) this.#pending.push(name);
    if (!isComma) this.#endPending();
  }

  /** Adds an address. The entries before it are the beginning of its name if it has the form of a name and an address. */
  #add(email: string, name: string, hasAngle: boolean): void {
    if (!hasAngle) this.#endPending();
    this.#push(email, [...this.#pending, name].filter(Boolean).join(', '));
    this.#pending = [];
  }

  #endPending(): void {
    for (const name of this.#pending) this.#push('', name);
    this.#pending = [];
  }

  #push(email: string, name: string): void {
    const address = oneLine(email, MAX_EMAIL);
    const shown = oneLine(decodeWords(name), MAX_NAME);
    if (address === '' && shown === '') return;
    this.#recipients.push({ email: address, name: shown === '' || shown === address ? null : shown });
  }
}

/** Finds an address without angle brackets among words: the last one, one with blanks around its `@`, or one that is quoted as a whole. */
function bareAddress(words: Entry['words']): { email: string; rest: Entry['words'] } | null {
  const last = words.findLastIndex(({ address }) => /[^@]@./.test(address ?? '') && !isEncodedWord(address!));
  if (last >= 0) return { email: cleanAddress(words[last]!.address!), rest: words.toSpliced(last, 1) };
  const joined = joinAtoms(words.map(({ address }) => address ?? ''));
  if (isAddress(joined)) return { email: joined, rest: [] };
  const quoted = words.length === 1 ? words[0]!.text.trim() : '';
  return isAddress(quoted) ? { email: quoted, rest: [] } : null;
}

/** Returns whether a word is nothing but an encoded one, which can have an `@` inside. */
function isEncodedWord(word: string): boolean {
  return word.startsWith('=?') && word.endsWith('?=');
}

function isAddress(text: string): boolean {
  return /^[^\s@<>"]+@[^\s@<>"]+$/.test(text);
}

/**
 * Removes blanks, comments, quotation marks around it, a `mailto:` or `SMTP:`, and a source route (RFC 5322 §4.4) from an address. A quoted local part
 * keeps its quotation marks.
 */
function cleanAddress(source: string): string {
  const text = source.slice(0, MAX_RAW_NAME).trim();
  const quoted = text.startsWith('"') ? closingQuote(text, 0) + 1 : 0;
  if (quoted > 0) return text.slice(0, quoted) + joinAtoms(text.slice(quoted).split(/\s+/));
  const [, inner = text] = /^(?:'(.*)'|\[(.*)\])$/s.exec(text)?.filter((part) => part !== undefined) ?? [];
  const plain = joinAtoms(
    inner
      .replace(/\([^()]*\)/g, ' ')
      .trim()
      .split(/\s+/),
  ).replace(/^(?:mailto|smtp):/i, '');
  return plain.startsWith('@') ? plain.slice(plain.indexOf(':') + 1) : plain;
}

const SEPARATORS = ['@', '.', ',', ':'];

/** Joins the parts of an address that blanks separate around its dots, commas and `@`. What follows is no part of it. */
function joinAtoms(atoms: readonly string[]): string {
  let joined = '';
  for (const atom of atoms) {
    if (joined !== '' && !SEPARATORS.includes(joined.at(-1)!) && !SEPARATORS.includes(atom.charAt(0))) break;
    joined += atom;
    if (joined.length > MAX_RAW_NAME) break;
  }
  return joined;
}

/** Returns the index of the quotation mark that closes the one at `from`, or -1. */
function closingQuote(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return -1;
}

/** Returns the index of the parenthesis that closes the one at `from`, or -1. Comments can contain others. */
function closingParenthesis(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return -1;
}

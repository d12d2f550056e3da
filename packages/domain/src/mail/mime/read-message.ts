import { oneLine } from '../parsing/one-line.ts';
import { decodeText } from './charsets.ts';
import { decodeWords } from './encoded-words.ts';
import { unflow } from './flowed.ts';
import { readParameter } from './header-parameters.ts';
import { showsSomething } from './shows-something.ts';
import { headerOf, type MimePart, splitMessage } from './split-message.ts';

/** A part that is a file of the message. */
export interface MimeFile {
  name: string | null;
  type: string;
  content: Buffer;
  contentId: string | null;
  /** Of an iCalendar part that was sent to the reader, not of one in an enclosed message. */
  calendar: { text: string; method: string | null } | null;
}

/** A message with its text and its files. */
export interface ReadMessage {
  root: MimePart;
  /** HTML as received, or made from plain text. */
  html: string;
  files: MimeFile[];
}

/** A piece of the text. */
interface Piece {
  isHtml: boolean;
  text: string;
  /** Whether a person sees anything of it. */
  shows: boolean;
}

interface Content {
  pieces: Piece[];
  /** With the text of a file that could be shown, if the message shows nothing else. */
  files: (MimeFile & { shown?: Piece })[];
}

/** Where a part is. */
interface Place {
  isAlternative: boolean;
  /** A report encloses the message that it is about, as evidence (RFC 6522). */
  isReport: boolean;
  enclosedIn: number;
}

const MAX_ENCLOSED = 4;
/** In bytes. What is no part of a multipart, and larger, is a file. */
const MAX_AS_IS = 262_144;
const CALENDAR = /^(text\/calendar|application\/ics)$/;

/** Reads a message (RFC 5322, MIME). Nothing of it is lost: what is no text is a file. Throws what {@link splitMessage} throws. */
export async function readMessage(raw: Buffer): Promise<ReadMessage> {
  const root = await splitMessage(raw);
  const { pieces, files } = await contentOf(root, { isAlternative: false, isReport: false, enclosedIn: 0 });
  if (!pieces.some(({ shows }) => shows)) {
    const shown = files.find((file) => file.shown?.shows)?.shown;
    if (shown) pieces.push(shown);
  }
  return { root, html: toHtml(pieces), files: files.map(({ shown: _, ...file }) => file) };
}

async function contentOf(part: MimePart, place: Place): Promise<Content> {
  if (part.children.length > 0) return contentOfMultipart(part, place);
  if (part.type.startsWith('multipart/')) return contentAsItIs(part);
  if (part.type === 'message/rfc822' && part.disposition !== 'attachment' && !place.isReport) {
    return (await contentOfEnclosed(part, place)) ?? { pieces: [], files: [toFile(part, place)] };
  }
  if (part.type !== 'text/plain' && part.type !== 'text/html')
    return { pieces: [], files: [toFile(part, place)] };
  if (part.disposition === 'attachment') return { pieces: [], files: [toFile(part, place)] };
  const piece = toPiece(part);
  // Some programs name the representations of a text.
  if (part.name === null || place.isAlternative) return { pieces: [piece], files: [] };
  return { pieces: [], files: [{ ...toFile(part, place), shown: piece }] };
}

async function contentOfMultipart(part: MimePart, place: Place): Promise<Content> {
  const isReport =
    place.isReport ||
    part.children.some(({ type }) => /^message\/(delivery-status|feedback-report)$/.test(type));
  const isAlternative = part.type === 'multipart/alternative';
  const contents: Content[] = [];
  for (const child of part.children)
    contents.push(await contentOf(child, { ...place, isReport, isAlternative }));
  const files = contents.flatMap((content) => content.files);
  return { files, pieces: isAlternative ? bestOf(contents) : contents.flatMap(({ pieces }) => pieces) };
}

/** Returns the last representation in HTML (RFC 2046 §5.1.4), or else the last one. One that shows nothing says nothing. */
function bestOf(contents: readonly Content[]): Piece[] {
  const all = contents.map(({ pieces }) => pieces).filter(({ length }) => length > 0);
  const showing = all.filter((pieces) => pieces.some(({ shows }) => shows));
  return (
    showing.findLast((pieces) => pieces.some((piece) => piece.isHtml && piece.shows)) ??
    showing.at(-1) ??
    all.at(-1) ??
    []
  );
}

/** Returns what belongs to no part of a multipart whose boundary never occurs, or that has none. */
function contentAsItIs(part: MimePart): Content {
  if (part.content.length > MAX_AS_IS) {
    return {
      pieces: [],
      files: [{ ...emptyFile, name: 'Message.txt', type: 'text/plain', content: part.content }],
    };
  }
  const text = withLineFeeds(decodeText(part.content, part.charset));
  return { pieces: [plainPiece(text)], files: [] };
}

const emptyFile = { contentId: null, calendar: null };

/** Returns the content of an enclosed message after a summary of its header, or null if it cannot be read. */
async function contentOfEnclosed(part: MimePart, place: Place): Promise<Content | null> {
  if (place.enclosedIn >= MAX_ENCLOSED || part.content.length === 0) return null;
  try {
    const root = await splitMessage(part.content);
    const enclosedIn = place.enclosedIn + 1;
    const { pieces, files } = await contentOf(root, { ...place, isAlternative: false, enclosedIn });
    return { pieces: [plainPiece(summaryOf(root)), ...pieces], files };
  } catch {
    return null;
  }
}

function summaryOf(root: MimePart): string {
  const line = '-'.repeat(32);
  const fields = ['From', 'Subject', 'Date', 'To', 'Cc'].flatMap((name) => {
    const value = oneLine(decodeWords(headerOf(root, name.toLowerCase()) ?? ''), 500);
    return value === '' ? [] : [`${`${name}:`.padEnd(9)}${value}`];
  });
  return ['', line, ...fields, line, ''].join('\n');
}

function toPiece(part: MimePart): Piece {
  const isHtml = part.type === 'text/html';
  const text = withLineFeeds(decodeText(part.content, part.charset, isHtml));
  if (isHtml) return { isHtml, text, shows: showsSomething(text) };
  return plainPiece(part.flowed ? unflow(text, part.flowed.delSp) : text);
}

function plainPiece(text: string): Piece {
  return { isHtml: false, text, shows: text.trim() !== '' };
}

function toFile(part: MimePart, place: Place): MimeFile {
  const { type, content } = part;
  const isInvitation = CALENDAR.test(type) && place.enclosedIn === 0;
  return {
    name: part.name,
    type,
    content,
    contentId: headerOf(part, 'content-id'),
    calendar: isInvitation ? calendarOf(part) : null,
  };
}

function calendarOf(part: MimePart): MimeFile['calendar'] {
  const method = readParameter(headerOf(part, 'content-type') ?? '', 'method');
  // Lines are folded by bytes, also inside a character (RFC 5545 §3.1).
  const unfolded = Buffer.from(part.content.toString('latin1').replace(/\r?\n[ \t]/g, ''), 'latin1');
  return {
    text: withLineFeeds(decodeText(unfolded, part.charset)),
    method: method?.trim().toUpperCase() ?? null,
  };
}

function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function toHtml(pieces: readonly Piece[]): string {
  if (pieces.some(({ isHtml }) => isHtml)) {
    return pieces.map(({ isHtml, text }) => (isHtml ? text : htmlOf(text))).join('\n');
  }
  return htmlOf(pieces.map(({ text }) => text).join('\n'));
}

function htmlOf(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.trim() ? `<div style="white-space: pre-wrap">${escaped.trimEnd()}</div>` : '';
}

import { isUtf8 } from 'node:buffer';
import { type MimeNode, Splitter, type SplitterChunk } from '@zone-eu/mailsplit';
import { decodeText } from './charsets.ts';
import { readParameter } from './header-parameters.ts';
import { decodeTransferEncoding } from './transfer-encoding.ts';

/** A part of a message (RFC 2045), as its sender wrote it. */
export interface MimePart {
  /** In lower case, such as `text/plain`. */
  type: string;
  /** The header fields, names in lower case, in their order. */
  headers: { key: string; value: string }[];
  charset: string | null;
  name: string | null;
  disposition: string | null;
  /** `format=flowed`, and whether with `delsp=yes` (RFC 3676). */
  flowed: { delSp: boolean } | null;
  /** The parts of a multipart. */
  children: MimePart[];
  /** The decoded content. Of a multipart: the text before its first part. */
  content: Buffer;
}

/** A message that exceeds a limit. Its message is the end of a sentence about the field `raw`. */
export class MessageLimitError extends Error {}

const MAX_NESTING = 64;
/** In bytes, for all parts together. */
const MAX_HEADERS = 1_048_576;
const MAX_PARTS = 10_000;

interface OpenPart {
  part: MimePart;
  depth: number;
  encoding: string;
  chunks: Buffer[];
}

/** Divides a message into its parts. Enclosed messages are not divided. Throws {@link MessageLimitError}. */
export async function splitMessage(raw: Buffer): Promise<MimePart> {
  const splitter = new Splitter({
    ignoreEmbedded: true,
    maxHeadSize: MAX_HEADERS,
    maxChildNodes: MAX_PARTS + 1,
  });
  splitter.end(withSeparator(withLineFeeds(raw)));
  const open = new Map<object, OpenPart>();
  let headers = 0;
  for await (const chunk of splitter as AsyncIterable<SplitterChunk>) {
    if (chunk.type !== 'node') {
      if (chunk.value) open.get(chunk.node)?.chunks.push(chunk.value);
      continue;
    }
    const parent = chunk.parentNode ? open.get(chunk.parentNode) : undefined;
    const depth = parent ? parent.depth + 1 : 0;
    if (open.size >= MAX_PARTS) throw new MessageLimitError(`must not have more than ${MAX_PARTS} parts`);
    if (depth > MAX_NESTING)
      throw new MessageLimitError(`must not have a nesting of more than ${MAX_NESTING} parts`);
    const part = toPart(chunk, parent?.part ?? null);
    headers += part.headers.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
    if (headers > MAX_HEADERS)
      throw new MessageLimitError(`must not have a header size of more than ${MAX_HEADERS} bytes`);
    parent?.part.children.push(part);
    const encoding = headerOf(part, 'content-transfer-encoding') ?? '';
    open.set(chunk, { part, depth, encoding, chunks: [] });
  }
  for (const { part, encoding, chunks } of open.values()) {
    if (part.children.length > 0) continue;
    part.content = decodeTransferEncoding(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks), encoding);
  }
  return [...open.values()][0]!.part;
}

/** Returns the first header field of a name, in lower case. */
export function headerOf({ headers }: MimePart, name: string): string | null {
  return headers.find(({ key }) => key === name)?.value ?? null;
}

function toPart(node: MimeNode, parent: MimePart | null): MimePart {
  const charset = node.charset || null;
  const headers = node.headers ? node.headers.getList().map((line) => fieldOf(line, charset)) : [];
  const hasType = headers.some(({ key }) => key === 'content-type');
  // RFC 2046 §5.1.5. A type without a subtype is none (RFC 2045 §5.2).
  const isDigest = parent?.type === 'multipart/digest' && !hasType;
  const type = isDigest ? 'message/rfc822' : String(node.contentType);
  return {
    type: type.includes('/') ? type : 'text/plain',
    headers,
    charset,
    name: nameOf(headers),
    disposition: node.disposition || null,
    flowed: node.flowed ? { delSp: node.delSp } : null,
    children: [],
    content: Buffer.alloc(0),
  };
}

function nameOf(headers: MimePart['headers']): string | null {
  const fieldValue = (name: string) => headers.find(({ key }) => key === name)?.value ?? '';
  return (
    readParameter(fieldValue('content-disposition'), 'filename') ??
    readParameter(fieldValue('content-type'), 'name')
  );
}

/** Unfolds a header field. Its bytes can be UTF-8 (RFC 6532) or, wrongly, the charset of the text. */
function fieldOf({ key, line }: { key: string; line: string }, charset: string | null) {
  const value = line
    .slice(line.indexOf(':') + 1)
    .replace(/[\r\n]+/g, '')
    .trim();
  if (!/[^\t -~]/.test(value)) return { key, value };
  const bytes = Buffer.from(value, 'latin1');
  return { key, value: decodeText(bytes, isUtf8(bytes) ? null : charset) };
}

/** Ends the lines of a message with LF or CR LF if they end with CR, or with several CR and a LF. */
function withLineFeeds(raw: Buffer): Buffer {
  const first = raw.indexOf(0x0d);
  const lineFeed = raw.indexOf(0x0a);
  const isUsual = first < 0 || (lineFeed >= 0 && (lineFeed < first || lineFeed === first + 1));
  if (isUsual) return raw;
  const text = raw
    .toString('latin1')
    .replace(/\r+\n?/g, (ends) => (ends.endsWith('\n') ? '\n' : '\n'.repeat(ends.length)));
  return Buffer.from(text, 'latin1');
}

const FIELD = /^(?:[!-9;-~]{1,200}[ \t]{0,9}:|[ \t]|From )/;

/** Adds the empty line between the header and the text to a message that has none. */
function withSeparator(raw: Buffer): Buffer {
  if (raw.length > MAX_HEADERS || raw.indexOf('\n\n') >= 0 || raw.indexOf('\n\r\n') >= 0) return raw;
  const lines = raw.toString('latin1').split('\n');
  const text = lines.findIndex((line) => line !== '' && !FIELD.test(line));
  return text < 0
    ? raw
    : Buffer.from([...lines.slice(0, text), '', ...lines.slice(text)].join('\n'), 'latin1');
}

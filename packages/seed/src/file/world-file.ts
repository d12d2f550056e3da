import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { formatPath, type Path, type Problem, SeedError } from '../problems.ts';
import { type SeedList, seedLists } from '../schema.ts';
import { JsonListsError, ListsScanner } from './json-lists.ts';

/** A mail with its pictures fits, and a conversation of some thousand messages. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;
/** A chunk that is longer is not filled any further. */
const CHUNK_BYTES = 8 * 1024 * 1024;

interface Range {
  start: number;
  end: number;
  count: number;
}

/** Records as they stand in the file, one after another: JSON, but of any shape. */
export interface RawChunk {
  /** The position of the first record in its list. */
  first: number;
  values: unknown[];
}

/**
 * A world file on disk, of any size. Opening it reads it once, for its shape and its digest; after that each list can be
 * read by itself, in any order, without the others.
 */
export class WorldFile {
  /** SHA-256 of the bytes. */
  readonly digest: Buffer;
  readonly #file: FileHandle;
  readonly #lists: ReadonlyMap<SeedList, Range>;

  private constructor(file: FileHandle, digest: Buffer, lists: ReadonlyMap<SeedList, Range>) {
    this.#file = file;
    this.digest = digest;
    this.#lists = lists;
  }

  /** @throws SeedError when it cannot be read, is no JSON object, or has members that are no lists of a world */
  static async open(path: string): Promise<WorldFile> {
    const file = await openRegularFile(path);
    try {
      return new WorldFile(file, ...(await readShape(file)));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** How many records the list has. */
  count(list: SeedList): number {
    return this.#lists.get(list)?.count ?? 0;
  }

  /**
   * The records of a list, in order, from a position on.
   * @param limit asked before each chunk: how many records it may have
   * @throws SeedError at the first record that is no JSON
   */
  async *read(list: SeedList, from: number, limit: () => number): AsyncGenerator<RawChunk> {
    const range = this.#lists.get(list);
    if (!range) return;
    let found: Buffer[] = [];
    let position = 0;
    let size = 0;
    let chunk: RawChunk = { first: from, values: [] };
    const visitor = {
      list() {},
      listEnd() {},
      other() {},
      record: (bytes: Buffer) => void found.push(bytes),
    };
    const scanner = new ListsScanner(visitor, MAX_RECORD_BYTES, range.start);
    for await (const bytes of bytesOf(this.#file, range.start, range.end)) {
      scanner.push(bytes);
      for (const record of found) {
        if (position++ < from) continue;
        chunk.values.push(parseRecord(record, [list, position - 1]));
        size += record.length;
        if (size < CHUNK_BYTES && chunk.values.length < limit()) continue;
        yield chunk;
        chunk = { first: position, values: [] };
        size = 0;
      }
      found = [];
    }
    if (position !== range.count)
      throw new SeedError([{ path: list, message: 'was changed while it was read' }]);
    if (chunk.values.length > 0) yield chunk;
  }
}

/** What is no regular file could not be read more than once; to open some would wait for ever. */
async function openRegularFile(path: string): Promise<FileHandle> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') throw refusal(`there is no file ${path}`);
    throw error;
  });
  if (!found.isFile()) throw refusal(`${path} is no regular file`);
  return open(path);
}

/** The first reading: where each list lies, and the digest. Values that are no lists are problems of the world. */
async function readShape(file: FileHandle): Promise<[Buffer, Map<SeedList, Range>]> {
  const hash = createHash('sha256');
  const lists = new Map<SeedList, Range>();
  const names = new Set<string>();
  const problems: Problem[] = [];
  let range: Range = { start: 0, end: 0, count: 0 };
  const member = (name: string) => {
    if (!isList(name)) problems.push({ path: formatPath([name]), message: 'is not a field of a world file' });
    else if (names.has(name)) problems.push({ path: name, message: 'stands in the file twice' });
    names.add(name);
  };
  const scanner = new ListsScanner(
    {
      list(name, start) {
        member(name);
        range = { start, end: start, count: 0 };
        if (isList(name)) lists.set(name, range);
      },
      listEnd(offset) {
        range.end = offset;
      },
      record() {
        range.count++;
      },
      other(name) {
        member(name);
        if (isList(name)) problems.push({ path: name, message: 'is no list' });
      },
    },
    MAX_RECORD_BYTES,
  );
  try {
    for await (const bytes of bytesOf(file)) {
      hash.update(bytes);
      scanner.push(bytes);
    }
    scanner.end();
  } catch (error) {
    if (!(error instanceof JsonListsError)) throw error;
    throw refusal(`at byte ${error.offset}, ${error.message}`);
  }
  if (problems.length > 0) throw new SeedError(problems);
  return [hash.digest(), lists];
}

/** A range of the file, from its beginning to its end by default. Each piece is a buffer of its own. */
async function* bytesOf(file: FileHandle, start = 0, end = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const length = Math.min(READ_BYTES, end - at);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** What is wrong with the file as a whole. */
function refusal(message: string): SeedError {
  return new SeedError([{ path: '', message: `This is no world file: ${message}` }]);
}

function isList(name: string): name is SeedList {
  return Object.hasOwn(seedLists, name);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseRecord(bytes: Buffer, path: Path): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    throw new SeedError([{ path: formatPath(path), message: `is not JSON in UTF-8: ${error.message}` }]);
  }
}

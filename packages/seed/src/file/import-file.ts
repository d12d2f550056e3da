import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { formatPath, type Path, type Problem, SeedError } from '../problems.ts';
import { type SeedList, seedLists } from '../schema.ts';
import { JsonListsError, ListsScanner } from './json-lists.ts';

/** Enough for a mail with pictures or a conversation of some thousand messages. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;
/** A chunk takes no more records beyond this size. */
const CHUNK_BYTES = 8 * 1024 * 1024;

interface Range {
  start: number;
  end: number;
  count: number;
}

/** Consecutive records of the file: valid JSON, not yet checked against the schema. */
export interface RawChunk {
  /** The position of the first record in its list. */
  first: number;
  values: unknown[];
}

/**
 * An import file on disk, of any size. Opening it reads it once to find the lists and compute the digest. After that, the lists
 * can be read independently and in any order.
 */
export class ImportFile {
  /** SHA-256 of the bytes. */
  readonly digest: Buffer;
  readonly #file: FileHandle;
  readonly #lists: ReadonlyMap<SeedList, Range>;

  private constructor(file: FileHandle, digest: Buffer, lists: ReadonlyMap<SeedList, Range>) {
    this.#file = file;
    this.digest = digest;
    this.#lists = lists;
  }

  /**
   * Opens a file and finds its lists.
   * @throws SeedError if it is missing, not a regular file, not a JSON object, or has unknown members
   */
  static async open(path: string): Promise<ImportFile> {
    const file = await openRegularFile(path);
    try {
      return new ImportFile(file, ...(await readShape(file)));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Returns the number of records of the list. */
  count(list: SeedList): number {
    return this.#lists.get(list)?.count ?? 0;
  }

  /**
   * Yields the records of a list, in order, from a position.
   * @param limit is called before each chunk and returns its maximum number of records
   * @throws SeedError at the first record that is not JSON
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
      throw new SeedError([{ path: list, message: 'changed while the file was being read' }]);
    if (chunk.values.length > 0) yield chunk;
  }
}

/** Opens a regular file. Others cannot be read more than once, and opening a pipe would wait indefinitely. */
async function openRegularFile(path: string): Promise<FileHandle> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') throw fileError(`${path} does not exist`);
    throw error;
  });
  if (!found.isFile()) throw fileError(`${path} is not a regular file`);
  return open(path);
}

/** Reads the file once and returns its digest and the position of each list. */
async function readShape(file: FileHandle): Promise<[Buffer, Map<SeedList, Range>]> {
  const hash = createHash('sha256');
  const lists = new Map<SeedList, Range>();
  const names = new Set<string>();
  const problems: Problem[] = [];
  let range: Range = { start: 0, end: 0, count: 0 };
  const member = (name: string) => {
    if (!isList(name))
      problems.push({ path: formatPath([name]), message: 'is not a field of an import file' });
    else if (names.has(name)) problems.push({ path: name, message: 'must not occur twice' });
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
        if (isList(name)) problems.push({ path: name, message: 'must be a list' });
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
    throw fileError(`at byte ${error.offset}, ${error.message}`);
  }
  if (problems.length > 0) throw new SeedError(problems);
  return [hash.digest(), lists];
}

/** Yields a range of the file, by default all of it. Each piece is a separate buffer. */
async function* bytesOf(file: FileHandle, start = 0, end = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const length = Math.min(READ_BYTES, end - at);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** Returns an error about the file as a whole. */
function fileError(message: string): SeedError {
  return new SeedError([{ path: '', message: `Not an import file: ${message}.` }]);
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
    throw new SeedError([{ path: formatPath(path), message: `must be JSON in UTF-8: ${error.message}` }]);
  }
}

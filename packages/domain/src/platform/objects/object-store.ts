import type { Readable } from 'node:stream';
import { ApiError } from '../process/errors.ts';

/** A content that a client sends or reads ends when no byte moves for this long. */
export const CONTENT_IDLE_MS = 30_000;

/**
 * Stores the contents of files, which are too large for the database. A content is written once, and found by its key: parts of letters,
 * digits, `_` and `-` with slashes between. Contents are streamed in both directions.
 */
export interface ObjectStore {
  /** Where it stores contents, for operators. */
  readonly place: string;
  /**
   * Stores a content of exactly `size` bytes, so that it appears complete or not at all. A content with the same key is replaced. Rejects with what
   * the content throws.
   */
  write(key: string, content: AsyncIterable<Uint8Array>, size: number): Promise<void>;
  /** Returns a content as a stream; null if there is none. */
  read(key: string): Promise<Readable | null>;
  /** Deletes contents. Keys without a content are ignored. */
  delete(keys: readonly string[]): Promise<void>;
  /** Deletes all contents whose keys begin with these parts, with what interrupted writes have left. */
  deleteFolder(parts: string): Promise<void>;
  /** Writes, reads, finds and deletes a small content. Throws what is wrong. */
  check(): Promise<void>;
}

const KEY = /^[\w-]+(\/[\w-]+)*$/;

/** Throws if a key has another form: it becomes a path. */
function ensureKey(key: string): void {
  if (!KEY.test(key)) throw new TypeError(`"${key}" is not the key of a content`);
}

/** What a kind of store implements. Keys are valid, and errors are of any kind. */
export type StoreOperations = Omit<ObjectStore, 'check'>;

/** Returns a store whose errors are `unavailable`, caused by those of the operations. */
export function objectStore(operations: StoreOperations): ObjectStore {
  const run = async <Result>(keys: readonly string[], operation: () => Promise<Result>): Promise<Result> => {
    for (const key of keys) ensureKey(key);
    return operation().catch(throwUnavailable);
  };
  return {
    place: operations.place,
    async write(key, content, size) {
      let failure = null as { error: unknown } | null;
      async function* watched() {
        try {
          yield* content;
        } catch (error) {
          failure = { error };
          throw error;
        }
      }
      await run([key], () => operations.write(key, watched(), size)).catch((error: unknown) => {
        throw failure ? failure.error : error;
      });
    },
    read: (key) => run([key], () => operations.read(key)),
    delete: (keys) => run(keys, () => operations.delete(keys)),
    deleteFolder: (parts) => run([parts], () => operations.deleteFolder(parts)),
    check: () => tryStore(operations),
  };
}

/** Throws `unavailable` for an error of the store, also of a content that is being read. Rethrows that of a caller who reads no further. */
export function throwUnavailable(cause: unknown): never {
  if ((cause as Error).name === 'AbortError') throw cause;
  throw new ApiError('unavailable', { cause, retryAfterSeconds: 10 });
}

/** Does what {@link ObjectStore.check} says. */
async function tryStore(store: StoreOperations): Promise<void> {
  const folder = `check/${crypto.randomUUID()}`;
  const key = `${folder}/content`;
  const content = Buffer.from('Written by ops check.');
  try {
    await store.write(key, one(content), content.length);
    const read = await store.read(key);
    if (!read) throw new TypeError('a content that was written cannot be read');
    const chunks: Uint8Array[] = [];
    for await (const chunk of read) chunks.push(chunk);
    if (!Buffer.concat(chunks).equals(content))
      throw new TypeError('a content is read differently than it was written');
    await store.deleteFolder(folder);
    if (await store.read(key)) throw new TypeError('a content that was written is not found in its folder');
  } finally {
    await store.delete([key]);
  }
}

async function* one(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}

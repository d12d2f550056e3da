import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ensureKey, type ObjectStore, tryStore } from './object-store.ts';

/** Stores contents in a folder, which is created with the first one. Processes on several machines need a folder that they share. */
export function folderStore(folder: string): ObjectStore {
  /** The folder of one content, and of what interrupted attempts to write it have left. */
  const folderOf = (key: string) => {
    ensureKey(key);
    return join(folder, key);
  };
  const contentOf = (key: string) => join(folderOf(key), 'content');
  const store = {
    place: `the folder ${folder}`,
    async write(key: string, content: AsyncIterable<Uint8Array>) {
      await mkdir(folderOf(key), { recursive: true, mode: 0o700 });
      const part = join(folderOf(key), `part-${crypto.randomUUID()}`);
      try {
        // `flush`: the row that names the content is committed only when the disk has it.
        await pipeline(content, createWriteStream(part, { mode: 0o600, flush: true }));
        await rename(part, contentOf(key));
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    async read(key: string): Promise<Readable | null> {
      try {
        const file = await open(contentOf(key));
        return file.createReadStream();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    async delete(keys: readonly string[]) {
      for (const key of keys) await rm(folderOf(key), { recursive: true, force: true });
    },
  };
  return { ...store, check: () => tryStore(store) };
}

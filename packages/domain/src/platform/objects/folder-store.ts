import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { type ObjectStore, objectStore } from './object-store.ts';

/** Stores contents in a folder, which is created with the first one. Processes on several machines need a folder that they share. */
export function folderStore(folder: string): ObjectStore {
  /** The folder of one content and of what interrupted attempts to write it have left. */
  const folderOf = (key: string) => join(folder, key);
  const contentOf = (key: string) => join(folderOf(key), 'content');
  return objectStore({
    place: `the folder ${folder}`,
    async write(key: string, content: AsyncIterable<Uint8Array>) {
      await makeFolder(folderOf(key));
      const part = join(folderOf(key), `part-${crypto.randomUUID()}`);
      try {
        // The row that names the content is committed only when the disk has it: its bytes (`flush`), and then its name.
        await writeFile(part, content, { mode: 0o600, flush: true });
        await rename(part, contentOf(key));
        await flushNames(folderOf(key), folder);
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
    async deleteFolder(parts: string) {
      await rm(folderOf(parts), { recursive: true, force: true });
    },
  });
}

/** Writes the names in a folder to the disk, and those of the folders that it is in, up to an outer one. */
async function flushNames(inner: string, outer: string): Promise<void> {
  const end = dirname(resolve(outer));
  const paths: string[] = [];
  for (let path = resolve(inner); path !== end; path = dirname(path)) paths.push(path);
  // At once, so that the disk writes them together.
  await Promise.all(
    paths.map(async (path) => {
      const opened = await open(path);
      try {
        await opened.sync();
      } finally {
        await opened.close();
      }
    }),
  );
}

/** As `mkdir` with `recursive`, which never ends where the system refuses folders with ENOENT, such as below `/proc`. */
async function makeFolder(path: string): Promise<void> {
  const make = () =>
    mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  try {
    await make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await make();
  }
}

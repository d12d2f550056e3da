import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** Writes a file that only its owner can read (0600), atomically. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await writePrivatePieces(path, (write) => write(text));
}

/** {@link writePrivateFile} for a text that is produced in pieces. The file gets its name when it is complete. */
export async function writePrivatePieces(
  path: string,
  produce: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  await makeFolder(dirname(path));
  const unfinished = `${path}.${process.pid}`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    await produce((text) => file.appendFile(text));
    await file.sync();
  } catch (error) {
    await unlink(unfinished);
    throw error;
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}

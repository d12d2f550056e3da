import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** Writes a file that only its owner can read (0600), atomically. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path));
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, text, { mode: 0o600 });
  await rename(unfinished, path);
}

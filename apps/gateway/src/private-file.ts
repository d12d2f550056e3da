import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** Writes a file that only its owner reads (0600), whole or not at all. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path));
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, text, { mode: 0o600 });
  await rename(unfinished, path);
}

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and its parents, as far as they are not there. Node's own `recursive` tries for ever where a parent that is
 * there answers ENOENT, as /proc does.
 */
export async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeFolder(dirname(path));
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    // Another process was first.
    if (error.code !== 'EEXIST') throw error;
  });
}

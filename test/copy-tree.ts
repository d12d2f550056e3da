import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');

/**
 * Copies the sources into a temporary folder, with `node_modules` folders in which our own packages are those of the copy.
 * Disposing of it deletes the copy.
 */
export async function copyTree(): Promise<AsyncDisposable & { path: string }> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'firmdesk-copy-')));
  const { stdout } = await promisify(execFile)(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard'],
    { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 },
  );
  const files = stdout.trim().split('\n');
  for (const file of files) {
    await mkdir(dirname(join(path, file)), { recursive: true });
    await cp(join(ROOT, file), join(path, file));
  }
  for (const manifest of files.filter((file) => /(^|\/)package\.json$/.test(file))) {
    const modules = join(dirname(manifest), 'node_modules');
    await linkModules(join(ROOT, modules), join(path, modules), path);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function linkModules(from: string, into: string, copyRoot: string): Promise<void> {
  await mkdir(into, { recursive: true });
  for (const name of await readdir(from).catch(() => [])) {
    if (name.startsWith('@')) {
      await linkModules(join(from, name), join(into, name), copyRoot);
      continue;
    }
    const target = await realpath(join(from, name));
    const isOurs = !target.includes('/node_modules/') && target.startsWith(ROOT);
    await symlink(isOurs ? join(copyRoot, target.slice(ROOT.length)) : target, join(into, name));
  }
}

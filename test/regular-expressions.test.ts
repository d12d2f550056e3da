import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { copyTree } from './copy-tree.ts';

test('`pnpm verify` rejects a regular expression that takes more than linear time', async () => {
  await using tree = await copyTree();
  const slow = join(tree.path, 'packages/domain/src/mail/slow.ts');
  await writeFile(slow, 'export const plain = /a+b/y;\nexport const slow = /(?:a+)+b/y;\n');
  const checked = promisify(execFile)(process.execPath, ['lint/regular-expressions.ts'], { cwd: tree.path });
  await expect(checked).rejects.toMatchObject({
    stderr: expect.stringMatching(/^\S+slow\.ts: \/\(\?:a\+\)\+b\/y takes superlinear time[^/]*$/),
  });
});

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { FOLDER, generateFiles } from '../../packages/client/generate/generated.ts';

test('the generated types match the procedures and the document', async () => {
  for (const [name, text] of Object.entries(await generateFiles())) {
    const written = await readFile(new URL(name, FOLDER), 'utf8');
    expect(written === text, `${name} is outdated: run \`pnpm --filter @firmdesk/client generate\``).toBe(
      true,
    );
  }
});

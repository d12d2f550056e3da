import { readFile, writeFile } from 'node:fs/promises';
import { FOLDER, generateFiles } from './generated.ts';

/** Writes the generated files of the client. `--check` writes nothing and fails if one of them is out of date. */
const isCheck = process.argv.includes('--check');
for (const [name, text] of Object.entries(await generateFiles())) {
  const file = new URL(name, FOLDER);
  if (!isCheck) await writeFile(file, text);
  else if ((await readFile(file, 'utf8')) !== text) {
    process.stderr.write(
      `Failed: packages/client/src/generated/${name} is out of date: run \`pnpm --filter @firmdesk/client generate\`\n`,
    );
    process.exitCode = 1;
  }
}

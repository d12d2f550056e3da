import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { appRouter } from '@firmdesk/domain';
import { breakingChanges } from './http/breaking-changes.ts';
import { openApiDocument } from './http/document.ts';

/** The committed document; what changes in it changes what clients were promised. */
const FILE = new URL('../openapi.json', import.meta.url);
const SERVER = 'http://127.0.0.1:4000';

/** Writes the committed OpenAPI document anew. Refuses what takes something away from clients, unless told `--break`. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { break: { type: 'boolean', default: false } } });
  const document = openApiDocument(appRouter, SERVER);
  const committed = await readFile(FILE, 'utf8').catch(() => null);
  const changes = committed === null ? [] : breakingChanges(JSON.parse(committed), document);
  if (changes.length > 0 && !values.break) {
    process.stderr.write(
      `Refused: clients would lose\n${changes.map((change) => `  - ${change}\n`).join('')}`,
    );
    process.exitCode = 1;
    return;
  }
  await writeFile(FILE, `${JSON.stringify(document, null, 2)}\n`);
}

await main();

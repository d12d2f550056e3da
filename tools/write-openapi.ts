import { readFile, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { appRouter } from '@firmdesk/domain';
import { openApiDocument } from '@firmdesk/gateway/document';
import { forbiddenChanges } from './breaking-changes.ts';

/** The document that the gateway serves. */
const COMMITTED = new URL('../apps/gateway/openapi.json', import.meta.url);
/** The document of the last release, which existing clients were written for. */
const RELEASED = new URL('../apps/gateway/openapi.released.json', import.meta.url);
const SERVER = 'http://127.0.0.1:4000';

/**
 * Writes the committed document. Fails on a change that breaks clients of the last release, unless the contract has a new major
 * version. `--check` writes nothing and fails if the committed document differs from the served one. `--release` also writes the
 * document with which later ones are compared.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { check: { type: 'boolean', default: false }, release: { type: 'boolean', default: false } },
  });
  const document = JSON.parse(JSON.stringify(openApiDocument(appRouter, SERVER)));
  const released = JSON.parse(await readFile(RELEASED, 'utf8'));
  const breaking = forbiddenChanges(released, document);
  if (breaking.length > 0)
    return fail(
      `these changes break clients of the last release:\n${breaking.map((change) => `  - ${change}\n`).join('')}`,
    );
  if (values.check) {
    const committed = JSON.parse(await readFile(COMMITTED, 'utf8'));
    if (!isDeepStrictEqual(committed, document))
      fail('openapi.json is out of date: run `node tools/write-openapi.ts`\n');
    return;
  }
  await writeFile(COMMITTED, `${JSON.stringify(document, null, 2)}\n`);
  if (values.release) await writeFile(RELEASED, `${JSON.stringify(withoutExamples(document))}\n`);
}

function fail(reason: string): void {
  process.stderr.write(`Failed: ${reason}`);
  process.exitCode = 1;
}

/** Removes the examples, which are not part of the contract. */
function withoutExamples(document: object): unknown {
  return JSON.parse(JSON.stringify(document), (key, value) => (key === 'examples' ? undefined : value));
}

await main();

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { appRouter } from '@firmdesk/domain';
import { printOperations } from './operations.ts';
import { printProcedures } from './procedures.ts';
import { printRest } from './rest.ts';

export const FOLDER = new URL('../src/generated/', import.meta.url);
const DOCUMENT = new URL('../../../apps/gateway/openapi.json', import.meta.url);

/** Returns the content of each generated file, by file name. */
export async function generateFiles(): Promise<Record<string, string>> {
  const document = JSON.parse(await readFile(DOCUMENT, 'utf8'));
  return {
    'operations.ts': await format(printOperations(document)),
    'procedures.ts': await format(printProcedures(appRouter)),
    'rest.ts': await format(await printRest(document)),
  };
}

async function format(code: string): Promise<string> {
  const child = promisify(execFile)(
    'biome',
    ['format', '--stdin-file-path=packages/client/src/generated/x.ts'],
    {
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  child.child.stdin?.end(code);
  return (await child).stdout;
}

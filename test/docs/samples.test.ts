import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { appRouter } from '@firmdesk/domain';
import { openApiDocument, sampleCalls, samplesOf, UUID_FUNCTION } from '@firmdesk/gateway/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type DemoGateway, openDemo } from './demo.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const calls = sampleCalls(openApiDocument(appRouter, 'http://127.0.0.1:4000'));
const named = calls.map((call) => [`${call.method} ${call.template}`, call] as const);

let demo: DemoGateway;
beforeAll(async () => {
  demo = await openDemo(inject('postgresUrl'));
});
afterAll(() => demo[Symbol.asyncDispose]());

// The ids in the samples are examples, and signing out ends the token.
const hasOwnIds = (template: string) => template.includes('{') || template === '/v1/me/session';

test.each(named)('the curl sample of %s runs', async (_, call) => {
  const script = `${UUID_FUNCTION}\n${samplesOf(call).curl}`;
  const env = {
    PATH: process.env['PATH']!,
    URL: demo.url,
    TOKEN: hasOwnIds(call.template) ? 'none' : demo.token,
  };
  const { stdout } = await run('bash', ['-c', script], { env });
  const body = JSON.parse(stdout);
  if (hasOwnIds(call.template)) expect(body.error.code).toBe('invalid_token');
  else expect(body.data, stdout).toBeDefined();
});

test('the TypeScript samples type-check', async () => {
  // Inside the repository, so that its packages resolve.
  const folder = await mkdtemp(fileURLToPath(new URL('snippets-', import.meta.url)));
  try {
    for (const [index, call] of calls.entries()) {
      const given = 'declare const url: string, token: string;\n';
      await writeFile(
        join(folder, `${index}.ts`),
        `${given}${samplesOf(call).TypeScript}\nconsole.log(data);\n`,
      );
    }
    const lib = ['es2024', 'esnext.disposable', 'dom'];
    const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions: { lib }, include: ['*.ts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]);
    const { stdout } = await tsc.catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

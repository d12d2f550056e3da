import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../free-port.ts';
import { temporaryFolder } from '../started-gateway.ts';
import { blocksOf } from './blocks.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TIMEOUT_MS = 300_000;

const blocks = (await blocksOf('apps/gateway/guides/quickstart.md')).filter(({ mark }) =>
  mark.startsWith('quickstart'),
);
const marked = (mark: string) => blocks.filter((block) => block.mark === mark).map(({ code }) => code);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let ports: { gateway: number; apns: number };
const terminals: { child: ChildProcess; closed: Promise<unknown> }[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  ports = { gateway: await freePort(), apns: await freePort() };
});
afterAll(async () => {
  for (const { child, closed } of terminals) {
    // The shell, npm, pnpm and the program are one process group.
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM');
    await closed;
  }
  await folder[Symbol.asyncDispose]();
});

/** Replaces the addresses and the data folder, which another process on this machine may use. */
function here(command: string): string {
  return command
    .replaceAll('127.0.0.1:4000', `127.0.0.1:${ports.gateway}`)
    .replaceAll('4197', String(ports.apns))
    .replaceAll('.data/', `${folder.path}/`);
}

const env = () => ({
  ...process.env,
  PORT: String(ports.gateway),
  DATA_DIR: folder.path,
  TMPDIR: folder.path,
  npm_config_prefer_offline: 'true',
});

function startInTerminal(command: string): () => string {
  const child = spawn('bash', ['-c', here(command)], { cwd: ROOT, env: env(), detached: true });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  }
  terminals.push({ child, closed: once(child, 'close') });
  return () => printed;
}

test('the steps of the quickstart, word by word, end with a push at the stand-in', {
  timeout: TIMEOUT_MS,
}, async () => {
  const [standin, service] = marked('quickstart background').map(startInTerminal);
  await vi.waitFor(() => expect(standin!()).toContain('listens on'), TIMEOUT_MS);
  await vi.waitFor(
    () => expect(service!()).toContain(`Firmdesk listens on http://127.0.0.1:${ports.gateway}`),
    TIMEOUT_MS,
  );
  const script = marked('quickstart').map(here).join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', script], { cwd: ROOT, env: env() });
  expect(stdout).toContain('{"data":{"ok":true');
  for (const line of marked('quickstart prints').join('').trim().split('\n')) expect(stdout).toContain(line);
  const received = marked('quickstart received').join('').trim().split('\n');
  await vi.waitFor(() => {
    for (const line of received) expect(standin!()).toContain(line);
  }, TIMEOUT_MS);
});

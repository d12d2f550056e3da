import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openServer } from './index.ts';
import {
  answerOf,
  query,
  reachableFolder,
  release,
  spawnForeign,
  spawnHolder,
  writeAsServerUser,
} from './testing/processes.ts';

/** The port of the session's TCP connection; null through a socket. */
const TCP_PORT = 'select inet_server_port() as port';

async function open(dataDir: string) {
  const server = await openServer({ dataDir });
  onTestFinished(() => server.release());
  return server;
}

const portOf = ({ url }: { url: string }) => Number(new URL(url).port);

function expectWithoutSocket(server: { url: string; socketUrl: string }): Promise<void> {
  expect(server.socketUrl).toBe(server.url);
  return expect(query(server.socketUrl, TCP_PORT)).resolves.toEqual([{ port: portOf(server) }]);
}

// Windows has none.
describe.skipIf(process.platform === 'win32')('the Unix socket of a server', () => {
  test('is in a folder that only its owner can open, and is known to every process', async () => {
    const dataDir = join(reachableFolder(), 'postgres');
    const server = await open(dataDir);
    expect(await query(server.socketUrl, TCP_PORT)).toEqual([{ port: null }]);
    expect(await query(server.url, TCP_PORT)).toEqual([{ port: portOf(server) }]);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, `.s.PGSQL.${portOf(server)}`)).isSocket()).toBe(true);
    const other = spawnHolder(dataDir);
    expect(await answerOf(other)).toMatchObject({ socketUrl: server.socketUrl, started: false });
    await release(other);
  });

  test.each([
    ['its path is too long', 'x'.repeat(80)],
    ['its path has a comma, which separates the folders of a setting', 'a,b'],
  ])('is left out if %s', async (_, name) => {
    await expectWithoutSocket(await open(join(reachableFolder(), name, 'postgres')));
  });

  test.each([
    ['it cannot be created', (path: string) => mkdirSync(join(path, 'obstacle'), { recursive: true })],
    [
      'another program has the process id in its lock file',
      (path: string) => writeAsServerUser(`${path}.lock`, `${spawnForeign()}\n`),
    ],
  ])('is left out if %s', async (_, obstruct) => {
    const dataDir = join(reachableFolder(), 'postgres');
    const first = await openServer({ dataDir });
    await first.release();
    obstruct(join(dataDir, `.s.PGSQL.${portOf(first)}`));
    const server = await open(dataDir);
    expect(server.url).toBe(first.url);
    await expectWithoutSocket(server);
  });
});

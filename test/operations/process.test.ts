import { spawnSync } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { cloneDatabase } from '@firmdesk/testing';
import { expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { startGateway, stop } from '../started-gateway.ts';
import { isInstalled } from './is-installed.ts';

test.each(['gateway', 'worker'])(
  'with METRICS_PORT, a %s serves health and metrics there only',
  async (role) => {
    await using database = await cloneDatabase(inject('postgresUrl'));
    const port = String(await freePort());
    const node = startGateway({ DATABASE_URL: database.url, METRICS_PORT: port, DRAIN_SECONDS: '20' }, [
      '--role',
      role,
    ]);
    const url = await node.listening;
    // It must not stay if an expectation fails.
    onTestFinished(() => void node.child.kill('SIGKILL'));
    const inside = `http://127.0.0.1:${port}`;
    // A worker listens before its workers have connected.
    await expect.poll(async () => (await fetch(`${inside}/readyz`)).status).toBe(200);
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect((await fetch(`${inside}${path}`)).status, path).toBe(200);
      if (role === 'gateway') expect((await fetch(`${url}${path}`)).status, path).toBe(404);
    }
    expect((await fetch(`${inside}/v1/ping`)).status).toBe(404);
    if (role === 'gateway') {
      // A probe sees the drain, on the port of its own.
      node.child.kill('SIGTERM');
      await expect.poll(async () => (await fetch(`${inside}/readyz`)).status).toBe(503);
    }
    expect(await stop(node)).toBe(0);
  },
);

test.each([
  { env: { PUBLIC_URL: 'https://desk.example' }, warns: true },
  { env: { PUBLIC_URL: 'https://desk.example', TRUSTED_PROXIES: '10.0.0.0/8' }, warns: false },
  { env: {}, warns: false },
])('with $env a start warns of missing TRUSTED_PROXIES: $warns', async ({ env, warns }) => {
  await using database = await cloneDatabase(inject('postgresUrl'));
  const node = startGateway({ DATABASE_URL: database.url, ...(env as Record<string, string>) }, [
    '--role',
    'gateway',
  ]);
  await node.listening;
  expect(await stop(node)).toBe(0);
  expect(node.stderr().includes('TRUSTED_PROXIES is not set')).toBe(warns);
});

test.skipIf(!isInstalled('prlimit', 'util-linux'))(
  'logs that no file descriptor is left, and recovers',
  async () => {
    await using database = await cloneDatabase(inject('postgresUrl'));
    const node = startGateway({ DATABASE_URL: database.url }, ['--role', 'gateway']);
    const url = new URL(await node.listening);
    const { status } = spawnSync('prlimit', ['--pid', String(node.child.pid), '--nofile=120:120']);
    expect(status).toBe(0);
    const sockets: Socket[] = [];
    while (!node.stderr().includes('no file descriptor is left')) {
      const socket = connect(Number(url.port), url.hostname).on('error', () => {});
      sockets.push(socket);
      await setTimeout(5);
    }
    expect(node.stderr()).toContain('"code":"EMFILE"');
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(() =>
        fetch(`${url}healthz`).then(
          ({ status }) => status,
          () => null,
        ),
      )
      .toBe(200);
    expect(await stop(node)).toBe(0);
  },
);

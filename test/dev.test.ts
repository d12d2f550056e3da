import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from './started-gateway.ts';

const DEV = fileURLToPath(new URL('../apps/gateway/dev.ts', import.meta.url));

/** Returns a free port. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

test('starts gateway and console with `pnpm dev`, with readable logs, and stops both', async () => {
  await using folder = await temporaryFolder();
  const [port, consolePort] = [await freePort(), await freePort()];
  const dev = spawn(process.execPath, [DEV, '--console-port', consolePort], {
    env: { PATH: process.env['PATH'] ?? '', PORT: port, DATA_DIR: folder.path, DEMO: '0', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(dev, 'exit');
  let output = '';
  for (const stream of [dev.stdout, dev.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  try {
    await expect.poll(() => output, { timeout: 90_000 }).toContain(`listens on http://127.0.0.1:${port}`);
    await expect.poll(() => output, { timeout: 90_000 }).toContain(`http://localhost:${consolePort}/`);
    // Through Vite's proxy, the gateway rejects the call.
    const answer = await fetch(`http://localhost:${consolePort}/v1/ping`);
    expect(await answer.json()).toMatchObject({ error: { code: 'invalid_token' } });
    expect(await (await fetch(`http://localhost:${consolePort}/`)).text()).toContain('/src/main.tsx');
    await expect.poll(() => output).toMatch(/^\[[\d:. -]+\] INFO: .*\n(?:.*\n)*? {4}status: 401/m);
  } finally {
    dev.kill('SIGTERM');
    await exited;
  }
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  await expect(fetch(`http://localhost:${consolePort}/`)).rejects.toThrow();
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../free-port.ts';

const EXAMPLES = new URL('../../../ops/proxies/', import.meta.url);
const START_MS = 20_000;

/** A proxy with an example configuration in `ops/proxies`. */
interface Kind {
  /** Its program, of the Debian package of the same name. */
  program: 'haproxy' | 'nginx' | 'caddy';
  example: string;
  args: (file: string, folder: string) => string[];
  /** Changes the example so that every call has a connection of its own to the gateway. */
  withoutReuse: (text: string) => string;
}

export const proxyKinds: readonly Kind[] = [
  {
    program: 'haproxy',
    example: 'haproxy.cfg',
    args: (file) => ['-f', file, '-db'],
    withoutReuse: (text) => text.replace('balance leastconn', 'balance leastconn\n    option httpclose'),
  },
  {
    program: 'nginx',
    example: 'nginx.conf',
    args: (file, folder) => [
      '-c',
      file,
      '-p',
      folder,
      '-e',
      'stderr',
      '-g',
      `daemon off; pid ${folder}/nginx.pid;`,
    ],
    withoutReuse: (text) => text.replace(/^ *keepalive(_timeout)? .*$/gm, '').replace('"" ""', '"" close'),
  },
  {
    program: 'caddy',
    example: 'Caddyfile',
    args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
    withoutReuse: (text) =>
      text.replace('lb_policy', 'transport http {\n\t\t\tkeepalive off\n\t\t}\n\t\tlb_policy'),
  },
];

/**
 * Starts a proxy with its example configuration, in front of two gateways.
 * @param maxConnections a limit that the open files allow; they may be few where the tests run
 */
export async function startProxy(
  { program, example, args, withoutReuse }: Kind,
  gateways: readonly [string, string],
  reuses: boolean,
  maxConnections = 2_000,
): Promise<AsyncDisposable & { url: string; output: () => string }> {
  const folder = await mkdtemp(join(tmpdir(), 'firmdesk-proxy-'));
  await chmod(folder, 0o755);
  const port = await freePort();
  let text = await readFile(new URL(example, EXAMPLES), 'utf8');
  if (!reuses) text = withoutReuse(text);
  const replaced: Record<string, string> = {
    '127.0.0.1:8080': `127.0.0.1:${port}`,
    '127.0.0.1:4001': new URL(gateways[0]).host,
    '127.0.0.1:4002': new URL(gateways[1]).host,
    'maxconn 20000': `maxconn ${maxConnections}`,
  };
  text = text.replaceAll(/127\.0\.0\.1:\d+|maxconn \d+/g, (found) => replaced[found] ?? found);
  const file = join(folder, example);
  await writeFile(file, text);
  const child = spawn(program, args(file, folder), {
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-8_192);
    });
  const url = `http://127.0.0.1:${port}`;
  await untilServing(`${url}/v1/openapi.json`, child, () => output);
  return {
    url,
    output: () => output,
    async [Symbol.asyncDispose]() {
      // Without notice, the processes that nginx started would stay.
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilServing(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    const response = await fetch(url).catch(() => null);
    await response?.arrayBuffer();
    if (response?.ok) return;
    await setTimeout(50);
  }
  child.kill('SIGKILL');
  throw new Error(`The proxy did not start.\n${output()}`);
}

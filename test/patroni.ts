import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './free-port.ts';

const PASSWORD = 'firmdesk-test';
const START_MS = 60_000;
/** The programs of Debian's newest PostgreSQL. */
const BIN = execFileSync('sh', ['-c', 'ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1'])
  .toString()
  .trim();

interface Node {
  name: string;
  port: number;
  apiPort: number;
  data: string;
  patroni: ChildProcess;
}

/** A primary and a synchronous standby under Patroni, which keeps its state in etcd. */
export interface PatroniCluster extends AsyncDisposable {
  /** The URL of the primary among both servers. */
  url: string;
  /** The URL of HAProxy with its example configuration, which leads to the primary. */
  proxyUrl: string;
  /** Makes the standby the primary. */
  switchOver(): Promise<void>;
  /** Kills the primary and its Patroni without notice. */
  killPrimary(): Promise<void>;
}

const PROXY_EXAMPLE = new URL('../ops/proxies/haproxy-postgresql.cfg', import.meta.url);

export const hasServerPrograms = BIN !== '';

export async function openPatroniCluster(): Promise<PatroniCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'firmdesk-patroni-'));
  const account = accountOf('postgres');
  await chown(folder, account.uid, account.gid);
  const children: ChildProcess[] = [];
  const run = (program: string, args: string[]) => {
    const child = spawn(program, args, {
      ...(process.getuid?.() === 0 ? account : {}),
      cwd: folder,
      env: { PATH: `/usr/sbin:/usr/bin:/bin:${BIN}`, HOME: folder, LC_ALL: 'C.UTF-8' },
      stdio: 'ignore',
    });
    children.push(child);
    return child;
  };
  const nodes: Node[] = [];
  const proxyPort = await freePort();
  const close = async () => {
    for (const { data } of nodes) await killPostmaster(data);
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    for (const { data } of nodes) await killPostmaster(data);
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    const etcdPort = await freePort();
    const etcd = `http://127.0.0.1:${etcdPort}`;
    const peer = `http://127.0.0.1:${await freePort()}`;
    run('etcd', [
      `--data-dir=${join(folder, 'etcd')}`,
      `--listen-client-urls=${etcd}`,
      `--advertise-client-urls=${etcd}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
    ]);
    await until(async () => (await fetch(`${etcd}/health`)).ok, 'etcd does not answer');
    for (const name of ['one', 'two']) {
      const [port, apiPort] = [await freePort(), await freePort()];
      const data = join(folder, name);
      await mkdir(data, { mode: 0o700 });
      await chown(data, account.uid, account.gid);
      const file = join(folder, `${name}.json`);
      // JSON is YAML.
      await writeFile(file, JSON.stringify(configOf({ name, port, apiPort, data, etcdPort, folder })));
      nodes.push({ name, port, apiPort, data, patroni: run('patroni', [file]) });
      await until(() => isRunning(nodes.at(-1)!), `PostgreSQL of ${name} does not run`);
    }
    await until(() => hasSynchronousStandby(nodes[0]!), 'The standby is not synchronous');
    const file = join(folder, 'haproxy.cfg');
    await writeFile(file, proxyConfigOf(await readFile(PROXY_EXAMPLE, 'utf8'), proxyPort, nodes));
    run('haproxy', ['-f', file, '-db']);
  } catch (error) {
    await close();
    throw error;
  }
  const primary = async () => {
    for (const node of nodes) {
      const status = await statusOf(node).catch(() => null);
      if (status?.role === 'master' || status?.role === 'primary') return node;
    }
    throw new Error('There is no primary.');
  };
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    url: `postgres://postgres:${PASSWORD}@${hosts}/postgres`,
    proxyUrl: `postgres://postgres:${PASSWORD}@127.0.0.1:${proxyPort}/postgres`,
    async switchOver() {
      const { name, apiPort } = await primary();
      const candidate = nodes.find((node) => node.name !== name)!.name;
      // Patroni refuses until it has noticed that the standby is synchronous.
      const ask = async () =>
        (
          await fetch(`http://127.0.0.1:${apiPort}/switchover`, {
            method: 'POST',
            body: JSON.stringify({ leader: name, candidate }),
          })
        ).ok;
      await until(ask, 'Patroni refuses the switchover');
      await until(async () => (await primary()).name === candidate, 'The standby was not promoted');
      // Before the next failure, the former primary follows.
      await until(() => hasSynchronousStandby(nodes[0]!), 'The former primary does not follow');
    },
    async killPrimary() {
      const { patroni, data } = await primary();
      patroni.kill('SIGKILL');
      await killPostmaster(data);
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the example configuration of HAProxy with the ports of the test. */
function proxyConfigOf(example: string, port: number, nodes: readonly Node[]): string {
  const [one, two] = nodes as [Node, Node];
  const replaced: Record<string, number> = {
    ':5000': port,
    ':5432': one.port,
    ':5433': two.port,
    'port 8008': one.apiPort,
    'port 8009': two.apiPort,
  };
  return example.replaceAll(/(:|port )\d{4}\b/g, (found, before) => `${before}${replaced[found]}`);
}

interface NodeSettings extends Omit<Node, 'patroni'> {
  etcdPort: number;
  folder: string;
}

function configOf({ name, port, apiPort, data, etcdPort, folder }: NodeSettings): object {
  const account = { username: 'postgres', password: PASSWORD };
  return {
    scope: 'firmdesk',
    name,
    restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 3,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_keep_size: '256MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: [
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication all 127.0.0.1/32 scram-sha-256',
        'local all all trust',
      ],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      bin_dir: BIN,
      data_dir: data,
      pgpass: join(folder, `${name}.pgpass`),
      authentication: {
        superuser: account,
        replication: { username: 'replicator', password: PASSWORD },
        rewind: account,
      },
      parameters: { unix_socket_directories: folder },
    },
  };
}

interface Status {
  state: string;
  role: string;
}

async function statusOf({ apiPort }: Node): Promise<Status> {
  return (await (await fetch(`http://127.0.0.1:${apiPort}/patroni`)).json()) as Status;
}

/** Returns whether Patroni may promote the standby: it has every acknowledged write. */
async function hasSynchronousStandby({ apiPort }: Node): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${apiPort}/cluster`);
  const { members } = (await response.json()) as { members: { role: string; state: string }[] };
  return members.some(({ role, state }) => role === 'sync_standby' && /running|streaming/.test(state));
}

async function isRunning(node: Node): Promise<boolean> {
  const { state, role } = await statusOf(node);
  return state === 'running' && role !== 'uninitialized';
}

async function killPostmaster(data: string): Promise<void> {
  const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  if (!pid) return;
  const group = execFileSync('sh', ['-c', `pgrep -P ${Number(pid)} || true`])
    .toString()
    .split('\n')
    .filter(Boolean);
  for (const each of [pid, ...group]) {
    try {
      process.kill(Number(each), 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }
}

function accountOf(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name]).toString());
  return { uid: id('-u'), gid: id('-g') };
}

async function until(holds: () => Promise<boolean>, otherwise: string): Promise<void> {
  const end = performance.now() + START_MS;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > end) throw new Error(`${otherwise}.`);
    await setTimeout(200);
  }
}

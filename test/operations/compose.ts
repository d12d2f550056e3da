import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { isInstalled } from './is-installed.ts';

const FOLDER = new URL('../../ops/compose/', import.meta.url).pathname;
const START_MS = 240_000;
/** The network of the compose file, which the gateways trust. */
const SUBNET_OF_FILE = '172.30.83';
/** Its replacement: another run, or what one that was killed has left, may have the network of the file. */
const SUBNET = `172.30.${process.pid % 256}`;
const HEALTH_MS = 500;
/** The programs of this machine, and this Node, in place of those of images from registries. */
const PROGRAMS = ['/usr:/usr:ro', `${dirname(process.execPath)}:/node:ro`];

/** An image that has only what is around the programs. */
const STAND_IN = 'localhost/firmdesk-test-stand-in';

const execute = promisify(execFile);

/** The services of the compose file, as containers of Podman. */
export interface Composed extends AsyncDisposable {
  /** Runs a command in the container of a service, and returns its output. */
  exec(service: string, command: readonly string[]): Promise<string>;
  /** Stops a service as the compose file says. */
  stop(service: string): Promise<void>;
  /** Calls the proxy over TLS, and verifies its certificate. */
  get(path: string, headers?: Record<string, string>): Promise<{ status: number; text: string }>;
  /** The services whose health check passes. */
  healthy(): string[];
}

/** The entry point of the database's image. */
const START_DATABASE = `#!/bin/sh
set -eu
cd /tmp
PATH=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1):$PATH
mkdir -p $PGDATA /var/run/postgresql
chown -R postgres /var/lib/postgresql /var/run/postgresql
as="setpriv --reuid postgres --regid postgres --clear-groups"
if [ ! -s $PGDATA/PG_VERSION ]; then
  echo $POSTGRES_PASSWORD > password
  $as initdb -D $PGDATA -U $POSTGRES_USER --pwfile=password -A scram-sha-256 --auth-local=trust --locale=C.UTF-8
  echo 'host all all all scram-sha-256' >> $PGDATA/pg_hba.conf
  echo create database $POSTGRES_DB | $as postgres --single -D $PGDATA postgres
fi
exec $as "$@" -D $PGDATA -c listen_addresses='*'`;

/** Whether containers of Podman with the programs of this machine can be started. */
export const canCompose =
  process.getuid?.() === 0 &&
  [['podman'], ['runc'], ['docker-compose'], ['caddy'], ['pg_ctlcluster', 'postgresql']].every(
    ([program, debianPackage]) => isInstalled(program!, debianPackage),
  );

interface Service {
  image: string;
  build?: unknown;
  ports?: unknown;
  ulimits?: unknown;
  entrypoint?: string[];
  command?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  networks?: { default?: { ipv4_address?: string } | null };
  extra_hosts?: string[];
}

/**
 * The services whose images are in registries. Here they have the programs of this machine's Debian packages, with the commands and
 * variables of those images.
 */
const STAND_INS: Record<string, Pick<Service, 'command' | 'environment'>> = {
  database: { environment: { PGDATA: '/var/lib/postgresql/18/docker' } },
  model: {},
  caddy: {
    command: ['caddy', 'run', '--config', '/etc/caddy/Caddyfile', '--adapter', 'caddyfile'],
    environment: { XDG_CONFIG_HOME: '/config', XDG_DATA_HOME: '/data' },
  },
};

/** Starts the services of the compose file with this image of Firmdesk, and waits until they are healthy. */
export async function startCompose(image: string): Promise<Composed> {
  const folder = await mkdtemp(join(tmpdir(), 'firmdesk-compose-'));
  const socket = join(folder, 'podman.sock');
  const project = `firmdesk-${process.pid}`;
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    CONTAINERS_CONF: join(folder, 'containers.conf'),
    // Health checks are run below: there may be no systemd.
    DISABLE_HC_SYSTEMD: 'true',
    DOCKER_HOST: `unix://${socket}`,
    COMPOSE_PROJECT_NAME: project,
    POSTGRES_PASSWORD: 'password',
  };
  const run = async (program: string, ...args: string[]) =>
    (await execute(program, args, { cwd: FOLDER, env, maxBuffer: 50_000_000 })).stdout.trim();
  const podman = (...args: string[]) => run('podman', ...args);
  const file = join(folder, 'compose.json');
  const compose = (...args: string[]) =>
    run('docker-compose', '--project-directory', FOLDER, '-f', file, ...args);
  const healthy = new Set<string>();
  let isOver = false;
  let service: ChildProcess | null = null;
  let checking = Promise.resolve();
  const close = async () => {
    isOver = true;
    await checking;
    const ours = ['--filter', `label=com.docker.compose.project=${project}`];
    const ids = (await podman('ps', '--all', '--quiet', ...ours).catch(() => '')).split('\n').filter(Boolean);
    if (ids.length > 0) await podman('rm', '--force', '--time', '0', ...ids).catch(() => {});
    await compose('down', '--volumes').catch(() => {});
    service?.kill('SIGTERM');
    if (service && service.exitCode === null) await once(service, 'exit');
    await podman('rmi', '--force', STAND_IN).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  };

  async function checkHealth(): Promise<void> {
    while (!isOver) {
      const names = (
        await podman(
          'ps',
          '--filter',
          `label=com.docker.compose.project=${project}`,
          '--format',
          '{{.Names}}',
        ).catch(() => '')
      ).split('\n');
      for (const name of names.filter(Boolean)) {
        const isHealthy = await podman('healthcheck', 'run', name).then(
          () => true,
          () => false,
        );
        const [of] = name.replace(`${project}_`, '').split('_');
        if (isHealthy) healthy.add(of!);
        else healthy.delete(of!);
      }
      await setTimeout(HEALTH_MS);
    }
  }

  try {
    await writeFile(env.CONTAINERS_CONF, CONTAINERS_CONF);
    await buildStandIn(folder);
    const given = await run('docker-compose', '-f', 'compose.yaml', 'config');
    const resolved = parse(given.replaceAll(SUBNET_OF_FILE, SUBNET));
    const services = Object.entries<Service>(resolved.services);
    // Fixed addresses, because a name server for containers may be missing.
    const addresses = services.map(
      ([, { networks }], n) => networks?.default?.ipv4_address ?? `${SUBNET}.${20 + n}`,
    );
    const hosts = services.map(([name], n) => `${name}:${addresses[n]}`);
    for (const [n, [name, configured]] of services.entries()) {
      // The test calls the proxy in its network. This machine's limits may be lower.
      const { build: _build, ports: _ports, ulimits: _ulimits, ...service } = configured;
      const ours = STAND_INS[name];
      resolved.services[name] = {
        ...service,
        ...ours,
        image: ours ? STAND_IN : image,
        environment: { ...service.environment, ...ours?.environment },
        volumes: [...(service.volumes ?? []), ...(ours ? PROGRAMS : [])],
        networks: { default: { ipv4_address: addresses[n]! } },
        extra_hosts: hosts,
      };
    }
    await writeFile(file, JSON.stringify(resolved));
    service = spawn('podman', ['system', 'service', '--time=0', `unix://${socket}`], {
      env,
      stdio: 'ignore',
    });
    await podman('info');
    checking = checkHealth();
    await compose('up', '--detach', '--no-build');
    const expected = ['database', 'gateway1', 'gateway2', 'worker'];
    const end = performance.now() + START_MS;
    while (!expected.every((name) => healthy.has(name))) {
      if (performance.now() > end)
        throw new Error(`Not healthy: ${await compose('ps')}\n${await compose('logs', '--tail=20')}`);
      await setTimeout(HEALTH_MS);
    }
    const address = hosts.find((host) => host.startsWith('caddy:'))!.split(':')[1]!;
    const exec: Composed['exec'] = (of, command) => podman('exec', `${project}_${of}_1`, ...command);
    const ca = await exec('caddy', ['cat', '/data/caddy/pki/authorities/local/root.crt']);
    return {
      exec,
      stop: async (of) => void (await compose('stop', of)),
      healthy: () => [...healthy].toSorted(),
      get: (path, headers = {}) => get({ host: address, ca, path, headers }),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** `runc` and `cgroupfs`, because there may be no systemd and a mixed hierarchy of control groups. */
const CONTAINERS_CONF = `[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
`;

async function buildStandIn(folder: string): Promise<void> {
  const root = join(folder, 'root');
  for (const path of ['usr', 'node', 'tmp', 'etc/ssl', 'var/run', 'var/lib', 'entry'])
    await mkdir(join(root, path), { recursive: true });
  await writeFile(join(root, 'entry/docker-entrypoint.sh'), START_DATABASE, { mode: 0o755 });
  for (const path of ['bin', 'sbin', 'lib', 'lib64']) await symlink(`usr/${path}`, join(root, path));
  for (const path of ['passwd', 'group', 'ssl/openssl.cnf'])
    await copyFile(`/etc/${path}`, join(root, 'etc', path));
  const lines = ['FROM scratch', 'COPY root /', 'ENV PATH=/entry:/node:/usr/bin:/usr/sbin'];
  await writeFile(join(folder, 'Dockerfile'), lines.join('\n'));
  await execute('buildah', ['bud', '--isolation', 'chroot', '--format', 'docker', '-t', STAND_IN, folder]);
}

interface Get {
  host: string;
  ca: string;
  path: string;
  headers: Record<string, string>;
}

async function get({ host, ca, path, headers }: Get): Promise<{ status: number; text: string }> {
  const req = request({
    host,
    port: 443,
    servername: 'localhost',
    ca,
    path,
    headers: { host: 'localhost', ...headers },
  });
  req.end();
  const [response] = (await once(req, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, text: (await response.toArray()).join('') };
}

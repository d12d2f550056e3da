import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { closeServices, createServices, migrate, type Services, withSetupLock } from '@firmdesk/domain';
import { openServer } from '@firmdesk/postgres';
import {
  createDatabase,
  type FakeOpenAiServer,
  openTcpProxy,
  startFakeOpenAiServer,
  type TcpProxy,
} from '@firmdesk/testing';
import { type ApnsServer, apnsVariables, openApnsServer } from '@firmdesk/testing/gateway';
import { temporaryFolder } from '../started-gateway.ts';
import { Node } from './node.ts';
import { openReceiver, type WebhookReceiver } from './receiver.ts';

const WORDS = Array.from({ length: 40 }, (_, n) => ` word${n}`);
const WORD_MS = 25;
const DATABASE = 'faults';

/** The processes of Firmdesk with a separate PostgreSQL, and stand-ins for the model, APNs and a receiver of webhooks. */
export interface Stage extends AsyncDisposable {
  gateways: Node[];
  workers: Node[];
  /** Services of this process on the same database, to create fixtures and to read what is stored. */
  services: Services;
  databaseUrl: string;
  postgres: Postgres;
  /** The proxy between the processes and PostgreSQL. */
  proxy: TcpProxy;
  apns: ApnsServer;
  model: FakeOpenAiServer;
  /** Where webhooks arrive. */
  receiver: WebhookReceiver;
  /** Lets the model write a reply that starts with the question, word by word. */
  letModelWrite(): void;
}

/** A PostgreSQL server, with the durability of production. */
export interface Postgres {
  /** Ends the server. The embedded one is restarted by this process, as its user. */
  end(how: 'restart' | 'kill'): Promise<void>;
  freeze(milliseconds: number): Promise<void>;
}

/** The migrated database of a stage. */
export interface StageDatabase extends AsyncDisposable {
  url: string;
  postgres: Postgres;
}

interface StageOptions {
  gateways?: number;
  workers?: number;
  /** Whether the processes reach PostgreSQL through the proxy, which costs processor time. */
  isProxied?: boolean;
  /** Further variables of the processes. */
  env?: Record<string, string>;
  /** By default on a server of its own. */
  database?: StageDatabase;
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const { gateways = 1, workers = 2, isProxied = true, env: more = {} } = options;
  const database = options.database ?? (await openOwnDatabase());
  const { url: databaseUrl } = database;
  const services = await createServices({ databaseUrl, poolSizes: { main: 4 } });
  const apns = await openApnsServer();
  const model = await startFakeOpenAiServer();
  const receiver = await openReceiver();
  const proxy = await openTcpProxy(databaseUrl);
  const env = { ...environment(isProxied ? proxy.url : databaseUrl, apns, model.baseUrl), ...more };
  const nodes = await Promise.all([
    ...Array.from({ length: gateways }, () => Node.start('gateway', env)),
    ...Array.from({ length: workers }, () => Node.start('worker', env)),
  ]);
  const stage: Stage = {
    gateways: nodes.filter(({ role }) => role === 'gateway'),
    workers: nodes.filter(({ role }) => role === 'worker'),
    services,
    databaseUrl,
    postgres: database.postgres,
    proxy,
    apns,
    model,
    receiver,
    letModelWrite() {
      model.behave(({ body }) => {
        const asked = String(body.messages.at(-1)?.content).split('\n').at(-1)!;
        return { kind: 'reply', words: [asked, ...WORDS], pauseMs: WORD_MS };
      });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map((node) => node.retire()));
      await closeServices(services);
      await proxy[Symbol.asyncDispose]();
      await apns[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
  stage.letModelWrite();
  return stage;
}

async function openOwnDatabase(): Promise<StageDatabase> {
  const folder = await temporaryFolder();
  const dataDir = join(folder.path, 'postgres');
  const server = await openServer({ dataDir });
  const url = await createDatabase(server.url, DATABASE);
  const services = await createServices({ databaseUrl: url, poolSizes: { main: 2 } });
  await withSetupLock(url, () => migrate(services));
  await closeServices(services);
  return {
    url,
    postgres: postgresIn(dataDir),
    async [Symbol.asyncDispose]() {
      await server.release();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Cleans up on Ctrl-C. */
export function leaveOnSignals(stage: Stage): void {
  const leave = () => process.exit(130);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stage[Symbol.asyncDispose]().then(leave, leave));
  }
}

function environment(databaseUrl: string, apns: ApnsServer, modelUrl: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    DEMO: '0',
    // Longer than the pause of any writer.
    DRAIN_SECONDS: '2',
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_MINUTE: '0',
    WEBHOOK_LOOPBACK: '1',
    ASSISTANT_BASE_URL: modelUrl,
    ASSISTANT_MODEL: 'stand-in',
    ...apnsVariables(apns),
  };
}

/** Controls the server of a data directory on this machine. */
export function postgresIn(dataDir: string): Postgres {
  const postmaster = async () =>
    Number((await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  return {
    async end(how) {
      // SIGINT is PostgreSQL's fast shutdown.
      process.kill(await postmaster(), how === 'restart' ? 'SIGINT' : 'SIGKILL');
    },
    async freeze(milliseconds) {
      const parent = await postmaster();
      // The postmaster first, so that it starts no other process.
      process.kill(parent, 'SIGSTOP');
      const stopped = [parent, ...(await childrenOf(parent))];
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      try {
        await setTimeout(milliseconds);
      } finally {
        for (const pid of stopped.reverse()) process.kill(pid, 'SIGCONT');
      }
    },
  };
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(/\s+/).filter(Boolean).map(Number);
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import {
  closeServices,
  createServices,
  migrate,
  receiveTraderMessage,
  type Services,
  withSetupLock,
  withTransaction,
} from '@firmdesk/domain';
import { openTemporaryServer } from '@firmdesk/postgres';
import { createTicket, createToken, createUser, createWorkspace } from '@firmdesk/testing';
import { type StartedGateway, startGateway, stop } from '../started-gateway.ts';
import { loopSeconds } from './processor-time.ts';
import { type BenchReport, figure, median, say } from './report.ts';
import type { ClientCommand, ClientReport, ClientSockets } from './sockets.clients.ts';

const SOCKETS = 10_000;
const FIRMS = 20;
const CLIENTS = 2;
/** The time over which sockets are opened: before the measurement, and in the storm. */
const CONNECT_SECONDS = 10;
const STORM_SECONDS = 5;
const SETTLE_MS = 5_000;
/** The interval of the pings, so that each socket is pinged once. */
const IDLE_MS = 45_000;
/** The updates before the measured ones, until their code is compiled. */
const WARM_UPS = 60;
const UPDATES = 60;
const UPDATE_MS = 100;
/** Descriptors that a process needs beside those of its sockets. */
const OTHER_DESCRIPTORS = 500;
const CREATED_AT_ONCE = 8;

/**
 * Opens 10,000 sockets with a token each to one gateway, which follow the inboxes of 20 firms. Measures the gateway while they
 * are idle, while tickets change, and while all reconnect. The gateway and the clients are separate processes.
 */
export async function run(): Promise<BenchReport> {
  await ensureDescriptors(SOCKETS + OTHER_DESCRIPTORS);
  const database = await openTemporaryServer();
  const services = await createServices({ databaseUrl: database.url, poolSizes: { main: CREATED_AT_ONCE } });
  let gateway: StartedGateway | null = null;
  const clients: Clients[] = [];
  try {
    await withSetupLock(database.url, () => migrate(services));
    const firms = await createFirms(services);
    gateway = startGateway({ DATABASE_URL: database.url, DEMO: '0', RATE_LIMIT_PER_MINUTE: '0' }, [
      '--role',
      'gateway',
    ]);
    const url = await gateway.listening;
    const tokens = firms.flatMap((firm) => firm.tokens);
    for (let n = 0; n < CLIENTS; n++) {
      const own = tokens.filter((_, i) => i % CLIENTS === n);
      clients.push(new Clients({ url, tokens: own, network: n + 1 }));
    }

    await setTimeout(SETTLE_MS);
    const empty = await measure(url, () => setTimeout(IDLE_MS));
    await all(clients, { connect: CONNECT_SECONDS });
    say(`${SOCKETS} sockets are open`);
    await setTimeout(SETTLE_MS);
    const idle = await measure(url, async () => {
      const before = await loopSeconds(gateway!.child.pid!);
      await setTimeout(IDLE_MS);
      return ((await loopSeconds(gateway!.child.pid!)) - before) / (IDLE_MS / 1_000);
    });
    say(`idle: ${percent(idle.cores)} % of a core, ${bytesPerSocket(empty, idle)} bytes per socket`);

    await updateTickets(services, firms, WARM_UPS);
    const updates = await measure(url, async () => {
      const { pid } = gateway!.child;
      const [before, began] = [await loopSeconds(pid!), performance.now()];
      await updateTickets(services, firms, UPDATES);
      const seconds = (performance.now() - began) / 1_000;
      return (await loopSeconds(pid!)) - before - idle.result * seconds;
    });
    const frames = await all(clients, { count: true });
    const received = sum(frames, ({ events }) => events);
    const seconds = (updates.cores - idle.cores) * updates.seconds;
    say(`${received} events received`);

    const storm = await measure(url, () => all(clients, { drop: true, connect: STORM_SECONDS }));
    const storms = storm.result;
    const closed = sum(storms, ({ closed }) => closed);
    const latencies = storms.flatMap(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
    return {
      bench: 'sockets',
      figures: [
        figure('idle sockets: processor time, % of a core', percent(idle.cores), '<= 3'),
        figure('idle sockets: memory, kB each', bytesPerSocket(empty, idle) / 1_000, '<= 40'),
        figure(
          'an update that 500 inboxes see: processor time of the loop, ms',
          (updates.result * 1_000) / UPDATES,
          '<= 8',
        ),
        figure('the same, with the other threads of the process, ms', (seconds * 1_000) / UPDATES),
        figure('events that were not received', ((WARM_UPS + UPDATES) * SOCKETS) / FIRMS - received, '<= 0'),
        figure('storm: until all are back, s', Math.max(...storms.map(({ seconds }) => seconds)), '<= 12'),
        figure('storm: sockets closed by the server', closed, '<= 0'),
        figure('storm: from the connection to the subscription, median, ms', median(latencies)),
        figure('without sockets: processor time, % of a core', percent(empty.cores)),
      ],
      raw: { empty, idle, updates, storm: { ...storm, result: null }, storms: storms.map(withoutSamples) },
    };
  } finally {
    for (const client of clients) await client.end();
    if (gateway) await stop(gateway);
    await closeServices(services);
    await database.release();
  }
}

/** Throws if a process cannot open that many files. Node raises the soft limit to the hard one when it starts. */
async function ensureDescriptors(needed: number): Promise<void> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const hard = /^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1];
  if (hard === undefined || Number(hard) >= needed) return;
  throw new Error(
    `The benchmark needs ${needed} open files per process, and the limit is ${hard}: raise it with \`ulimit -Hn ${needed}\`.`,
  );
}

interface Firm {
  slug: string;
  trader: string;
  ticket: string;
  tokens: string[];
}

async function createFirms(services: Services): Promise<Firm[]> {
  const firms: Firm[] = [];
  for (let n = 0; n < FIRMS; n++) {
    const firm = await createWorkspace(services);
    const agent = await createUser(services, { firm, permissions: ['view_tickets'] });
    const trader = await createUser(services, { firm, role: 'trader' });
    const ticket = await createTicket(services, { firm, trader, aiEnabled: false });
    const tokens: string[] = [];
    const create = async () => {
      const { text } = await createToken(services, { user: agent, workspace: firm.slug });
      tokens.push(text);
      if (tokens.length + CREATED_AT_ONCE <= SOCKETS / FIRMS) await create();
    };
    await Promise.all(Array.from({ length: CREATED_AT_ONCE }, create));
    while (tokens.length < SOCKETS / FIRMS) await create();
    firms.push({ slug: firm.slug, trader: trader.email, ticket, tokens: tokens.slice(0, SOCKETS / FIRMS) });
  }
  say(`created ${SOCKETS} tokens of ${FIRMS} firms`);
  return firms;
}

/** Lets traders write, one firm after another. Each message changes one ticket, which every inbox of its firm shows. */
async function updateTickets(services: Services, firms: readonly Firm[], count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const pause = setTimeout(UPDATE_MS);
    const { slug, ticket, trader } = firms[n % firms.length]!;
    const message = { workspace: slug, ticket, from: trader, via_email: false };
    await withTransaction(services, (ctx) => receiveTraderMessage(ctx, { ...message, body: `Message ${n}` }));
    await pause;
  }
  await setTimeout(1_000);
}

/** A process with a part of the sockets. */
class Clients {
  readonly #child: ChildProcess;

  constructor(sockets: ClientSockets) {
    this.#child = fork(new URL('sockets.clients.ts', import.meta.url), { stdio: 'inherit' });
    this.#child.send(sockets);
  }

  async do(command: ClientCommand): Promise<ClientReport> {
    this.#child.send(command);
    const [report] = (await once(this.#child, 'message')) as [ClientReport];
    return report;
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill();
    await gone;
  }
}

function all(clients: readonly Clients[], command: ClientCommand): Promise<ClientReport[]> {
  return Promise.all(clients.map((client) => client.do(command)));
}

interface Measured<T> {
  seconds: number;
  /** The processor time of the gateway, as a number of cores. */
  cores: number;
  /** The gateway's memory at the end, in bytes. */
  memory: number;
  result: T;
}

/** Runs a step and measures what the gateway used meanwhile, by its metrics. */
async function measure<T>(url: string, step: () => Promise<T>): Promise<Measured<T>> {
  const before = await readProcess(url);
  const began = performance.now();
  const result = await step();
  const seconds = (performance.now() - began) / 1_000;
  const after = await readProcess(url);
  return { seconds, cores: (after.cpu - before.cpu) / seconds, memory: after.memory, result };
}

async function readProcess(url: string): Promise<{ cpu: number; memory: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)![1]);
  return { cpu: read('process_cpu_seconds_total'), memory: read('process_resident_memory_bytes') };
}

const percent = (cores: number) => Number((cores * 100).toFixed(2));

function bytesPerSocket(empty: Measured<unknown>, full: Measured<unknown>): number {
  return Math.round((full.memory - empty.memory) / SOCKETS);
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

function withoutSamples({ milliseconds, ...report }: ClientReport): object {
  return { ...report, samples: milliseconds.length };
}

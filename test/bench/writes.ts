import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openServer } from '@firmdesk/postgres';
import pg from 'pg';
import { type BenchReport, type Figure, figure, median, say } from './report.ts';
import { fill, operations, type WriteOperation, type WritesTarget } from './writes/data.ts';
import type { LoadRequest, LoadResult } from './writes.load.ts';

/** How a comparison is measured. In its rounds, the sides take turns to be first. */
interface Rounds {
  count: number;
  milliseconds: number;
  /** Rounds before the measured ones: connections open, statements are prepared, and the engine optimizes code, which takes seconds of load. */
  warmUp: number;
}

/** Many short rounds, so that other work on the machine meets the sides alike. */
const STATEMENT_ROUNDS: Rounds = { count: 48, milliseconds: 80, warmUp: 24 };
/** Longer ones for sides that differ by more than such work. In short ones, each begins with what the others left in the processor's caches. */
const CHECKOUT_ROUNDS: Rounds = { count: 20, milliseconds: 250, warmUp: 10 };
const CONNECTIONS = [1, 8, 32] as const;
/** The connections at which another checkout is compared. */
const AGAINST_CONNECTIONS = 16;
const ROOT = new URL('../..', import.meta.url).pathname;

/** A load process, with a database of its own, so that none of them finds a ticket as another has left it. */
type Side = 'ours' | 'bare' | 'hand' | 'socket' | 'tcp' | 'against';
type Sides = Partial<Record<Side, ChildProcess>>;

interface Sample {
  operation: WriteOperation;
  connections: number;
  perSecond: Record<string, number[]>;
  /** The processor time of the load process per write, in µs. PostgreSQL uses the rest of the machine. */
  cpuMicroseconds: Record<string, number>;
}

/**
 * Measures how many replies, notes, status changes and notifications to 500 agents commit per second, over 200 firms and with
 * `fsync` on, relative to the same operations without the statements of the event log and jobs, and to these other statements
 * sent by hand. With `against`, the folder of another checkout, also relative to its operations, on new databases. As in an
 * installation, the process reaches the embedded server through its socket, and an earlier checkout through TCP; this one through TCP is
 * compared too.
 */
export async function run({ against }: { against?: string | undefined } = {}): Promise<BenchReport> {
  const dataDir = join(tmpdir(), `firmdesk-bench-writes-${process.pid}`);
  await mkdir(dataDir);
  const server = await openServer({ dataDir });
  const children: ChildProcess[] = [];
  const endChildren = async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  };
  try {
    const open = async (
      side: Side,
      kind: WritesTarget['kind'],
      { checkout = ROOT, serverUrl = server.socketUrl } = {},
    ) => {
      await createDatabase(server.url, side);
      const databaseUrl = urlOf(serverUrl, side);
      const child = fork(new URL('writes.load.ts', import.meta.url), {
        env: { ...process.env, NODE_ENV: 'production' },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      children.push(child);
      child.send({ databaseUrl, checkout, kind } satisfies WritesTarget);
      const [answer] = (await answerOf(child)) as [LoadResult | 'ready'];
      if (answer !== 'ready' && 'error' in answer) throw new Error(answer.error);
      await fill(databaseUrl);
      return child;
    };
    const samples: Sample[] = [];
    const figures = await compareStatements(samples, {
      ours: await open('ours', 'operations'),
      bare: await open('bare', 'without log and jobs'),
      hand: await open('hand', 'by hand'),
    });
    if (against !== undefined) {
      await endChildren();
      const overTcp = { serverUrl: server.url };
      const sides = {
        socket: await open('socket', 'operations'),
        tcp: await open('tcp', 'operations', overTcp),
        against: await open('against', 'operations', { checkout: resolve(against), ...overTcp }),
      };
      figures.push(...(await compareCheckouts(samples, sides)));
    }
    return { bench: 'writes', figures, raw: { per_second: samples } };
  } finally {
    await endChildren();
    await server.release();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function compareStatements(samples: Sample[], sides: Sides): Promise<Figure[]> {
  const figures = [];
  for (const operation of operations) {
    for (const connections of CONNECTIONS) {
      const { ours, bare, hand } = await compare(samples, sides, operation, connections, STATEMENT_ROUNDS);
      const name = `${operation}, ${connections} connections, relative to`;
      figures.push(figure(`${name} the same without log and jobs`, ratioOf(ours!, bare!), '>= 0.8'));
      figures.push(figure(`${name} these statements by hand`, ratioOf(ours!, hand!)));
    }
  }
  return figures;
}

async function compareCheckouts(samples: Sample[], sides: Sides): Promise<Figure[]> {
  const figures = [];
  for (const operation of operations) {
    const { socket, tcp, against } = await compare(
      samples,
      sides,
      operation,
      AGAINST_CONNECTIONS,
      CHECKOUT_ROUNDS,
    );
    const name = `${operation}, ${AGAINST_CONNECTIONS} connections`;
    // A note appends a single event.
    const goal = operation === 'notes' ? '>= 4' : null;
    figures.push(figure(`${name}, relative to the other checkout`, ratioOf(socket!, against!), goal));
    figures.push(
      figure(`${name}, through TCP, relative to the other checkout`, ratioOf(tcp!, against!), goal),
    );
  }
  return figures;
}

/** Measures the sides in turns. Returns the writes per second of each round, by side. */
async function compare(
  samples: Sample[],
  sides: Sides,
  operation: WriteOperation,
  connections: number,
  rounds: Rounds,
) {
  const names = Object.keys(sides) as Side[];
  const perSecond: Partial<Record<Side, number[]>> = {};
  const cpuMicroseconds: Record<string, number> = {};
  const total: Record<string, { count: number; cpuSeconds: number }> = {};
  for (const side of names) {
    perSecond[side] = [];
    total[side] = { count: 0, cpuSeconds: 0 };
  }
  for (let round = -rounds.warmUp; round < rounds.count; round++) {
    const order = round % 2 === 0 ? names : names.toReversed();
    for (const side of order) {
      const { count, seconds, cpuSeconds } = await load(sides[side]!, {
        operation,
        connections,
        milliseconds: rounds.milliseconds,
      });
      if (round < 0) continue;
      perSecond[side]!.push(count / seconds);
      total[side]!.count += count;
      total[side]!.cpuSeconds += cpuSeconds;
    }
  }
  const medians = names.map((side) => {
    const { count, cpuSeconds } = total[side]!;
    cpuMicroseconds[side] = Math.round((cpuSeconds / count) * 1e6);
    return `${side} ${Math.round(median(perSecond[side]!))}/s (${cpuMicroseconds[side]} µs)`;
  });
  say(`${operation}, ${connections} connections: ${medians.join(', ')}`);
  samples.push({ operation, connections, perSecond, cpuMicroseconds });
  return perSecond;
}

/** Returns the median of the rounds' ratios. */
function ratioOf(ours: number[], others: number[]): number {
  return median(ours.map((rate, round) => rate / others[round]!));
}

async function load(
  child: ChildProcess,
  request: LoadRequest,
): Promise<Exclude<LoadResult, { error: string }>> {
  child.send(request);
  const [result] = (await answerOf(child)) as [LoadResult];
  if ('error' in result) throw new Error(result.error);
  return result;
}

/** Rejects if the process ends instead. */
async function answerOf(child: ChildProcess): Promise<unknown[]> {
  const ended = new AbortController();
  const exit = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`A load process ended with exit code ${code}.`);
  });
  try {
    return await Promise.race([once(child, 'message'), exit]);
  } finally {
    exit.catch(() => {});
    ended.abort();
  }
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function createDatabase(serverUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Services } from '@firmdesk/domain';
import { startFakeOpenAiServer } from '@firmdesk/testing';
import { startGateway, stop } from '../started-gateway.ts';
import { type LoadDatabase, openLoadDatabase } from './load/fill-load.ts';
import { type Kind, kinds, type LoadedFirm } from './load/plan.ts';
import type { CallCommand, CallParameters, CallResult } from './load.calls.ts';
import type { Expected, SocketParameters, SocketResult } from './load.sockets.ts';
import { measureParts } from './processor-time.ts';
import { type BenchReport, type Figure, figure, percentile, say } from './report.ts';

const FIRMS = 500;
const FEW_FIRMS = 50;
const TICKETS = 100_000;
const WARM_UP_SECONDS = 20;
const SECONDS = 60;
/** How often `pg_stat` and the jobs are asked whether the load's work is done. */
const POLL_MS = 200;
const WORDS = Array.from({ length: 40 }, (_, n) => ` word${n}`);

type OurPart = 'gateways' | 'workers' | 'PostgreSQL';

interface Run {
  calls: CallResult;
  sockets: SocketResult;
  /** Milliseconds of processor time per call. */
  perCall: Record<OurPart, number> | null;
  megabytes: Record<'gateway' | 'worker', number>;
}

/**
 * The load of 500 firms (docs/scaling.md) on a started installation: a gateway, a worker and PostgreSQL, with the clients in processes of
 * their own on the same machine. The same with 50 firms tells how the cost of a call grows with the load, and with `size` how it grows
 * with the number of tickets.
 */
export async function run({ size }: { size?: string } = {}): Promise<BenchReport> {
  const tickets = size === undefined ? TICKETS : Number(size);
  if (!Number.isSafeInteger(tickets) || tickets < FIRMS * 50) {
    throw new Error(`--size must be an integer of at least ${FIRMS * 50}.`);
  }
  const few = await runFirms(TICKETS, FEW_FIRMS);
  const all = await runFirms(TICKETS, FIRMS);
  const many = tickets > TICKETS ? await runFirms(tickets, FIRMS) : null;
  const measured = many ?? all;
  const times = kinds.flatMap((kind) => measured.calls.milliseconds[kind]);
  return {
    bench: 'load',
    figures: [
      figure(`${FIRMS} firms, every call: p95, ms`, percentile(times, 0.95), '<= 50'),
      figure(`${FIRMS} firms, every call: p99, ms`, percentile(times, 0.99), '<= 120'),
      figure(
        'errors',
        few.calls.errors.length + all.calls.errors.length + (many?.calls.errors.length ?? 0),
        '<= 0',
      ),
      figure('stream events lost', few.sockets.lost + all.sockets.lost + (many?.sockets.lost ?? 0), '<= 0'),
      ...ratio(`processor time per call, ${FIRMS} firms relative to ${FEW_FIRMS}`, all, few, '<= 1.1'),
      ...(many
        ? ratio(`processor time per call, ${tickets} tickets relative to ${TICKETS}`, many, all, '<= 1.2')
        : []),
      ...Object.entries(measured.perCall ?? {}).map(([part, ms]) =>
        figure(`${part}: processor time per call, ms`, ms),
      ),
      figure('gateway: memory, MB', measured.megabytes.gateway),
      figure('worker: memory, MB', measured.megabytes.worker),
      figure('calls per second', times.length / measured.calls.seconds),
      figure('sockets', measured.sockets.sockets),
      ...kinds.map((kind) => figure(`${kind}: p95, ms`, percentile(measured.calls.milliseconds[kind], 0.95))),
    ],
    raw: { few: summaryOf(few), all: summaryOf(all), many: many && summaryOf(many) },
  };
}

function ratio(name: string, over: Run, under: Run, goal: string): Figure[] {
  if (!over.perCall || !under.perCall) return [];
  return [figure(name, total(over.perCall) / total(under.perCall), goal)];
}

const total = (parts: Record<OurPart, number>) => Object.values(parts).reduce((sum, ms) => sum + ms, 0);

function summaryOf({ calls, sockets, perCall, megabytes }: Run) {
  const of = (kind: Kind) => {
    const times = calls.milliseconds[kind];
    return {
      count: times.length,
      p50: percentile(times, 0.5),
      p95: percentile(times, 0.95),
      p99: percentile(times, 0.99),
    };
  };
  return {
    milliseconds: Object.fromEntries(kinds.map((kind) => [kind, of(kind)])),
    errors: calls.errors.slice(0, 20),
    sockets,
    processor_ms_per_call: perCall,
    megabytes,
  };
}

/** Runs the load of the first firms of a database. */
async function runFirms(tickets: number, count: number): Promise<Run> {
  await using database = await openLoadDatabase(FIRMS, tickets);
  await using model = await startFakeOpenAiServer();
  model.behave(() => ({ kind: 'reply', words: WORDS, pauseMs: 25 }));
  const env = {
    DATABASE_URL: database.url,
    DEMO: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    ASSISTANT_BASE_URL: model.baseUrl,
    ASSISTANT_MODEL: 'stand-in',
  };
  const gateway = startGateway(env, ['--role', 'gateway']);
  const worker = startGateway(env, ['--role', 'worker']);
  const children: ChildProcess[] = [];
  try {
    const [url] = await Promise.all([gateway.listening, worker.listening]);
    const firms = database.firms.slice(0, count);
    const start = async (file: string, parameters: SocketParameters | CallParameters) => {
      const child = fork(new URL(file, import.meta.url), { stdio: 'inherit' });
      children.push(child);
      child.send(parameters);
      await answerOf(child);
      return child;
    };
    const sockets = await start('load.sockets.ts', { url, firms });
    const callers = await start('load.calls.ts', { url, firms });
    say(`${count} firms, ${tickets} tickets in all`);
    await callFor(callers, WARM_UP_SECONDS);
    const before = new Date();
    const stopMeasuring = await measureParts(database.services);
    const calls = await callFor(callers, SECONDS);
    const parts = await stopMeasuring();
    const megabytes = { gateway: await memoryOf(gateway.child), worker: await memoryOf(worker.child) };
    sockets.send(await expectedOf(database, firms, before));
    const received = (await answerOf(sockets)) as SocketResult;
    for (const line of [...calls.errors, ...received.examples].slice(0, 10)) say(line);
    const made = kinds.reduce((sum, kind) => sum + calls.milliseconds[kind].length, 0);
    const perCall = (part: OurPart) => (parts![part] * calls.seconds * 1_000) / made;
    return {
      calls,
      sockets: received,
      perCall: parts && {
        gateways: perCall('gateways'),
        workers: perCall('workers'),
        PostgreSQL: perCall('PostgreSQL'),
      },
      megabytes,
    };
  } finally {
    for (const child of children) child.kill();
    await Promise.all([stop(gateway), stop(worker)]);
  }
}

async function callFor(callers: ChildProcess, seconds: number): Promise<CallResult> {
  callers.send({ seconds } satisfies CallCommand);
  return (await answerOf(callers)) as CallResult;
}

/** Returns the next message of a process; throws if it ends instead. */
async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const exit = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`${child.spawnargs.at(-1)} ended with ${code}.`);
  });
  try {
    const [message] = (await Promise.race([once(child, 'message'), exit])) as [unknown];
    return message;
  } finally {
    ended.abort();
    exit.catch(() => {});
  }
}

async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_000;
}

/** Waits until all replies are written. Returns the tickets that changed since a time, as they are now, and the replies to commands. */
async function expectedOf({ services }: LoadDatabase, firms: LoadedFirm[], since: Date): Promise<Expected> {
  const { pool } = services;
  await untilRepliesEnd(services);
  const { rows: tickets } = await pool.query<{
    firm: number;
    id: string;
    at: Date | string;
    status: string;
    unread: number;
  }>(
    `select workspace_id as firm, id, last_message_at as at, status, unread from tickets
     where workspace_id = any($1) and last_message_at >= $2`,
    [firms.map(({ id }) => id), since],
  );
  const { rows: replies } = await pool.query<{ firm: number; id: string; text: string }>(
    `select workspace_id as firm, id, body as text from ticket_messages
     where workspace_id = any($1) and ticket_id = any($3) and from_kind = 'ai' and created_at >= $2`,
    [firms.map(({ id }) => id), since, firms.map(({ commandTicket }) => commandTicket)],
  );
  return {
    firms: firms.map(({ id }) => ({
      id,
      tickets: tickets
        .filter(({ firm }) => firm === id)
        .map((row) => ({
          id: row.id,
          lastMessageAt: new Date(row.at).toISOString(),
          status: row.status,
          unread: row.unread,
        })),
    })),
    replies,
  };
}

async function untilRepliesEnd({ pool }: Services): Promise<void> {
  for (;;) {
    const { rows } = await pool.query('select from assistant_runs where ended_at is null limit 1');
    if (rows.length === 0) return;
    await setTimeout(POLL_MS);
  }
}

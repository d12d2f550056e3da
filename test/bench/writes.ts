import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServer } from '@firmdesk/postgres';
import { type BenchReport, figure, median, say } from './report.ts';
import { fill, MAX_CONNECTIONS } from './writes/data.ts';
import type { LoadRequest, LoadResult } from './writes.load.ts';

const ROUNDS = 7;
const ROUND_MS = 2_000;
/** Notifications to 500 accounts that are written during a round. */
const NOTIFICATIONS = 90;

/**
 * Measures how many notes commit a second, over 200 firms and with `fsync` on: with one connection, with 32, and with 32 while
 * notifications to 500 accounts are written. If writers of different firms waited for each other, 32 would write no more than one.
 */
export async function run(): Promise<BenchReport> {
  const dataDir = join(tmpdir(), `firmdesk-bench-writes-${process.pid}`);
  await mkdir(dataDir);
  const server = await openServer({ dataDir });
  const child = fork(new URL('writes.load.ts', import.meta.url), {
    env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: server.socketUrl },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    await answerOf(child);
    await fill(server.url);
    const load = async (request: Omit<LoadRequest, 'milliseconds'>) => {
      child.send({ ...request, milliseconds: ROUND_MS } satisfies LoadRequest);
      return (await answerOf(child)) as LoadResult;
    };
    const notes: Record<'one' | 'all' | 'beside', number[]> = { one: [], all: [], beside: [] };
    for (let round = 0; round <= ROUNDS; round++) {
      const one = await load({ connections: 1, notifications: 0 });
      const all = await load({ connections: MAX_CONNECTIONS, notifications: 0 });
      const beside = await load({ connections: MAX_CONNECTIONS, notifications: NOTIFICATIONS });
      // The first round is a warm-up.
      if (round === 0) continue;
      notes.one.push(one.perSecond);
      notes.all.push(all.perSecond);
      notes.beside.push(beside.perSecond);
      say(
        `round ${round} of ${ROUNDS}: ${[one, all, beside].map(({ perSecond }) => perSecond.toFixed(0)).join(', ')} notes a second`,
      );
    }
    return {
      bench: 'writes',
      figures: [
        figure(
          `notes, ${MAX_CONNECTIONS} connections relative to one`,
          median(notes.all) / median(notes.one),
          '>= 3',
        ),
        figure(
          `notes beside ${NOTIFICATIONS} notifications to 500, relative to notes alone`,
          median(notes.beside) / median(notes.all),
          '>= 0.8',
        ),
        figure('notes per second, one connection', median(notes.one)),
        figure(`notes per second, ${MAX_CONNECTIONS} connections`, median(notes.all)),
      ],
      raw: { notes_per_second: notes, round_ms: ROUND_MS },
    };
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await server.release();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Returns the next message of the process; throws if it ends instead, or reports an error. */
async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const exit = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`The load process ended with exit code ${code}.`);
  });
  try {
    const [message] = (await Promise.race([once(child, 'message'), exit])) as [unknown];
    if (message && typeof message === 'object' && 'error' in message) throw new Error(String(message.error));
    return message;
  } finally {
    exit.catch(() => {});
    ended.abort();
  }
}

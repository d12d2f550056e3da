import { fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { openTemporaryServer } from '@firmdesk/postgres';
import { startGateway, stop } from '../started-gateway.ts';
import { CROWDED, iso, WINDOW } from './calendar/data.ts';
import type { FilledCalendars } from './calendar.fill.ts';
import { type BenchReport, figure, median, percentile, say } from './report.ts';

const ROUNDS = 60;
/** Rounds before the measured ones: the engine optimizes code only after many calls. */
const WARM_UP_ROUNDS = 20;

const agent = new http.Agent({ keepAlive: true });

/** Measures a usual window of 31 days, and one with more events than a response can contain, compressed. */
export async function run(): Promise<BenchReport> {
  const database = await openTemporaryServer();
  try {
    say('inserting events');
    const { usual, crowded } = await fill(database.url);
    const gateway = startGateway({ DATABASE_URL: database.url, DEMO: '0', RATE_LIMIT_PER_MINUTE: '0' }, [
      '--role',
      'gateway',
    ]);
    try {
      const url = `${await gateway.listening}/v1/me/calendar/events?from=${iso(WINDOW.from)}`;
      const chunks: Buffer[] = [];
      await read(url, usual, { onChunk: (chunk) => chunks.push(chunk) });
      const { data } = JSON.parse(Buffer.concat(chunks).toString());
      const samples = { usual: [] as number[], crowded: [] as number[] };
      for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
        const times = {
          usual: await timed(() => read(url, usual)),
          crowded: await timed(() => read(url, crowded, { encoding: 'br' })),
        };
        if (round < 0) continue;
        samples.usual.push(times.usual);
        samples.crowded.push(times.crowded);
      }
      return {
        bench: 'calendar',
        figures: [
          figure('a window of 31 days: p95, ms', percentile(samples.usual, 0.95), '<= 15'),
          figure(
            `a window with ${CROWDED} events, compressed: median, ms`,
            median(samples.crowded),
            '<= 150',
          ),
          figure('occurrences in the first', data.length),
        ],
        raw: { milliseconds: samples },
      };
    } finally {
      await stop(gateway);
    }
  } finally {
    agent.destroy();
    await database.release();
  }
}

/** Creates the accounts, in a process that ends: collecting its garbage would take half a processor while the gateway is measured. */
async function fill(databaseUrl: string): Promise<FilledCalendars> {
  const child = fork(new URL('calendar.fill.ts', import.meta.url), {
    env: { DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`calendar.fill.ts ended with ${code}.`);
  });
  const [[filled]] = await Promise.all([once(child, 'message'), exited]);
  return filled as FilledCalendars;
}

/** Passes a response on in pieces. Keeping or parsing it would take time that is not the gateway's. */
async function read(
  url: string,
  token: string,
  {
    encoding = 'identity',
    onChunk = () => {},
  }: { encoding?: string; onChunk?: (chunk: Buffer) => void } = {},
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': encoding };
  const request = http.get(url, { agent, headers });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  for await (const chunk of response) onChunk(chunk);
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`);
}

async function timed(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

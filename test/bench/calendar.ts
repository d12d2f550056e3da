import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { openTemporaryServer } from '@firmdesk/postgres';
import { expand, type Series } from '@firmdesk/recurrence';
import { CALENDARS, CROWDED, FACTOR, iso, SERIES, SINGLES, WINDOW } from './calendar/data.ts';
import type { FilledCalendars } from './calendar.fill.ts';
import { type BenchReport, figure, median, say } from './report.ts';

const ROUNDS = 25;
/** Rounds before the measured ones: the engine optimizes code only after many calls. */
const WARM_UP_ROUNDS = 20;

const agent = new http.Agent({ keepAlive: true });

/**
 * Compares the window of an account with many calendars to the necessary work (expanding the same series and serializing the same
 * response), and to the same window of an account with ten times as many events, of which the rest is outside the window. Measures a
 * window with more events than a response can contain, compressed.
 */
export async function run(): Promise<BenchReport> {
  const database = await openTemporaryServer();
  const children: ChildProcess[] = [];
  try {
    say('inserting events');
    const { usual, full, crowded } = await fill(database.url);
    const gateway = fork(new URL('rivals/firmdesk.ts', import.meta.url), {
      env: { DATABASE_URL: database.url },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    children.push(gateway);
    const [{ url }] = (await once(gateway, 'message')) as [{ url: string }];
    const ask = (token: string, options?: Parameters<typeof read>[2]) =>
      read(`${url}/v1/me/calendar/events?from=${iso(WINDOW.from)}`, token, options);
    const chunks: Buffer[] = [];
    await ask(usual.token, { onChunk: (chunk) => chunks.push(chunk) });
    const response = JSON.parse(Buffer.concat(chunks).toString());
    const samples = {
      usual: [] as number[],
      full: [] as number[],
      crowded: [] as number[],
      necessary: [] as number[],
    };
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      const times = {
        usual: await timed(() => ask(usual.token)),
        full: await timed(() => ask(full.token)),
        crowded: await timed(() => ask(crowded, { encoding: 'br' })),
        necessary: await timed(() => necessaryWork(usual.series, response)),
      };
      if (round < 0) continue;
      for (const name of ['usual', 'full', 'crowded', 'necessary'] as const) samples[name].push(times[name]);
    }
    return {
      bench: 'calendar',
      figures: [
        figure(
          'a window, relative to expanding and serializing alone',
          median(samples.usual) / median(samples.necessary),
          '<= 2',
        ),
        figure(
          `a window with ${FACTOR} times as many events outside it, relative to one without`,
          median(samples.full) / median(samples.usual),
          '<= 1.3',
        ),
        figure(`a window with ${CROWDED} events, compressed, ms`, median(samples.crowded), '<= 100'),
        figure('occurrences in the window', response.data.length),
        figure('a window, ms', median(samples.usual)),
      ],
      raw: { milliseconds: samples, calendars: CALENDARS, series: SERIES, single_events: SINGLES },
    };
  } finally {
    for (const child of children) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
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

/** Does the necessary work of a response: expands the series and serializes the response. */
function necessaryWork(series: readonly Series[], response: unknown): number {
  let found = 0;
  for (const one of series) found += expand(one, WINDOW).occurrences.length;
  return found + JSON.stringify(response).length;
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

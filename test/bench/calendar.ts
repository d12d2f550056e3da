import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { closeServices, createServices, migrate, type Services, withSetupLock } from '@firmdesk/domain';
import {
  createCalendar,
  createEvents,
  createToken,
  createUser,
  createWorkspace,
} from '@firmdesk/domain/testing';
import { openTemporaryServer } from '@firmdesk/postgres';
import { expand, type Series } from '@firmdesk/recurrence';
import { type BenchReport, figure, median, say } from './report.ts';

const CALENDARS = 40;
const SERIES = 2_000;
const SINGLES = 20_000;
/** The second account has this many times as many events; the additional ones are outside the window. */
const FACTOR = 10;
/** The third account has one calendar with this many single events in the window. */
const CROWDED = 20_000;
const ROUNDS = 25;
/** Rounds before the measured ones: the engine optimizes code only after many calls. */
const WARM_UP_ROUNDS = 20;
const WINDOW = { from: Date.parse('2026-11-02T00:00:00Z'), until: Date.parse('2026-12-03T00:00:00Z') };
const DAY = 86_400_000;
const YEAR = 365 * DAY;

const agent = new http.Agent({ keepAlive: true });

type Event = Parameters<typeof createEvents>[1][number];

/**
 * Compares the window of an account with many calendars to the necessary work (expanding the same series and serializing the same
 * response), and to the same window of an account with ten times as many events, of which the rest is outside the window. Measures a
 * window with more events than a response can contain, compressed.
 */
export async function run(): Promise<BenchReport> {
  const database = await openTemporaryServer();
  const children: ChildProcess[] = [];
  try {
    const services = await createServices({ databaseUrl: database.url, lanes: { main: 2 } });
    await withSetupLock(database.url, () => migrate(services));
    say('inserting events');
    const usual = await createAccount(services, false);
    const full = await createAccount(services, true);
    const crowded = await createCrowdedAccount(services);
    await vacuum(services);
    await closeServices(services);
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

/**
 * Vacuums as autovacuum does. On a server that commits asynchronously, as that of the tests does, a vacuum leaves out what was committed
 * just before, and each of its own commits counts as just before.
 */
async function vacuum({ pool }: Services): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set synchronous_commit = on');
    await client.query('vacuum analyze');
  } finally {
    client.release(true);
  }
}

async function createAccount(
  services: Services,
  isFull: boolean,
): Promise<{ token: string; series: Series[] }> {
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const colleague = await createUser(services, { firm });
  const calendars: number[] = [];
  for (let i = 0; i < CALENDARS; i++) {
    const isOwn = i % 2 === 0;
    calendars.push(
      await createCalendar(services, {
        firm,
        owner: isOwn ? user : colleague,
        shares: isOwn ? [] : [{ user, level: i % 4 === 1 ? 'read' : 'write' }],
      }),
    );
  }
  const events = eventsOf(calendars);
  const insert = async (some: Event[]) => {
    for (let from = 0; from < some.length; from += 10_000)
      await createEvents(services, some.slice(from, from + 10_000));
  };
  await insert(events);
  for (let i = 1; isFull && i < FACTOR; i++) await insert(yearsEarlier(events, i));
  const { text } = await createToken(services, { user, workspace: firm.slug, scopes: ['calendar:read'] });
  return {
    token: text,
    series: events
      .filter(({ recurrence_rule }) => recurrence_rule)
      .map(({ starts_at, ends_at, timezone, recurrence_rule }) => ({
        start: starts_at!,
        end: ends_at!,
        zone: timezone!,
        rule: recurrence_rule!,
      })),
  };
}

async function createCrowdedAccount(services: Services): Promise<string> {
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const calendar_id = await createCalendar(services, { firm, owner: user, shares: [] });
  const events = Array.from({ length: CROWDED }, (_, i) => {
    const start = WINDOW.from + ((i * 7_919) % 31) * DAY + (8 + (i % 10)) * 3_600_000;
    return {
      ...eventAt(start, i),
      calendar_id,
      timezone: ZONES[i % ZONES.length]!,
      reminders: i % 4 === 0 ? [{ user_id: user.id, minutes_before: 10, channel: 'push' as const }] : [],
    };
  });
  for (let from = 0; from < CROWDED; from += 10_000)
    await createEvents(services, events.slice(from, from + 10_000));
  const { text } = await createToken(services, { user, workspace: firm.slug, scopes: ['calendar:read'] });
  return text;
}

const RULES = [
  ...Array<string>(14).fill('FREQ=WEEKLY'),
  ...Array<string>(3).fill('FREQ=MONTHLY;BYDAY=2TU'),
  ...Array<string>(2).fill('FREQ=MONTHLY;BYMONTHDAY=-1'),
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
];
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'UTC'];

/** Returns series that began in the ten years before the window, and single events in the five years around it. */
function eventsOf(calendars: readonly number[]): Event[] {
  const events: Event[] = [];
  for (let i = 0; i < SERIES + SINGLES; i++) {
    const isSeries = i < SERIES;
    const day = isSeries
      ? WINDOW.from - Math.floor(((i * 7_919) % SERIES) * ((10 * YEAR) / SERIES))
      : WINDOW.from - 2.5 * YEAR + Math.floor(((i * 7_919) % SINGLES) * ((5 * YEAR) / SINGLES));
    const start = Math.floor(day / DAY) * DAY + (8 + (i % 10)) * 3_600_000;
    events.push({
      ...eventAt(start, i),
      calendar_id: calendars[i % CALENDARS]!,
      timezone: ZONES[i % ZONES.length]!,
      recurrence_rule: isSeries ? RULES[i % RULES.length]! : null,
    });
  }
  return events;
}

function eventAt(start: number, i: number) {
  return {
    title: `Event ${i}`,
    description: 'The agenda of the meeting, and the notes of the last one.',
    location: `Room ${i % 12}`,
    starts_at: iso(start).slice(0, 19),
    ends_at: iso(start + 45 * 60_000).slice(0, 19),
    organizer: { name: 'Robin Example', email: 'robin@example.com' },
    attendees:
      i % 3 === 0 ? [{ name: 'Sam Example', email: 'sam@example.com', response: 'accepted' as const }] : [],
  };
}

/** Returns the same number of events, years before the window. The series end there. */
function yearsEarlier(events: readonly Event[], years: number): Event[] {
  return events.map((event) => {
    const shift = (20 + years) * YEAR;
    const earlier = (text: string) => iso(Date.parse(`${text}Z`) - shift).slice(0, 19);
    return {
      ...event,
      starts_at: earlier(event.starts_at!),
      ends_at: earlier(event.ends_at!),
      recurrence_rule: event.recurrence_rule ? `${event.recurrence_rule};COUNT=50` : null,
    };
  });
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

function iso(instant: number): string {
  return new Date(instant).toISOString();
}

import {
  closeServices,
  createServices,
  migrate,
  rebuildReports,
  type Services,
  withSetupLock,
} from '@firmdesk/domain';
import { openTemporaryServer } from '@firmdesk/postgres';
import { createTag, createTeam, createToken, createUser, createWorkspace } from '@firmdesk/testing';
import pg from 'pg';
import { fillTickets } from '../../packages/domain/src/reports/testing/fill-tickets.ts';
import { startGateway, stop } from '../started-gateway.ts';
import { measureParts } from './processor-time.ts';
import { type BenchReport, figure, median, percentile, say } from './report.ts';

const TICKETS = 200_000;
const DAYS = 365;
const ROUNDS = 100;
const WARM_UP_ROUNDS = 20;
const DAY_MS = 86_400_000;

/** Measures how a report of a year opens in a firm with 200,000 tickets of that year, and how long it takes to count them all. */
export async function run({ size }: { size?: string }): Promise<BenchReport> {
  const tickets = size === undefined ? TICKETS : Number(size);
  const database = await openTemporaryServer();
  const services = await createServices({ databaseUrl: database.url, poolSizes: { main: 4 } });
  try {
    await withSetupLock(database.url, () => migrate(services));
    say('inserting tickets');
    const token = await fill(services, database.url, tickets);
    say('counting');
    const began = performance.now();
    await rebuildReports(services, {});
    const counting = (performance.now() - began) / 1_000;
    const variables = { DATABASE_URL: database.url, DEMO: '0', RATE_LIMIT_PER_MINUTE: '0' };
    const gateway = startGateway(variables, ['--role', 'gateway']);
    try {
      const url = `${await gateway.listening}/trpc/reports.get`;
      const headers = { authorization: `Bearer ${token}` };
      const day = (before: number) => new Date(Date.now() - before * DAY_MS).toISOString().slice(0, 10);
      const read = async (days: number) => {
        const input = JSON.stringify({ json: { from: day(days - 1), until: day(0) } });
        const response = await fetch(`${url}?input=${encodeURIComponent(input)}`, { headers });
        const text = await response.text();
        if (!response.ok) throw new Error(text);
      };
      const timed = async (days: number) => {
        const start = performance.now();
        await read(days);
        return performance.now() - start;
      };
      for (let round = 0; round < WARM_UP_ROUNDS; round++) await read(DAYS);
      const times = { year: [] as number[], month: [] as number[] };
      const endMeasuring = await measureParts(services);
      const start = performance.now();
      for (let round = 0; round < ROUNDS; round++) times.year.push(await timed(DAYS));
      const each = (performance.now() - start) / ROUNDS;
      const cores = await endMeasuring();
      for (let round = 0; round < ROUNDS; round++) times.month.push(await timed(30));
      return {
        bench: 'reports',
        figures: [
          figure(`a year of ${tickets} tickets: p95, ms`, percentile(times.year, 0.95), '<= 300'),
          figure('a year: median, ms', median(times.year)),
          figure('30 days: median, ms', median(times.month)),
          ...(cores
            ? [
                figure('a year: processor time of the gateway, ms', cores.gateways * each),
                figure('a year: processor time of PostgreSQL, ms', cores.PostgreSQL * each),
              ]
            : []),
          figure('counting all days, s', counting),
        ],
        raw: { milliseconds: times },
      };
    } finally {
      await stop(gateway);
    }
  } finally {
    await closeServices(services);
    await database.release();
  }
}

/** Creates the firm. Returns the token of an agent who sees its reports. */
async function fill(services: Services, databaseUrl: string, count: number): Promise<string> {
  const firm = await createWorkspace(services);
  const several = <T>(length: number, create: () => Promise<T>) =>
    Array.from({ length }).reduce<Promise<T[]>>(
      async (before) => [...(await before), await create()],
      Promise.resolve([]),
    );
  const agents = await several(30, () =>
    createUser(services, { firm, permissions: ['view_tickets', 'manage_tickets', 'view_reports'] }),
  );
  const traders = await several(300, () => createUser(services, { firm, role: 'trader' }));
  // Without the limit of time of the service's statements.
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  await fillTickets(
    pool,
    {
      workspaceId: firm.id,
      traders: traders.map(({ id }) => id),
      agents: agents.map(({ id }) => id),
      teams: await several(8, () => createTeam(services, { firm })),
      tags: await several(12, () => createTag(services, { firm })),
      macros: Array.from({ length: 40 }, (_, i) => `mac_${i}`),
      articles: Array.from({ length: 40 }, (_, i) => `art_${i}`),
    },
    { count, days: DAYS, until: new Date(), seed: 1 },
  );
  await pool.query('set synchronous_commit = on');
  await pool.query('vacuum analyze');
  await pool.end();
  return (await createToken(services, { user: agents[0]!, workspace: firm.slug })).text;
}

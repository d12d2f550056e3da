import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeServices, createServices, migrate, type Services, withSetupLock } from '@firmdesk/domain';
import {
  createTag,
  createTeam,
  createTicket,
  createToken,
  createUser,
  createWorkspace,
} from '@firmdesk/domain/testing';
import { openTemporaryServer } from '@firmdesk/postgres';
import autocannon from 'autocannon';
import { type BenchReport, figure, median, say } from './report.ts';

const ROUNDS = 7;
const ROUND_SECONDS = 4;
const CONNECTIONS = 50;
const TICKETS = 500;

/**
 * Compares an authenticated ping with a hand-written Express route that makes the same token check, and with a bare route; and the list of
 * tickets with a hand-written route without a framework, which checks the token and reads the page by one prepared statement each.
 */
export async function run(): Promise<BenchReport> {
  const database = await openTemporaryServer();
  const children: ChildProcess[] = [];
  try {
    const services = await createServices({ databaseUrl: database.url, lanes: { main: 2 } });
    await withSetupLock(database.url, () => migrate(services));
    const firm = await createWorkspace(services);
    const user = await createUser(services, { firm, permissions: ['view_tickets'] });
    const { text: token } = await createToken(services, { user, workspace: firm.slug });
    await createTickets(services, firm);
    await closeServices(services);

    const start = async (file: string, env: Record<string, string>) => {
      const child = fork(new URL(file, import.meta.url), {
        env: { ...env, DATABASE_URL: database.url },
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      children.push(child);
      const [message] = (await once(child, 'message')) as [{ url: string }];
      return message.url;
    };
    const ours = await start('rivals/firmdesk.ts', {});
    const rival = await start('rivals/express-ping.ts', { NODE_ENV: 'production' });
    const tickets = await start('rivals/node-tickets.ts', { NODE_ENV: 'production' });
    const targets = {
      ours: `${ours}/v1/ping`,
      bare: `${rival}/bare`,
      hand: `${rival}/v1/ping`,
      list: `${ours}/v1/admin/tickets`,
      listByHand: `${tickets}/v1/admin/tickets`,
    };
    await checkSamePage(targets.list, targets.listByHand, token);
    const samples: Record<keyof typeof targets, number[]> = {
      ours: [],
      bare: [],
      hand: [],
      list: [],
      listByHand: [],
    };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const name of Object.keys(targets) as (keyof typeof targets)[]) {
        const perSecond = await load(targets[name], token);
        // The first round is a warm-up.
        if (round > 0) samples[name].push(perSecond);
      }
      say(
        `round ${round} of ${ROUNDS}: ours ${samples.ours.at(-1) ?? '-'}, hand-written ${samples.hand.at(-1) ?? '-'}, bare ${samples.bare.at(-1) ?? '-'}; list ${samples.list.at(-1) ?? '-'}, hand-written ${samples.listByHand.at(-1) ?? '-'} requests/s`,
      );
    }
    const ratio = (rival: 'hand' | 'bare') => median(samples.ours) / median(samples[rival]);
    return {
      bench: 'rest',
      figures: [
        figure('ping, relative to a hand-written Express route with the same check', ratio('hand'), '>= 1.1'),
        figure('ping, relative to a bare Express route', ratio('bare')),
        figure('ping, requests per second', median(samples.ours)),
        figure(
          'list of tickets, relative to a hand-written node:http route',
          median(samples.list.map((rate, round) => rate / samples.listByHand[round]!)),
          '>= 0.9',
        ),
        figure('list of tickets, requests per second', median(samples.list)),
      ],
      raw: { requests_per_second: samples, connections: CONNECTIONS, round_seconds: ROUND_SECONDS },
    };
  } finally {
    for (const child of children) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await database.release();
  }
}

/** Creates tickets with what a page joins: several traders, agents, a team and tags. */
async function createTickets(services: Services, firm: Awaited<ReturnType<typeof createWorkspace>>) {
  const traders = [];
  for (let n = 0; n < 20; n++) traders.push(await createUser(services, { firm, role: 'trader' }));
  const agent = await createUser(services, { firm });
  const team = await createTeam(services, { firm });
  const tag = await createTag(services, { firm });
  for (let n = 0; n < TICKETS; n++) {
    await createTicket(services, {
      firm,
      trader: traders[n % traders.length]!,
      subject: `Payout ${n} has not arrived`,
      ...(n % 3 === 0 && { assignee: agent }),
      ...(n % 3 === 1 && { team }),
      ...(n % 2 === 0 && { tags: [tag] }),
    });
  }
  await services.pool.query('analyze');
}

/** Throws if the routes do not answer the same page. */
async function checkSamePage(ours: string, byHand: string, token: string): Promise<void> {
  const [first, second] = await Promise.all(
    [ours, byHand].map(async (url) => {
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      const { data } = (await response.json()) as { data: unknown };
      return JSON.stringify([response.status, data]);
    }),
  );
  if (first !== second) throw new Error(`The pages differ:\n${first}\n${second}`);
}

async function load(url: string, token: string): Promise<number> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
    headers: { authorization: `Bearer ${token}` },
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} non-2xx answers and ${result.errors} errors under load`);
  }
  return result.requests.average;
}

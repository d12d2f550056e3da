import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Services } from '@firmdesk/domain';
import {
  createMailbox,
  createTicket,
  createToken,
  createUser,
  createWorkspace,
} from '@firmdesk/domain/testing';
import { Client, Tally } from '../faults/client.ts';
import { leaveOnSignals, openStage } from '../faults/stage.ts';
import { measureParts } from './processor-time.ts';
import { type BenchReport, figure, say } from './report.ts';
import type { ExpectedReply, LoadParameters, LoadResult } from './restart.load.ts';

const SOCKETS = 2_000;
const CALLS_PER_SECOND = 1_000;
const TICKETS = 100;
/** The number of replies in progress at any time. */
const REPLIES_AT_ONCE = 5;

/**
 * Restarts two gateways and two workers one after another, while 1,000 calls a second arrive and 2,000 sockets follow the
 * assistant's replies. A call that had to be sent again counts as failed. The text of each viewer is compared with the stored
 * one. All parts share the machine, so the report says how many cores each uses: on two, the clients are the largest.
 */
export async function run(): Promise<BenchReport> {
  await using stage = await openStage({ gateways: 2, workers: 2, isProxied: false });
  leaveOnSignals(stage);
  const { services, gateways, workers } = stage;
  const firm = await createWorkspace(services);
  const agent = await createUser(services, { firm, permissions: ['view_tickets', 'manage_tickets'] });
  const trader = await createUser(services, { firm, role: 'trader' });
  const mailbox = await createMailbox(services, { firm, writes: [agent] });
  const { text: token } = await createToken(services, { user: agent, workspace: firm.slug });
  const tickets: string[] = [];
  for (let n = 0; n < TICKETS; n++) {
    tickets.push(await createTicket(services, { firm, trader, status: 'awaiting_admin' }));
  }
  const urls = gateways.map(({ url }) => url);

  using load = fork(new URL('restart.load.ts', import.meta.url), { stdio: 'inherit' });
  load.send({
    urls,
    token,
    tickets,
    mailbox: mailbox.id,
    sockets: SOCKETS,
    callsPerSecond: CALLS_PER_SECOND,
  } satisfies LoadParameters);
  await once(load, 'message');
  say(`${SOCKETS} sockets follow ${TICKETS} tickets; ${CALLS_PER_SECOND} calls per second`);

  const asking = ask(urls, token, tickets);
  const stopMeasuring = await measureParts(services);
  const began = performance.now();
  for (const node of [...gateways, ...workers]) {
    const code = await node.end('SIGTERM');
    if (code !== 0) throw new Error(`A ${node.role} exited with code ${code}.`);
    await node.ready();
    say(`restarted a ${node.role}`);
  }
  const seconds = (performance.now() - began) / 1_000;
  const parts = await stopMeasuring();
  await asking.stop();

  const stored = await repliesOf(services);
  load.send([...stored].map(([id, { ticket }]) => ({ id, ticket })) satisfies ExpectedReply[]);
  const [loaded] = (await once(load, 'message')) as [LoadResult];
  const sentAgain = Object.values(loaded.sentAgain).reduce((sum, count) => sum + count, 0);
  const wrong = loaded.seen.filter(([id, text]) => stored.get(id)?.text !== text).length;
  return {
    bench: 'restart',
    figures: [
      figure('calls per second', loaded.calls / loaded.seconds, `>= ${0.95 * CALLS_PER_SECOND}`),
      figure('calls that had to be sent again', sentAgain, '<= 0'),
      figure('calls with an unexpected response', loaded.wrong.length, '<= 0'),
      figure(
        'complete replies, over all viewers',
        loaded.seen.length,
        `>= ${stored.size * (SOCKETS / TICKETS)}`,
      ),
      figure(
        'replies with missing or duplicate text, over all viewers',
        wrong + loaded.faults.length,
        '<= 0',
      ),
      figure('longest answer, s', loaded.longestMs / 1_000),
      ...Object.entries(parts ?? {}).map(([part, cores]) => figure(`${part}: cores in use`, cores)),
      figure('replies', stored.size),
    ],
    raw: {
      restart_seconds: seconds,
      sent_again: loaded.sentAgain,
      wrong: loaded.wrong.slice(0, 20),
      faults: loaded.faults.slice(0, 20),
    },
  };
}

/** Sends commands to the assistant on one ticket after another. */
function ask(urls: readonly string[], token: string, tickets: readonly string[]) {
  const tally = new Tally();
  let isOver = false;
  let next = 0;
  const asking = Array.from({ length: REPLIES_AT_ONCE }, async (_, n) => {
    const client = new Client(urls, n, () => tally);
    while (!isOver) {
      const ticket = tickets[next++ % tickets.length];
      await client.call({
        target: `POST /v1/admin/tickets/${ticket}/ai`,
        token,
        body: { instruction: 'Say hello.' },
      });
      await setTimeout(1_000);
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(asking);
      if (tally.wrong.length > 0) throw new Error(tally.wrong.join('\n'));
    },
  };
}

/** Waits until all replies are written, and returns them. */
async function repliesOf({ pool }: Services): Promise<Map<string, { ticket: string; text: string }>> {
  const pending = async () =>
    (await pool.query('select from assistant_runs where ended_at is null limit 1')).rows.length;
  while (await pending()) await setTimeout(200);
  const { rows } = await pool.query<{ id: string; ticket: string; text: string }>(
    `select id, ticket_id as ticket, body as text from ticket_messages where from_kind = 'ai'`,
  );
  return new Map(rows.map(({ id, ...reply }) => [id, reply]));
}

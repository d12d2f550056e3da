import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { Services } from '@firmdesk/domain';
import { createMailbox, createTicket, createToken, createUser, createWorkspace } from '@firmdesk/testing';
import { Client, Tally } from '../faults/client.ts';
import { leaveOnSignals, openStage } from '../faults/stage.ts';
import { measureParts } from './processor-time.ts';
import { type BenchReport, figure, say } from './report.ts';
import type { CallParameters, CallResult } from './restart.calls.ts';
import { BEHIND_PROXY, openFront } from './restart.proxy.ts';
import type { ExpectedReply, ViewerParameters, ViewerResult } from './restart.viewers.ts';

const SOCKETS = 2_000;
const CALLS_PER_SECOND = 1_000;
const TICKETS = 100;
/** The number of replies in progress at any time. */
const REPLIES_AT_ONCE = 5;

/**
 * Restarts two gateways and two workers one after another, while 1,000 calls a second arrive and 2,000 sockets follow the
 * assistant's replies. A call that had to be sent again counts as failed. The text of each viewer is compared with the stored
 * one. All parts share the machine, so the report says what each spends per call, the restarts and the replies included, and how
 * many calls that allows when all cores are in use.
 * @param options `proxy` puts HAProxy in front: `reuse` uses connections again, `close` closes them after each call
 */
export async function run({ proxy }: { proxy?: string | undefined } = {}): Promise<BenchReport> {
  await using stage = await openStage({
    gateways: 2,
    workers: 2,
    isProxied: false,
    ...(proxy && { env: BEHIND_PROXY }),
  });
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
  await using front = await openFront(gateways, proxy);
  const { urls } = front;

  using viewers = fork(new URL('restart.viewers.ts', import.meta.url), { stdio: 'inherit' });
  viewers.send({ urls, token, tickets, sockets: SOCKETS } satisfies ViewerParameters);
  await once(viewers, 'message');
  using callers = fork(new URL('restart.calls.ts', import.meta.url), { stdio: 'inherit' });
  callers.send({
    urls,
    token,
    mailbox: mailbox.id,
    callsPerSecond: CALLS_PER_SECOND,
  } satisfies CallParameters);
  await once(callers, 'message');
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

  callers.send('stop');
  const [called] = (await once(callers, 'message')) as [CallResult];
  const stored = await repliesOf(services);
  viewers.send([...stored].map(([id, { ticket }]) => ({ id, ticket })) satisfies ExpectedReply[]);
  const [received] = (await once(viewers, 'message')) as [ViewerResult];
  const sentAgain = Object.values(called.sentAgain).reduce((sum, count) => sum + count, 0);
  const wrong = received.seen.filter(([id, text]) => stored.get(id)?.text !== text).length;
  const perSecond = called.calls / called.seconds;
  return {
    bench: 'restart',
    figures: [
      // Behind the proxy, which uses the same cores, only the calls and the replies have goals.
      figure('calls per second', perSecond, proxy ? null : `>= ${0.95 * CALLS_PER_SECOND}`),
      figure('calls that had to be sent again', sentAgain, '<= 0'),
      figure('calls with an unexpected response', called.wrong.length, '<= 0'),
      figure(
        'complete replies, over all viewers',
        received.seen.length,
        `>= ${stored.size * (SOCKETS / TICKETS)}`,
      ),
      figure(
        'replies with missing or duplicate text, over all viewers',
        wrong + received.faults.length,
        '<= 0',
      ),
      figure('longest answer, s', called.longestMs / 1_000),
      ...Object.entries(parts ?? {}).map(([part, cores]) =>
        figure(`${part}: processor time per call, ms`, (cores * 1_000) / perSecond),
      ),
      ...(parts
        ? [figure('calls per second when all cores are in use', (cpus().length * perSecond) / total(parts))]
        : []),
      figure('replies', stored.size),
    ],
    raw: {
      restart_seconds: seconds,
      cores_in_use: parts,
      sent_again: called.sentAgain,
      wrong: called.wrong.slice(0, 20),
      faults: received.faults.slice(0, 20),
    },
  };
}

const total = (parts: Record<string, number>) => Object.values(parts).reduce((sum, cores) => sum + cores, 0);

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

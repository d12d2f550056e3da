import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeServices,
  createServices,
  migrate,
  receiveMail,
  type Services,
  withSetupLock,
  withTransaction,
} from '@firmdesk/domain';
import { openTemporaryServer } from '@firmdesk/postgres';
import { createMailbox, createUser, createWorkspace } from '@firmdesk/testing';
import { parseMail } from '../../packages/domain/src/mail/parsing/parse-mail.ts';
import { sendMailJob } from '../../packages/domain/src/mail/sending/send-job.ts';
import { sendMessage } from '../../packages/domain/src/mail/sending/send-message.ts';
import { findFirmServers } from '../../packages/domain/src/platform/distribution/citus-servers.ts';
import { moveRequestedJobs } from '../../packages/domain/src/platform/jobs/job-forwarder.ts';
import { delay } from '../../packages/domain/src/platform/process/delay.ts';
import type { AccountContext } from '../../packages/domain/src/procedures/call-context.ts';
import type { SendRequest } from './mail.bare.ts';
import { measureList } from './mail.list.ts';
import { receivedMessage, sentMessage } from './mail.messages.ts';
import { fillMailboxes, measureSearches, searchesOf } from './mail.search.ts';
import { type BenchReport, figure, median, percentile, say } from './report.ts';

const MESSAGES = 1_000_000;
const ROUNDS = 3;
/** Fewer than an account may send on a day. */
const SENT = 400;
const DELIVERED = 400;
/** As many as the LMTP listener delivers at once. */
const CONCURRENT = 4;
const MAIN = new URL('../../apps/gateway/src/main.ts', import.meta.url).pathname;

/**
 * Measures how fast a worker sends, next to a pool of nodemailer; how fast mail is delivered, next to the parser; the search of a firm's
 * mail with 1,000,000 messages, or another number; and the list of another firm's mailbox beside them.
 */
export async function run({ messages: size }: { messages?: string }): Promise<BenchReport> {
  const messages = size === undefined ? MESSAGES : Number(size);
  if (!Number.isSafeInteger(messages) || messages < 1_000)
    throw new Error('--messages must be an integer of at least 1000.');
  const database = await openTemporaryServer();
  const children: ChildProcess[] = [];
  const services = await createServices({ databaseUrl: database.url, poolSizes: { main: 4 } });
  try {
    await withSetupLock(database.url, () => migrate(services));
    services.firmServers = await findFirmServers(services.pool);
    const firm = await createWorkspace(services);
    const user = await createUser(services, { firm });
    const mailboxes = await Promise.all(
      Array.from({ length: 4 }, () => createMailbox(services, { firm, writes: [user] })),
    );
    const child = (file: string) => {
      const forked = fork(new URL(file, import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      children.push(forked);
      return forked;
    };
    const [{ url }] = (await once(child('mail.server.ts'), 'message')) as [{ url: string }];
    const bare = child('mail.bare.ts');
    await once(bare, 'message');

    const samples = {
      sent: [] as number[],
      bare: [] as number[],
      delivered: [] as number[],
      parsed: [] as number[],
    };
    for (let round = 0; round < ROUNDS; round++) {
      const sender = await createUser(services, { firm });
      const mailbox = await createMailbox(services, { firm, writes: [sender] });
      await requestSending(services, { workspace: firm, user: sender, mailbox: mailbox.id });
      samples.sent.push(await sendByWorker(services, database.url, url));
      samples.bare.push(await sendBare(bare, { url, count: SENT }));
      const first = round * DELIVERED;
      samples.parsed.push(await perSecond((n) => parseMail('1', receivedMessage(first + n))));
      samples.delivered.push(
        await perSecond((n) =>
          deliver(services, receivedMessage(first + n), mailboxes[n % mailboxes.length]!.email),
        ),
      );
      say(`round ${round + 1} of ${ROUNDS}: ${JSON.stringify(samples)}`);
    }
    const filled = await fillMailboxes(services, { firm, mailboxes }, messages);
    const searches = await measureSearches(services, { firm, user, mailboxes }, searchesOf(filled));
    const list = await measureList(services, database.url);
    const all = Object.values(searches).flatMap((queries) => Object.values(queries).flat());
    const shares = (ours: number[], rival: number[]) => median(ours.map((value, i) => value / rival[i]!));
    return {
      bench: 'mail',
      figures: [
        figure(
          'messages sent per second, as a share of a pool of nodemailer',
          shares(samples.sent, samples.bare),
          '>= 0.6',
        ),
        figure('messages sent per second', median(samples.sent)),
        figure(
          'messages delivered per second, as a share of the parser',
          shares(samples.delivered, samples.parsed),
          '>= 0.6',
        ),
        figure('messages delivered per second', median(samples.delivered)),
        figure(`p95 of a search of ${messages} messages (ms)`, percentile(all, 0.95), '<= 100'),
        ...Object.entries(searches).map(([kind, queries]) =>
          figure(`the slowest search, ${kind} (ms)`, Math.max(...Object.values(queries).flat())),
        ),
        figure('processor time of the newest 50 of 20,000 messages (ms)', list, '<= 2'),
      ],
      raw: { per_second: samples, search_ms: searches },
    };
  } finally {
    await closeServices(services);
    for (const each of children) {
      if (each.exitCode !== null || each.signalCode !== null) continue;
      const gone = once(each, 'exit');
      each.kill('SIGTERM');
      await gone;
    }
    await database.release();
  }
}

/** Requests messages to be sent to one recipient each, without a delay. */
async function requestSending(
  services: Services,
  { workspace, user, mailbox }: { workspace: { id: number }; user: { id: string }; mailbox: number },
): Promise<void> {
  for (let n = 0; n < SENT; n++)
    await withTransaction(services, (ctx) =>
      sendMessage(
        { ...ctx, workspace, identity: { user }, call: { ifMatch: null } } as unknown as AccountContext,
        {
          ...sentMessage,
          address_id: mailbox,
          to: [`p${n}@elsewhere.example`],
          cc: [],
          bcc: [],
          attachments: [],
          in_reply_to: null,
        },
      ),
    );
  await moveRequestedJobs(services.firmServers);
  await services.pool.query(
    `select from graphile_worker.reschedule_jobs(array(
       select id from graphile_worker.jobs where task_identifier = $1), run_at => now())`,
    [sendMailJob.name],
  );
}

/** Returns how many messages a second a worker sends, from the first answer of the server to the last. */
async function sendByWorker(services: Services, databaseUrl: string, smtpUrl: string): Promise<number> {
  const started = services.clock.now().toISOString();
  const worker = spawn(process.execPath, [MAIN, '--role', 'worker'], {
    env: {
      DATABASE_URL: databaseUrl,
      PORT: '0',
      DEMO: '0',
      LOG_LEVEL: 'warn',
      SMTP_URL: smtpUrl,
      MAIL_DOMAINS: 'example.com',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    for (;;) {
      const { rows } = await services.pool.query<{ count: number; seconds: number }>(
        `select count(*)::integer as count, extract(epoch from max(answered_at) - min(answered_at))::float8 as seconds
         from outgoing_recipients where answered_at >= $1`,
        [started],
      );
      if (rows[0]!.count === SENT) return (SENT - 1) / rows[0]!.seconds;
      await delay(100);
    }
  } finally {
    worker.kill('SIGTERM');
    await once(worker, 'exit');
  }
}

async function sendBare(bare: ChildProcess, request: SendRequest): Promise<number> {
  bare.send(request);
  const [{ seconds }] = (await once(bare, 'message')) as [{ seconds: number }];
  return request.count / seconds;
}

async function deliver(services: Services, raw: Buffer, recipient: string): Promise<void> {
  const rules = { spamHeader: 'x-spam-flag', trustedHosts: [], dnsServers: null };
  const message = { raw, sender: 'ann@elsewhere.example', recipients: [recipient] };
  const [receipt] = await receiveMail(services, message, rules);
  if (receipt!.status !== 'delivered') throw new Error(`The message is ${receipt!.status}.`);
}

/** Returns how often a second something is done, for each message once, after some that are not measured. */
async function perSecond(work: (n: number) => Promise<unknown>): Promise<number> {
  const warmUp = DELIVERED / 10;
  let next = 0;
  const until = async (last: number) => {
    while (next < last) await work(next++);
  };
  const all = (last: number) => Promise.all(Array.from({ length: CONCURRENT }, () => until(last)));
  await all(warmUp);
  const started = performance.now();
  await all(DELIVERED);
  return ((DELIVERED - warmUp) * 1_000) / (performance.now() - started);
}

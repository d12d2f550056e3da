import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import {
  closeServices,
  createServices,
  deliverMail,
  migrate,
  type Services,
  withSetupLock,
  withTransaction,
} from '@firmdesk/domain';
import { openTemporaryServer } from '@firmdesk/postgres';
import { createMailbox, createMailMessage, createWorkspace } from '@firmdesk/testing';
import { apnsVariables } from '@firmdesk/testing/gateway';
import { enqueue } from '../../packages/domain/src/platform/jobs/jobs.ts';
import { queueMailPushes, sendPushesJob } from '../../packages/domain/src/push/queue-pushes.ts';
import type { SendRequest } from './push.bare.ts';
import { type BenchReport, figure, median, say } from './report.ts';

const READERS = 5_000;
const ROUNDS = 5;
const FAN_OUTS = 3;
/** Long enough to add no relevant load to the database. */
const POLL_MS = 25;

const MAIN = new URL('../../apps/gateway/src/main.ts', import.meta.url).pathname;

/**
 * Sends 5,000 pushes of one message from the outbox through a worker, to a stand-in for APNs that answers after 40 ms, and
 * compares that with a bare sending loop. Both use one connection with 1,000 streams.
 */
export async function run(): Promise<BenchReport> {
  const database = await openTemporaryServer();
  const children: ChildProcess[] = [];
  const services = await createServices({ databaseUrl: database.url, poolSizes: { main: 2 } });
  try {
    await withSetupLock(database.url, () => migrate(services));
    const { firm, mailbox } = await createReaders(services);
    const child = (file: string) => {
      const forked = fork(new URL(file, import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      children.push(forked);
      return forked;
    };
    const [{ url }] = (await once(child('push.standin.ts'), 'message')) as [{ url: string }];
    const bare = child('push.bare.ts');
    await once(bare, 'message');
    children.push(await startWorker(database.url, url));

    const samples = { ours: [] as number[], bare: [] as number[] };
    for (let round = 0; round <= ROUNDS; round++) {
      const ours = READERS / (await sendOurs(services, firm.id, mailbox.id));
      const rival =
        READERS / (await sendBare(bare, { url, count: READERS, payload: await payloadOf(services) }));
      // The first round is a warm-up.
      if (round === 0) continue;
      samples.ours.push(ours);
      samples.bare.push(rival);
      say(`round ${round} of ${ROUNDS}: ours ${Math.round(ours)}/s, bare ${Math.round(rival)}/s`);
    }
    const fanOuts = [];
    for (let n = 0; n < FAN_OUTS; n++) fanOuts.push(await fanOut(services, mailbox.email, n));
    const ratios = samples.ours.map((value, round) => value / samples.bare[round]!);
    return {
      bench: 'push',
      figures: [
        figure('notifications per second, as a share of bare node:http2', median(ratios), '>= 0.7'),
        figure('notifications per second', median(samples.ours)),
        figure('bare node:http2, per second', median(samples.bare)),
        figure('a mail to 5,000 readers: all queued, s', median(fanOuts.map(({ queued }) => queued))),
        figure('a mail to 5,000 readers: all sent, s', median(fanOuts.map(({ sent }) => sent))),
      ],
      raw: { per_second: samples, fan_out_seconds: fanOuts },
    };
  } finally {
    await closeServices(services);
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
    await database.release();
  }
}

/** Creates a firm with a mailbox of many readers, each with a phone. */
async function createReaders(services: Services) {
  const firm = await createWorkspace(services);
  const mailbox = await createMailbox(services, { firm });
  const { pool } = services;
  await pool.query(
    `insert into users (id, email, name, created_at)
     select 'usr_' || lpad(n::text, 26, '0'), n || '@example.com', 'Reader ' || n, now() from generate_series(1, $1) n`,
    [READERS],
  );
  await pool.query(
    `insert into memberships (workspace_id, user_id, role, created_at) select $1, id, 'admin', now() from users`,
    [firm.id],
  );
  await pool.query(
    `insert into mailbox_members (workspace_id, mailbox_id, user_id, can_write)
     select b.workspace_id, b.id, u.id, false from mailboxes b, users u where b.id = $1`,
    [mailbox.id],
  );
  await pool.query(
    `insert into tokens (id, user_id, workspace_id, kind, environment, secret_hash, scopes, created_at)
     select 'key_' || right(id, 26), id, $1, 'device', 'live', sha256(id::bytea), '{mail:read}', now() from users`,
    [firm.id],
  );
  await pool.query(
    `insert into devices (token_id, user_id, workspace_id, app, environment, device_token, created_at, last_seen_at)
     select id, user_id, workspace_id, 'mail', 'production', encode(sha256(id::bytea), 'hex'), now(), now() from tokens`,
  );
  await pool.query('analyze');
  return { firm, mailbox };
}

async function startWorker(databaseUrl: string, apnsUrl: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [MAIN, '--role', 'worker'], {
    env: {
      DATABASE_URL: databaseUrl,
      PORT: '0',
      DEMO: '0',
      LOG_LEVEL: 'warn',
      ...apnsVariables({ url: apnsUrl }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout) if (/listens on/.test(String(chunk))) return child;
  throw new Error('The worker did not start.');
}

/** Returns the seconds from the commit of the rows until all are recorded as sent. */
async function sendOurs(services: Services, firmId: number, mailboxId: number): Promise<number> {
  const { id } = await createMailMessage(services, { mailbox: { id: mailboxId } });
  await withTransaction(services, async (ctx) => {
    await queueMailPushes(ctx, { workspace: firmId, message: id });
    await enqueue(ctx, sendPushesJob, {});
  });
  const started = performance.now();
  await until(() => firstWaiting(services), 0);
  const seconds = (performance.now() - started) / 1_000;
  const sent = await countOf(services, `subject = '${id}' and state = 'sent'`);
  if (sent !== READERS) throw new Error(`${sent} of ${READERS} were sent.`);
  return seconds;
}

async function sendBare(bare: ChildProcess, request: SendRequest): Promise<number> {
  bare.send(request);
  const [{ seconds }] = (await once(bare, 'message')) as [{ seconds: number }];
  return seconds;
}

/** Returns a payload of typical length. */
async function payloadOf(services: Services): Promise<string> {
  const { rows } = await services.pool.query<{ id: string }>('select id from mail_messages limit 1');
  return JSON.stringify({
    aps: {
      alert: { title: 'Grace Mwangi', body: 'Second place of the monthly competition' },
      badge: 12,
      sound: 'default',
      'thread-id': 'mailbox-1',
    },
    type: 'mail.message',
    session: `key_${'0'.repeat(26)}`,
    user_id: `usr_${'0'.repeat(26)}`,
    workspace: 'northgate',
    message_id: rows[0]!.id,
    thread_id: '1',
    mailbox_id: '1',
  });
}

/** Returns the seconds from the delivery of a message until all pushes are queued, and until all are sent. */
async function fanOut(services: Services, mailbox: string, n: number) {
  const raw = Buffer.from(
    `From: Ann <ann@example.org>\r\nTo: ${mailbox}\r\nMessage-ID: <bench-${n}@example.org>\r\nSubject: Hello\r\n\r\nHello.\r\n`,
  );
  const started = performance.now();
  const { id } = await deliverMail(services, { raw, mailbox, folder: 'inbox' });
  const seconds = () => (performance.now() - started) / 1_000;
  await until(() => countOf(services, `subject = '${id}'`), READERS);
  const queued = seconds();
  await until(() => firstWaiting(services), 0);
  return { queued, sent: seconds() };
}

async function countOf({ pool }: Services, condition: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::integer as count from push_outbox where ${condition}`,
  );
  return rows[0]!.count;
}

/** Returns 1 if a push is waiting, else 0: to count them at each poll would be a seventh of the database's work. */
async function firstWaiting({ pool }: Services): Promise<number> {
  const { rows } = await pool.query(`select from push_outbox where state = 'waiting' limit 1`);
  return rows.length;
}

async function until(count: () => Promise<number>, wanted: number): Promise<void> {
  while ((await count()) !== wanted) await setTimeout(POLL_MS);
}

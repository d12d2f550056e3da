import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { openServer } from '@firmdesk/postgres';
import pg from 'pg';
import { migrations } from '../../packages/domain/src/app/migrations/index.ts';
import { runMigrations } from '../../packages/domain/src/platform/run-migrations.ts';
import { type BenchReport, figure, say } from './report.ts';

/** The version before the firm was in every key: the later migrations rewrite each message. */
const FIRST_MIGRATIONS = 20;
const MESSAGES = 200_000;
const TRANSACTION_MS = 25_000;
const OPS = new URL('../../apps/gateway/src/ops/main.ts', import.meta.url).pathname;

/**
 * Measures the migration of a filled database by `ops migrate`, 200,000 messages or `size`, beside a transaction of 25 seconds that has read and
 * written the largest table, and beside a session that reads two tables all the time. The first run is killed in the middle, and another one
 * continues.
 */
export async function run({ size }: { size?: string | undefined } = {}): Promise<BenchReport> {
  const messages = size === undefined ? MESSAGES : Number(size);
  const dataDir = join(tmpdir(), `firmdesk-bench-migrate-${process.pid}`);
  await mkdir(dataDir);
  const server = await openServer({ dataDir });
  try {
    const databaseUrl = await createDatabase(server.url);
    const log = { info() {}, warn() {}, error() {} };
    await runMigrations({ databaseUrl, log }, migrations.slice(0, FIRST_MIGRATIONS));
    say(`filling ${messages} messages`);
    const filling = performance.now();
    await fill(databaseUrl, messages);
    const started = performance.now();
    const transaction = await openTransaction(databaseUrl);
    const reader = readAllTheTime(databaseUrl);
    await opsMigrate(databaseUrl, /^filling mail_messages: [5-9]\d %/);
    const killed = performance.now();
    say('killed; another run continues');
    await opsMigrate(databaseUrl);
    const ended = performance.now();
    const longestMs = await reader.stop();
    await transaction.committed;
    return {
      bench: 'migrate',
      figures: [
        figure('seconds from the start to the end, beside a transaction of 25 s', (ended - started) / 1_000),
        figure('of these, after the first run was killed', (ended - killed) / 1_000),
        // A migration waits at most 3 s for a lock, and reads wait behind it.
        figure('longest read meanwhile, in seconds', longestMs / 1_000, '<= 4'),
      ],
      raw: { messages, transaction_ms: TRANSACTION_MS, filling_ms: Math.round(started - filling) },
    };
  } finally {
    await server.release();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Runs `ops migrate`, and passes on its progress. With `killAt`, kills it at the line that matches. */
async function opsMigrate(databaseUrl: string, killAt?: RegExp): Promise<void> {
  const child = spawn(process.execPath, [OPS, 'migrate'], {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let last = '';
  for await (const line of createInterface(child.stderr)) {
    last = line;
    say(line);
    if (killAt?.test(line)) child.kill('SIGKILL');
  }
  const [code, signal] = (await exited) as [number | null, string | null];
  if (killAt ? signal !== 'SIGKILL' : code !== 0) throw new Error(`ops migrate ended by itself: ${last}`);
}

async function createDatabase(serverUrl: string): Promise<string> {
  await using server = await connect(serverUrl);
  await server.query('create database bench');
  const url = new URL(serverUrl);
  url.pathname = '/bench';
  return url.href;
}

async function fill(databaseUrl: string, messages: number): Promise<void> {
  await using client = await connect(databaseUrl);
  await client.query(`
    insert into workspaces (slug, name, created_at) values ('northgate', 'Northgate', now());
    insert into users (id, email, name, created_at) values ('usr_1', 'user@x.example', 'User', now());
    insert into mailboxes (workspace_id, email, name, created_at) values (2, 'desk@x.example', 'Desk', now());
    insert into mail_threads (mailbox_id, created_at) select 1, now() from generate_series(1, ${messages} / 3 + 1);
    insert into mail_messages (id, mailbox_id, thread_id, folder, from_email, to_recipients, cc_recipients, bcc_recipients,
        subject, body, snippet, message_at, created_at)
      select 'msg_' || n, 1, 1 + n / 3, 'inbox', 'a@x.example', '[]', '[]', '[]', 's', repeat('text ', 40), 'b', now(), now()
      from generate_series(1, ${messages}) n;
    insert into tickets (id, workspace_id, trader_id, subject, status, last_message_at, trader_wrote_at, created_at, search_text)
      select 'tkt_' || lpad(n::text, 6, '0'), 2, 'usr_1', 's', 'open', now(), now(), now(), 'word' || n
      from generate_series(1, 1000) n`);
  await client.query('vacuum analyze');
}

/** Opens a transaction that has read and written the largest table, and commits it later. */
async function openTransaction(databaseUrl: string): Promise<{ committed: Promise<void> }> {
  const client = await connect(databaseUrl);
  await client.query('begin');
  await client.query(`update mail_messages set subject = 'changed' where id = 'msg_1'`);
  const committed = delay(TRANSACTION_MS)
    .then(() => client.query('commit'))
    .then(() => client.end());
  return { committed };
}

/** Reads a mailbox and the tickets, one after the other. `stop` returns the duration of the longest pair of reads in ms. */
function readAllTheTime(databaseUrl: string): { stop(): Promise<number> } {
  let isReading = true;
  let longest = 0;
  const reading = (async () => {
    await using client = await connect(databaseUrl);
    while (isReading) {
      const started = performance.now();
      await client.query(`
        select m.id from mail_messages m join mailboxes b on b.id = m.mailbox_id where m.folder = 'inbox' limit 10`);
      await client.query('select id from tickets where workspace_id = 2 limit 10');
      longest = Math.max(longest, performance.now() - started);
      await delay(5);
    }
  })();
  return {
    async stop() {
      isReading = false;
      await reading;
      return longest;
    },
  };
}

async function connect(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

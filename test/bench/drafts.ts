import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeServices, createServices, migrate, type Services, withSetupLock } from '@firmdesk/domain';
import {
  createMailbox,
  createMailMessage,
  createToken,
  createUser,
  createWorkspace,
} from '@firmdesk/domain/testing';
import { openTemporaryServer } from '@firmdesk/postgres';
import autocannon from 'autocannon';
import { pruneAll } from '../../packages/domain/src/platform/retention.ts';
import { idempotencyRetention } from '../../packages/domain/src/procedures/idempotency.ts';
import { type BenchReport, figure, median, say } from './report.ts';

const ROUNDS = 7;
const ROUND_SECONDS = 4;
const CONNECTIONS = 50;
/** The number of concurrent authors, each saving once a second. */
const AUTHORS = 200;
const OLD_KEYS = 200_000;

/** Compares saving drafts, each with a new key, with a hand-written Express handler that sends the same two statements. */
export async function run(): Promise<BenchReport> {
  const database = await openTemporaryServer();
  const children: ChildProcess[] = [];
  const services = await createServices({ databaseUrl: database.url, lanes: { main: 2 } });
  try {
    await withSetupLock(database.url, () => migrate(services));
    const { token, drafts } = await createDrafts(services);
    const start = async (file: string, env: Record<string, string>) => {
      const child = fork(new URL(file, import.meta.url), {
        env: { ...env, DATABASE_URL: database.url },
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      children.push(child);
      const [message] = (await once(child, 'message')) as [{ url: string }];
      return message.url;
    };
    const targets = {
      ours: await start('rivals/firmdesk.ts', {}),
      hand: await start('rivals/express-drafts.ts', { NODE_ENV: 'production' }),
    };
    const samples: Record<keyof typeof targets, number[]> = { ours: [], hand: [] };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const name of ['ours', 'hand'] as const) {
        const { requests } = await save(targets[name], token, drafts);
        // The first round is a warm-up.
        if (round > 0) samples[name].push(requests.average);
      }
      say(
        `round ${round} of ${ROUNDS}: ours ${samples.ours.at(-1) ?? '-'}, by hand ${samples.hand.at(-1) ?? '-'} drafts/s`,
      );
    }

    const steady = await save(targets.ours, token, drafts, AUTHORS);
    await addOldKeys(services);
    const [whilePruning, pruned] = await Promise.all([
      save(targets.ours, token, drafts, AUTHORS),
      millisecondsOf(() => pruneAll(services, [idempotencyRetention])),
    ]);
    return {
      bench: 'drafts',
      figures: [
        figure(
          'drafts, relative to a hand-written route with the same statements',
          median(samples.ours) / median(samples.hand),
          '>= 0.9',
        ),
        figure('drafts per second', median(samples.ours)),
        figure(`${AUTHORS} authors saving once a second: p97.5 (ms)`, steady.latency.p97_5),
        figure('the same while old keys are pruned: p97.5 (ms)', whilePruning.latency.p97_5),
        figure(`pruning ${OLD_KEYS} keys meanwhile (ms)`, pruned),
      ],
      raw: {
        drafts_per_second: samples,
        connections: CONNECTIONS,
        round_seconds: ROUND_SECONDS,
        autosave_latency_ms: { steady: steady.latency, while_pruning: whilePruning.latency },
      },
    };
  } finally {
    for (const child of children) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await closeServices(services);
    await database.release();
  }
}

interface Draft {
  id: string;
  address_id: number;
}

async function createDrafts(services: Services): Promise<{ token: string; drafts: Draft[] }> {
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const { text: token } = await createToken(services, { user, workspace: firm.slug });
  const mailbox = await createMailbox(services, { firm, writes: [user] });
  const drafts: Draft[] = [];
  for (let i = 0; i < AUTHORS; i++) {
    const { id } = await createMailMessage(services, { mailbox, folder: 'drafts' });
    drafts.push({ id, address_id: mailbox.id });
  }
  // As autovacuum does within a minute. Without statistics, either side may find a draft by reading all drafts of the mailbox.
  await services.pool.query('analyze');
  return { token, drafts };
}

const PARAGRAPH = '<p>Thank you for your patience while we look into the payout of last week.</p>\n'.repeat(
  25,
);

/** Saves the drafts in turn, as fast as possible or at a rate per second. */
async function save(
  url: string,
  token: string,
  drafts: Draft[],
  perSecond?: number,
): Promise<autocannon.Result> {
  let count = 0;
  const result = await autocannon({
    url: `${url}/v1/me/mail/drafts`,
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
    ...(perSecond !== undefined && { overallRate: perSecond }),
    requests: [
      {
        method: 'POST',
        setupRequest: (request) => {
          const { id, address_id } = drafts[count++ % drafts.length]!;
          return {
            ...request,
            headers: {
              authorization: `Bearer ${token}`,
              'content-type': 'application/json',
              'idempotency-key': randomUUID(),
            },
            body: JSON.stringify({
              address_id,
              draft_id: id,
              to: ['ann@example.com', 'bob@example.com'],
              subject: `Your payout, version ${count}`,
              body: PARAGRAPH,
            }),
          };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} non-2xx answers and ${result.errors} errors under load`);
  }
  return result;
}

/** Inserts four-day-old keys, as many as a busy day produces. */
async function addOldKeys({ pool }: Services): Promise<void> {
  await pool.query(
    `insert into idempotency_keys (id, body_hash, status, answer, created_at)
     select sha256(i::text::bytea), sha256(i::text::bytea), 200, repeat('x', 600)::bytea, now() - interval '4 days'
     from generate_series(1, $1::integer) i`,
    [OLD_KEYS],
  );
}

async function millisecondsOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

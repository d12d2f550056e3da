import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { closeServices, createServices, migrate, withSetupLock } from '@firmdesk/domain';
import { openTemporaryServer } from '@firmdesk/postgres';
import { type BenchReport, figure, say } from './report.ts';

const WARM_UP_MS = 15_000;
const MEASURE_MS = 60_000;
const ROLES = ['gateway', 'worker', 'all'] as const;
/** The clock ticks of a second in `/proc`. */
const TICKS = 100;

const MAIN = new URL('../../apps/gateway/src/main.ts', import.meta.url).pathname;

/** Measures the CPU time of processes without any work, and the transactions that they cause. Needs Linux. */
export async function run(): Promise<BenchReport> {
  const database = await openTemporaryServer();
  const services = await createServices({ databaseUrl: database.url, poolSizes: { main: 1 } });
  const children: ChildProcess[] = [];
  try {
    await withSetupLock(database.url, () => migrate(services));
    for (const role of ROLES) children.push(await start(role, database.url));
    say(`the processes are idle for ${(WARM_UP_MS + MEASURE_MS) / 1_000} s`);
    await setTimeout(WARM_UP_MS);
    const measure = async () => ({
      at: performance.now(),
      cpu: await Promise.all(children.map(({ pid }) => cpuSecondsOf(pid!))),
      transactions: await countTransactions(services.pool),
    });
    const before = await measure();
    await setTimeout(MEASURE_MS);
    const after = await measure();
    const seconds = (after.at - before.at) / 1_000;
    const percents = ROLES.map((_role, i) => ((after.cpu[i]! - before.cpu[i]!) / seconds) * 100);
    return {
      bench: 'idle',
      figures: [
        ...ROLES.map((role, i) =>
          figure(`an idle process, role ${role} (% of a core)`, percents[i]!, '<= 0.5'),
        ),
        figure(
          'transactions a second of the three together',
          (after.transactions - before.transactions) / seconds,
        ),
      ],
      raw: { seconds, percents },
    };
  } finally {
    for (const child of children) {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    }
    await closeServices(services);
    await database.release();
  }
}

async function start(role: (typeof ROLES)[number], databaseUrl: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [MAIN, '--role', role], {
    env: { ...process.env, DATABASE_URL: databaseUrl, PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false }))
    if (/listens on/.test(String(chunk))) {
      child.stdout!.resume();
      return child;
    }
  throw new Error(`The ${role} did not start.`);
}

/** Returns the CPU time that a process has used, in user and system mode. */
async function cpuSecondsOf(pid: number): Promise<number> {
  const [, fields] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ');
  const [user, system] = fields!.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) / TICKS;
}

async function countTransactions(pool: { query(text: string): Promise<{ rows: unknown[] }> }) {
  const { rows } = await pool.query(
    'select (xact_commit + xact_rollback)::integer as count from pg_stat_database where datname = current_database()',
  );
  return (rows[0] as { count: number }).count;
}

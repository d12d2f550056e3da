import type { Pool, PoolClient } from 'pg';
import type { FirmServers } from '../database/firm-servers.ts';
import { allFirms } from '../distribution/all-firms.ts';
import type { Services } from '../services.ts';
import { JOBS_REQUESTED } from './jobs.ts';
import { isServed } from './suspended-firms.ts';

/** The requests that one transaction moves. */
const BATCH = 500;
/** The firms whose requests are moved concurrently, at most. */
const CONCURRENT_FIRMS = 4;

/** A row of `job_requests`, as taken. */
interface TakenRequest {
  requested_at: string;
  task: string;
  payload: unknown;
  run_at: string;
  max_attempts: number | null;
  key: string | null;
  priority: number;
}

const TAKE = {
  name: 'take-job-requests',
  text: `
    with taken as (
      delete from job_requests where workspace_id = $1 and id = any(array(
        select id from job_requests where workspace_id = $1 and ${isServed('$1')} limit ${BATCH} for update skip locked))
      returning requested_at, task, payload, run_at, max_attempts, key, priority)
    select requested_at::text, task, payload, run_at::text, max_attempts, key, priority from taken`,
};

const ADD = {
  name: 'add-jobs',
  text: `
    select from graphile_worker.add_jobs(array(
      select spec from json_populate_recordset(null::graphile_worker.job_spec, $1::json) as spec))`,
};

/**
 * Moves the jobs that committed transactions requested into the queue: those of a firm when the signal of its transaction arrives,
 * and those of all firms every second, because a signal can be lost. Several workers may do so at once. The
 * requests of a suspended firm wait.
 */
export class JobForwarder {
  readonly #log: Services['log'];
  readonly #firmServers: FirmServers;
  readonly #stopListening: () => void;
  /** The firms whose requests are to be moved. */
  readonly #firms = new Set<number>();
  /** The firms whose requests are being moved. One that waits for its server must not delay the others. */
  readonly #moving = new Map<number, Promise<void>>();
  #mustSweep = false;
  #sweeping: Promise<void> | null = null;
  #isStopped = false;
  /** What failed when it was last tried: an outage is logged once. */
  readonly #failing = new Set<number | 'sweep'>();

  /** `pool` has the connections of a worker, so that they end with its lease. */
  constructor({ signals, log, firmServers }: Pick<Services, 'signals' | 'log' | 'firmServers'>, pool: Pool) {
    this.#log = log;
    this.#firmServers = firmServers.through(pool);
    this.#stopListening = signals.on(JOBS_REQUESTED, (id) => {
      if (id === null) this.#mustSweep = true;
      else this.#firms.add(Number(id));
      this.#start();
    });
  }

  /** Each firm needs a connection, or two on Citus, besides the one on which the queue listens. */
  get #concurrentFirms(): number {
    return Math.max(1, Math.min(CONCURRENT_FIRMS, Math.floor((this.#firmServers.pool.options.max - 1) / 2)));
  }

  /** Resolves when no request is being moved any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    await Promise.all([this.#sweeping, ...this.#moving.values()]);
  }

  /** Starts what is due and has a connection. */
  #start(): void {
    if (this.#isStopped) return;
    if (this.#mustSweep && !this.#sweeping) {
      this.#mustSweep = false;
      this.#sweeping = this.#run('sweep', this.#findFirms(), () => {
        this.#sweeping = null;
      });
    }
    for (const firm of this.#firms) {
      if (this.#moving.size >= this.#concurrentFirms) return;
      if (this.#moving.has(firm)) continue;
      this.#firms.delete(firm);
      this.#moving.set(
        firm,
        this.#run(firm, moveJobsOf(this.#firmServers, firm), () => this.#moving.delete(firm)),
      );
    }
  }

  /** Waits for work and starts what is due then. The next sweep finds what was left by work that failed. */
  async #run(key: number | 'sweep', work: Promise<void>, onEnd: () => void): Promise<void> {
    try {
      await work;
      this.#failing.delete(key);
    } catch (error) {
      if (this.#failing.size === 0)
        this.#log.warn({ err: error }, 'requested jobs cannot be moved into the queue');
      this.#failing.add(key);
    }
    onEnd();
    this.#start();
  }

  async #findFirms(): Promise<void> {
    const firms = new Set(await firmsWithRequests(this.#firmServers));
    for (const firm of firms) this.#firms.add(firm);
    for (const key of this.#failing) if (key !== 'sweep' && !firms.has(key)) this.#failing.delete(key);
  }
}

/** Moves all requested jobs into the queue. Returns how many firms had some. */
export async function moveRequestedJobs(firmServers: FirmServers): Promise<number> {
  const firms = await firmsWithRequests(firmServers);
  for (const firm of firms) await moveJobsOf(firmServers, firm);
  return firms.length;
}

async function firmsWithRequests(firmServers: FirmServers): Promise<number[]> {
  const rows = await firmServers.readAll<{ workspace_id: number }>({
    name: 'firms-with-job-requests',
    text: (isAmong) =>
      `${allFirms('job-requests')} select distinct workspace_id from job_requests where ${isAmong('workspace_id')} and ${isServed('workspace_id')}`,
  });
  return rows.map(({ workspace_id }) => workspace_id);
}

function moveJobsOf(firmServers: FirmServers, firm: number): Promise<void> {
  return firmServers.run(firm, () => moveAll(firmServers, firm));
}

async function moveAll({ pool, isDistributed }: FirmServers, firm: number): Promise<void> {
  const client = await pool.connect();
  let failure: Error | undefined;
  // A connection that ends between two statements emits its error, which would end the process. The next statement fails then.
  const fail = (error: Error) => {
    failure = error;
  };
  client.on('error', fail);
  try {
    while ((await moveBatch(isDistributed ? pool : client, client, firm)) === BATCH);
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.removeListener('error', fail);
    // A failed transaction ends with its connection.
    client.release(failure);
  }
}

/**
 * Moves a firm's requests in one transaction. On Citus the two tables are on different servers, and the jobs commit first, through
 * `queue`: a process that dies in between leaves requests whose jobs are added twice, never ones whose jobs are lost.
 */
async function moveBatch(queue: Pool | PoolClient, client: PoolClient, firm: number): Promise<number> {
  await client.query('begin');
  const { rows } = await client.query<TakenRequest>({ ...TAKE, values: [firm] });
  if (rows.length > 0) await queue.query({ ...ADD, values: [JSON.stringify(specsOf(rows))] });
  await client.query('commit');
  return rows.length;
}

/** Returns the queue's job specifications: of several requests with the same key only the latest. */
function specsOf(requests: readonly TakenRequest[]): object[] {
  const specs = new Map<unknown, object>();
  const byTime = requests.toSorted((a, b) => (a.requested_at < b.requested_at ? -1 : 1));
  for (const request of byTime) {
    const { task, payload, run_at, max_attempts, key, priority } = request;
    specs.set(key ?? request, { identifier: task, payload, run_at, max_attempts, job_key: key, priority });
  }
  return [...specs.values()];
}

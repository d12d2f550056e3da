import { allFirms } from '../distribution/all-firms.ts';
import type { Services } from '../services.ts';
import { isServed } from './suspended-firms.ts';
import { LEASE } from './worker-lease.ts';

/** How an attempt at a job ended. A failed one is retried until its attempts are used up. */
export type JobResult = 'done' | 'failed';

/** Measures the jobs of this process. */
export interface JobMetrics {
  /** Does nothing by default. */
  onAttempt: (task: string, result: JobResult, seconds: number) => void;
}

declare module '../services.ts' {
  interface Services {
    jobMetrics: JobMetrics;
  }
}

export function createJobMetrics(): JobMetrics {
  return { onAttempt() {} };
}

/** The jobs of one kind that are not done. */
export interface TaskFigures {
  task: string;
  /** Jobs that wait for their time, or for a worker, or run. */
  waiting: number;
  /** The seconds for which the oldest one is overdue; 0 if none is. */
  overdueSeconds: number;
  /** Jobs that failed at every attempt. */
  failed: number;
}

/** The queue of all processes. */
export interface QueueFigures {
  tasks: TaskFigures[];
  /** Requests that no worker has moved into the queue yet, and the age of the oldest one; not those of suspended firms. */
  requests: { waiting: number; oldestSeconds: number };
  /** Workers that renewed their lease in time. Each process has two. */
  liveWorkers: number;
}

const TASKS = `
  select task_identifier as task,
    count(*) filter (where attempts < max_attempts)::int as waiting,
    coalesce(extract(epoch from now() - min(run_at) filter (where attempts < max_attempts and locked_at is null and run_at <= now())), 0)::float8
      as "overdueSeconds",
    count(*) filter (where attempts >= max_attempts and locked_at is null)::int as failed
  from graphile_worker.jobs group by 1`;

const REQUESTS = `${allFirms('job-requests')}
  select count(*)::int as waiting, coalesce(extract(epoch from now() - min(requested_at)), 0)::float8 as "oldestSeconds"
  from job_requests where ${isServed('workspace_id')}`;

/** Reads the queue through a pool that calls cannot exhaust. Rejects without a database. */
export async function readQueue(pool: Services['metricsPool']): Promise<QueueFigures> {
  const tasks = await pool.query<TaskFigures>(TASKS);
  const requests = await pool.query<QueueFigures['requests']>(REQUESTS);
  const workers = await pool.query<{ count: number }>(
    `select count(*)::int as count from workers
     where not is_dead and renewed_at > clock_timestamp() - $1 * interval '1 millisecond'`,
    [LEASE.leaseMs],
  );
  return { tasks: tasks.rows, requests: requests.rows[0]!, liveWorkers: workers.rows[0]!.count };
}

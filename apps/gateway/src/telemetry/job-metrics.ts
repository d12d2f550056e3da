import { readQueue, type Services } from '@firmdesk/domain';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Adds the metrics of jobs. The queue is shared by all processes; the attempts are counted per process. */
export function measureJobs(services: Services, registry: Registry): void {
  const registers = [registry];
  const labelNames = ['task'];
  const attempts = new Counter({
    name: 'job_attempts_total',
    help: 'Attempts at a job, by result: done, or failed and retried until its attempts are used up.',
    labelNames: ['task', 'result'],
    registers,
  });
  const durations = new Histogram({
    name: 'job_duration_seconds',
    help: 'Duration of an attempt at a job.',
    labelNames,
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 90],
    registers,
  });
  services.jobMetrics.onAttempt = (task, result, seconds) => {
    attempts.inc({ task, result });
    durations.observe({ task }, seconds);
  };
  const waiting = new Gauge({
    name: 'jobs_waiting',
    help: 'Jobs that wait for their time or for a worker, or run.',
    labelNames,
    registers,
  });
  const overdue = new Gauge({
    name: 'jobs_overdue_seconds',
    help: 'For how long the oldest job that no worker has taken is due.',
    labelNames,
    registers,
  });
  const failed = new Gauge({
    name: 'jobs_failed',
    help: 'Jobs that failed at every attempt.',
    labelNames,
    registers,
  });
  const requests = new Gauge({
    name: 'job_requests_waiting',
    help: 'Requested jobs that no worker has moved into the queue.',
    registers,
  });
  const oldestRequest = new Gauge({
    name: 'job_requests_oldest_seconds',
    help: 'Age of the oldest requested job that no worker has moved into the queue.',
    registers,
  });
  new Gauge({
    name: 'workers_live',
    help: 'Workers that renewed their lease in time. A process with jobs has two.',
    registers,
    async collect() {
      // One query for all of these metrics. Without a database, `/metrics` still serves the others.
      const queue = await readQueue(services.metricsPool).catch(() => null);
      for (const gauge of [waiting, overdue, failed]) gauge.reset();
      for (const { task, ...figures } of queue?.tasks ?? []) {
        waiting.set({ task }, figures.waiting);
        overdue.set({ task }, figures.overdueSeconds);
        failed.set({ task }, figures.failed);
      }
      requests.set(queue?.requests.waiting ?? Number.NaN);
      oldestRequest.set(queue?.requests.oldestSeconds ?? Number.NaN);
      this.set(queue?.liveWorkers ?? Number.NaN);
    },
  });
}

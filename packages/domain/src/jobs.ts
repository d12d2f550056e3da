import { z } from 'zod';
import { expirePreRegistrations } from './affiliates/end-pre-registration.ts';
import { pruneIdempotencyKeys } from './kernel/idempotency.ts';
import { defineJob, handle, type JobHandler } from './kernel/jobs.ts';
import type { Schedule } from './kernel/worker.ts';

const pruneKeys = defineJob('idempotency.prune', z.object({}));
const expireReservations = defineJob('affiliates.expire', z.object({}));

/** Every kind of job, and how it is done. */
export const jobHandlers: JobHandler[] = [
  handle(pruneKeys, (services) => pruneIdempotencyKeys(services)),
  handle(expireReservations, async (services) => {
    await expirePreRegistrations(services);
  }),
];

/** What runs by the clock, in UTC. */
export const schedules: Schedule[] = [
  { job: pruneKeys.name, cron: '*/10 * * * *' },
  { job: expireReservations.name, cron: '*/5 * * * *' },
];

import { defineEntity, p } from '@mikro-orm/core';

/** The lease of a worker. */
export const WorkerSchema = defineEntity({
  name: 'Worker',
  tableName: 'workers',
  properties: {
    id: p.uuid().primary(),
    /** The name under which the queue locks this worker's jobs; null before its first job. */
    poolId: p.text().nullable(),
    renewedAt: p.datetime().columnType('timestamptz'),
    /** Whether the lease has expired. */
    isDead: p.boolean().default(false),
  },
});

/** A job that a committed transaction requests, until a worker moves it into the queue. */
export const JobRequestSchema = defineEntity({
  name: 'JobRequest',
  tableName: 'job_requests',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    /** 0 for a job of no firm. */
    workspaceId: p.integer().primary(),
    requestedAt: p.datetime().columnType('timestamptz').defaultRaw('clock_timestamp()'),
    task: p.text(),
    payload: p.json().columnType('json'),
    runAt: p.datetime().columnType('timestamptz'),
    maxAttempts: p.smallint().nullable(),
    key: p.text().nullable(),
    /** Jobs with a higher number start later. */
    priority: p.smallint().default(0),
  },
});

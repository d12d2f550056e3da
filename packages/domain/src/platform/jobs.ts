import { sql } from 'kysely';
import type { z } from 'zod';
import type { OperationContext } from './context.ts';
import { sqlOf } from './database.ts';
import type { Services } from './services.ts';

/** A kind of job: its name in the queue and the schema of its payload. Declared beside the operation that enqueues it. */
export interface Job<Payload> {
  name: string;
  payload: z.ZodType<Payload>;
}

/** Returns a kind of job. */
export function defineJob<Payload>(name: string, payload: z.ZodType<Payload>): Job<Payload> {
  return { name, payload };
}

/** Runs jobs of one kind. A job may run more than once, so handlers must be idempotent. */
export interface JobHandler {
  name: string;
  run(services: Services, payload: unknown, signal: AbortSignal | undefined): Promise<void>;
}

/** Returns a handler that parses the payload, then runs the function. An invalid payload fails the job. */
export function handle<Payload>(
  job: Job<Payload>,
  run: (services: Services, payload: Payload, signal: AbortSignal | undefined) => Promise<void>,
): JobHandler {
  return {
    name: job.name,
    run: (services, payload, signal) => run(services, job.payload.parse(payload), signal),
  };
}

export interface EnqueueOptions {
  /** Replaces a waiting job with the same key. */
  key?: string;
  /** Delay by the database's clock; none by default. */
  afterMs?: number;
  /** Maximum attempts, with exponential backoff (25). */
  attempts?: number;
}

/** Enqueues a job in the caller's transaction: it exists if, and only if, the transaction commits. */
export async function enqueue<Payload>(
  { em }: Pick<OperationContext, 'em'>,
  job: Job<Payload>,
  payload: Payload,
  { key, afterMs, attempts }: EnqueueOptions = {},
): Promise<void> {
  await sql`select from graphile_worker.add_job(
    ${job.name}, ${JSON.stringify(payload)}::json, run_at => now() + ${afterMs ?? null}::float8 * interval '1 millisecond',
    max_attempts => ${attempts ?? null}, job_key => ${key ?? null})`.execute(sqlOf(em));
}

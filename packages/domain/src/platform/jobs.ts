import { sql } from 'kysely';
import type { z } from 'zod';
import type { OperationContext } from './context.ts';
import { sqlOf } from './database.ts';
import type { Services } from './services.ts';

/** A kind of job: its name in the queue, and what it is told. Declared beside the operation that enqueues it. */
export interface Job<Payload> {
  name: string;
  payload: z.ZodType<Payload>;
}

export function defineJob<Payload>(name: string, payload: z.ZodType<Payload>): Job<Payload> {
  return { name, payload };
}

/** How a kind of job is done. It may run more than once: what it does must bear that. */
export interface JobHandler {
  name: string;
  run(services: Services, payload: unknown, signal: AbortSignal | undefined): Promise<void>;
}

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
  /** A job with the same key replaces the one that still waits. */
  key?: string;
  /** Not before so much time has passed by the database's clock; at once by default. */
  afterMs?: number;
  /** How often it is tried, with growing pauses (25). */
  attempts?: number;
}

/** Enqueues a job inside the caller's transaction: it exists if, and only if, what caused it was committed. */
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

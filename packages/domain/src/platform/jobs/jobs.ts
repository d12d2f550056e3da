import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { OperationContext } from '../database/context.ts';
import { sendSignal } from '../events/signals/send-signal.ts';
import { currentTraceparent } from '../process/trace.ts';
import type { Services } from '../services.ts';

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

/** A job to request, by the name of its kind. */
export interface JobRequest {
  task: string;
  payload: unknown;
  maxAttempts: number;
  key: string | null;
  priority: number;
}

export interface EnqueueOptions {
  /** Replaces a waiting job with the same key. */
  key?: string;
  /** Delay by the database's clock; none by default. */
  afterMs?: number;
  /** Maximum attempts, with exponential backoff (25). */
  attempts?: number;
  /** Jobs with a higher number start later (0). */
  priority?: number;
}

type EnqueueContext = Parameters<typeof sendSignal>[0] & Pick<OperationContext, 'db'>;

/** The kind of the signal that a transaction has requested jobs. Its id is the firm's, or 0. */
export const JOBS_REQUESTED = 'jobs';

/**
 * Enqueues a job in the caller's transaction: it exists if, and only if, the transaction commits. The transaction only inserts a
 * request; a worker moves it into the queue afterwards (docs/decisions/0025). A job of a firm names it as `workspace` in its payload,
 * and waits while the firm is suspended.
 */
export async function enqueue<Payload>(
  ctx: EnqueueContext,
  job: Job<Payload>,
  payload: Payload,
  options: EnqueueOptions = {},
): Promise<void> {
  await jobWrite(ctx, job, payload, options).execute(ctx.db);
}

/** Returns the write of {@link enqueue}, for `executeWrites`. The workers are told after the commit. */
export function jobWrite<Payload>(
  ctx: EnqueueContext,
  job: Job<Payload>,
  payload: Payload,
  { key, afterMs = 0, attempts, priority = 0 }: EnqueueOptions = {},
): RawBuilder<unknown> {
  // Requests are stored with the other rows of their firm.
  const workspaceId = firmOfJob(payload) ?? 0;
  sendSignal(ctx, JOBS_REQUESTED, workspaceId);
  return sql`
    insert into job_requests (workspace_id, task, payload, run_at, max_attempts, key, priority)
    values (${workspaceId}::integer, ${job.name}::text, ${JSON.stringify(traced(payload))}::json,
      now() + ${afterMs}::float8 * interval '1 millisecond', ${attempts ?? null}::smallint, ${key ?? null}::text,
      ${priority}::smallint)`;
}

/** Returns the firm of a job, which its payload names as `workspace`; null for a job of no firm. */
export function firmOfJob(payload: unknown): number | null {
  const { workspace } = (payload ?? {}) as { workspace?: unknown };
  return typeof workspace === 'number' ? workspace : null;
}

/** Adds the current trace to a payload. Handlers do not see it: their schemas drop unknown members. */
function traced(payload: unknown): unknown {
  const traceparent = currentTraceparent();
  return traceparent === null ? payload : { ...(payload as object), traceparent };
}

/** Returns the trace in which a job was enqueued; null if there is none. */
export function traceparentOf(payload: unknown): string | null {
  const { traceparent } = (payload ?? {}) as { traceparent?: unknown };
  return typeof traceparent === 'string' ? traceparent : null;
}

import { setImmediate } from 'node:timers/promises';
import { EVENTS_APPENDED } from '../../platform/events/event-log.ts';
import { delay } from '../../platform/process/delay.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import type { Attempt } from './run-store.ts';

/** At most 20 deltas per second and reply. Text that arrives in between is joined to one delta. */
const INTERVAL_MS = 50;
/** A reply fails when one of its deltas could not be appended for this long. */
const RETRY_FOR_MS = 10_000;

/** Another attempt has taken over the run, or the run has ended: this attempt must not write any more. */
export class SupersededError extends Error {
  override name = 'SupersededError';
}

interface Delta extends Attempt {
  offset: number;
  text: string;
}

/**
 * Appends deltas of one firm to the event log, and advances `streamed` by their length: so a statement whose result was lost can be
 * repeated. Skips a run that another transaction has locked: one locked run must not delay the replies of all others. Citus refuses other
 * forms that do this in one statement; it commits this one in two phases.
 */
const APPEND = {
  name: 'append-deltas',
  text: `
    with moved as (
      update assistant_runs r set streamed = d.at_unit + d.units
      from jsonb_to_recordset($1::jsonb) as d (run_id bigint, attempt integer, at_unit integer, units integer, text text)
      where r.workspace_id = $3 and r.id = d.run_id and r.attempt = d.attempt and r.state = 'running' and r.streamed = d.at_unit
        and r.id in (
          select id from assistant_runs where workspace_id = $3 and id = any($4::bigint[]) for no key update skip locked)
      returning r.ticket_id, r.message_id, d.at_unit, d.text)
    insert into event_log (workspace_id, subject, type, body, created_at)
    select $3::integer, ticket_id, 'text_delta', jsonb_build_object('ticket_id', ticket_id,
      'message_id', message_id, 'offset', at_unit, 'text', text), $2
    from moved`,
};

/** The runs of deltas, unless they are superseded: whether the delta is appended, by this statement or before; otherwise the run is locked. */
const NOT_SUPERSEDED = `
  select r.id::text as id, r.streamed > d.at_unit as appended from assistant_runs r
  join jsonb_to_recordset($1::jsonb) as d (run_id bigint, attempt integer, at_unit integer, units integer)
    on r.workspace_id = $2 and r.id = d.run_id and r.attempt = d.attempt and r.state = 'running'
      and r.streamed in (d.at_unit, d.at_unit + d.units)`;

type Outcome = 'appended' | 'locked' | 'superseded';

declare module '../../platform/services.ts' {
  interface Services {
    deltaWriter: DeltaWriter;
  }
}

/** Appends the deltas of all replies that a process writes, with one statement per firm at a time. */
export class DeltaWriter {
  readonly #services: Pick<Services, 'pool' | 'firmServers' | 'clock' | 'signals'>;
  readonly #replies = new Map<number, Set<ReplyDeltas>>();
  /** The firms whose deltas are being appended: one that waits must not delay the others. */
  readonly #flushing = new Set<number>();

  constructor(services: Pick<Services, 'pool' | 'firmServers' | 'clock' | 'signals'>) {
    this.#services = services;
  }

  /** Returns the deltas of an attempt's reply, which this writer appends from now on. */
  open(attempt: Attempt): ReplyDeltas {
    const { workspaceId } = attempt;
    const reply = new ReplyDeltas(attempt, () => void this.#flush(workspaceId));
    const replies = this.#replies.get(workspaceId) ?? new Set();
    this.#replies.set(workspaceId, replies.add(reply));
    return reply;
  }

  async #flush(workspaceId: number): Promise<void> {
    if (this.#flushing.has(workspaceId)) return;
    this.#flushing.add(workspaceId);
    // The texts of several replies that arrive together are appended together.
    await setImmediate();
    for (;;) {
      const batch = this.#next(workspaceId);
      if (batch.length === 0) break;
      await Promise.all([this.#append(workspaceId, batch), delay(INTERVAL_MS)]);
    }
    this.#flushing.delete(workspaceId);
  }

  /** Returns what is to be appended for a firm, and forgets its replies that have ended. */
  #next(workspaceId: number): [ReplyDeltas, Delta][] {
    const replies = this.#replies.get(workspaceId) ?? new Set();
    const batch: [ReplyDeltas, Delta][] = [];
    for (const reply of replies) {
      const delta = reply.next();
      if (delta) batch.push([reply, delta]);
      else if (reply.isClosed) replies.delete(reply);
    }
    if (replies.size === 0) this.#replies.delete(workspaceId);
    return batch;
  }

  async #append(workspaceId: number, batch: readonly [ReplyDeltas, Delta][]): Promise<void> {
    try {
      const deltas = batch.map(([, delta]) => delta);
      const outcomes = await this.#services.firmServers.run(workspaceId, () =>
        this.#write(workspaceId, deltas),
      );
      for (const [reply, { runId }] of batch) {
        const outcome = outcomes.get(runId) ?? 'superseded';
        if (outcome === 'appended') reply.appended();
        else if (outcome === 'superseded') reply.fail(new SupersededError());
        else reply.retry(new ApiError('unavailable', { message: 'The run stayed locked.' }));
      }
    } catch (error) {
      for (const [reply] of batch) reply.retry(error as Error);
    }
  }

  async #write(workspaceId: number, deltas: readonly Delta[]): Promise<Map<string, Outcome>> {
    const { pool, clock, signals } = this.#services;
    const rows = JSON.stringify(
      deltas.map(({ runId, attempt, offset, text }) => ({
        run_id: runId,
        attempt,
        at_unit: offset,
        units: text.length,
        text,
      })),
    );
    const { rowCount } = await pool.query({
      ...APPEND,
      values: [rows, clock.now().toISOString(), workspaceId, deltas.map(({ runId }) => runId)],
    });
    if (rowCount! > 0) signals.send(EVENTS_APPENDED, workspaceId);
    if (rowCount === deltas.length) return new Map(deltas.map(({ runId }) => [runId, 'appended']));
    const outcomes = new Map<string, Outcome>();
    const running = await pool.query<{ id: string; appended: boolean }>(NOT_SUPERSEDED, [rows, workspaceId]);
    for (const { id, appended } of running.rows) outcomes.set(id, appended ? 'appended' : 'locked');
    return outcomes;
  }
}

/** The deltas of one reply: at most one is being appended, and the text after it is buffered. */
export class ReplyDeltas {
  readonly #attempt: Attempt;
  readonly #wake: () => void;
  readonly #failed = new AbortController();
  #offset = 0;
  #buffer = '';
  /** Its bounds stay as they are until it is appended: an append whose result was lost is recognized by them. */
  #current: Delta | null = null;
  #deadline = 0;
  #closing: PromiseWithResolvers<void> | null = null;
  isClosed = false;

  constructor(attempt: Attempt, wake: () => void) {
    this.#attempt = attempt;
    this.#wake = wake;
  }

  /** Aborted when the reply can no longer be written. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** Adds text to the reply; it is appended to the log soon. */
  write(text: string): void {
    this.#buffer += text;
    this.#wake();
  }

  /** Discards the text that has not been appended, and ends the reply. */
  abandon(): void {
    this.isClosed = true;
    this.#buffer = '';
    this.#current = null;
    this.#wake();
  }

  /** Resolves when all text is appended; rejects if it cannot be. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.failed.throwIfAborted();
    if (!this.#buffer && !this.#current) return;
    this.#closing = Promise.withResolvers();
    await this.#closing.promise;
  }

  /** Returns the delta to append next, or null if there is none. */
  next(): Delta | null {
    if (this.failed.aborted) return null;
    if (!this.#current && this.#buffer) {
      this.#current = { ...this.#attempt, offset: this.#offset, text: this.#buffer };
      this.#offset += this.#buffer.length;
      this.#buffer = '';
      this.#deadline = performance.now() + RETRY_FOR_MS;
    }
    return this.#current;
  }

  /** Takes note that the current delta is in the log. */
  appended(): void {
    this.#current = null;
    if (!this.#buffer) this.#closing?.resolve();
  }

  /** Takes note that the delta was not appended. It is retried; after {@link RETRY_FOR_MS} the reply fails with `error`. */
  retry(error: Error): void {
    if (performance.now() > this.#deadline) this.fail(error);
  }

  /** Ends the reply: aborts {@link failed}, and rejects {@link close}. */
  fail(error: Error): void {
    this.#failed.abort(error);
    this.#closing?.reject(error);
  }
}

import { delay } from '../platform/delay.ts';
import type { Services } from '../platform/services.ts';
import type { Attempt } from './run-store.ts';

/** At most 20 rows a second for a reply; the pieces that come in between are joined. */
const INTERVAL_MS = 50;
/** While the database is away, deltas wait this long. */
const PATIENCE_MS = 10_000;

/** Another attempt has taken the run over, or it was stopped: nothing of this one counts. */
export class SupersededError extends Error {
  override name = 'SupersededError';
}

interface Pending extends Attempt {
  offset: number;
  text: string;
}

/** `streamed` moves with what is appended, so that a statement whose answer got lost may be repeated. */
const APPEND = {
  name: 'append-deltas',
  text: `
    with moved as (
      update assistant_runs r set streamed = d.at_unit + d.units
      from jsonb_to_recordset($1::jsonb) as d (run_id bigint, attempt integer, at_unit integer, units integer, text text)
      where r.id = d.run_id and r.attempt = d.attempt and r.state = 'running' and r.streamed = d.at_unit
      returning r.id, r.workspace_id, r.ticket_id, r.message_id, d.at_unit, d.text),
    appended as (
      insert into live_events (workspace_id, ticket_id, type, body, created_at)
      select workspace_id, ticket_id, 'text_delta', jsonb_build_object('ticket_id', ticket_id,
        'message_id', message_id, 'offset', at_unit, 'text', text), $2
      from moved)
    select id from moved`,
};

const APPENDED_BEFORE = `
  select r.id from assistant_runs r
  join jsonb_to_recordset($1::jsonb) as d (run_id bigint, attempt integer, at_unit integer, units integer)
    on r.id = d.run_id and r.attempt = d.attempt and r.state = 'running' and r.streamed = d.at_unit + d.units`;

/** Appends the deltas of all replies that a process writes, in one statement at a time. */
export class DeltaWriter {
  readonly #services: Pick<Services, 'pool' | 'clock'>;
  readonly #replies = new Set<Reply>();
  #isFlushing = false;

  constructor(services: Pick<Services, 'pool' | 'clock'>) {
    this.#services = services;
  }

  open(attempt: Attempt): Reply {
    const reply = new Reply(attempt, () => this.#start());
    this.#replies.add(reply);
    return reply;
  }

  #start(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    void this.#flushAll();
  }

  async #flushAll(): Promise<void> {
    for (;;) {
      const batch: [Reply, Pending][] = [];
      for (const reply of this.#replies) {
        const pending = reply.take();
        if (pending) batch.push([reply, pending]);
        else if (reply.isClosed) this.#replies.delete(reply);
      }
      if (batch.length === 0) break;
      await this.#append(batch);
      await delay(INTERVAL_MS);
    }
    this.#isFlushing = false;
  }

  async #append(batch: [Reply, Pending][]): Promise<void> {
    const rows = JSON.stringify(
      batch.map(([, { runId, attempt, offset, text }]) => ({
        run_id: runId,
        attempt,
        at_unit: offset,
        units: text.length,
        text,
      })),
    );
    const until = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        const written = await this.#write(rows, batch.length);
        for (const [reply, { runId }] of batch)
          reply.settle(written.has(runId) ? null : new SupersededError());
        return;
      } catch (error) {
        if (Date.now() > until) {
          for (const [reply] of batch) reply.settle(error as Error);
          return;
        }
        await delay(INTERVAL_MS);
      }
    }
  }

  /** The runs whose deltas are in the log now. */
  async #write(rows: string, count: number): Promise<Set<string>> {
    const { pool, clock } = this.#services;
    const values = [rows, clock.now().toISOString()];
    const appended = await pool.query<{ id: string }>({ ...APPEND, values });
    const written = new Set(appended.rows.map(({ id }) => id));
    if (written.size < count) {
      const before = await pool.query<{ id: string }>(APPENDED_BEFORE, [rows]);
      for (const { id } of before.rows) written.add(id);
    }
    return written;
  }
}

/** The deltas of one reply. */
export class Reply {
  readonly #attempt: Attempt;
  readonly #wake: () => void;
  readonly #failed = new AbortController();
  #offset = 0;
  #text = '';
  #isUnderWay = false;
  #waiting: PromiseWithResolvers<void> | null = null;
  isClosed = false;

  constructor(attempt: Attempt, wake: () => void) {
    this.#attempt = attempt;
    this.#wake = wake;
  }

  /** Given when the reply can no longer be written. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  write(text: string): void {
    this.#text += text;
    this.#wake();
  }

  /** Nothing more will be written, nor need what was. */
  abandon(): void {
    this.isClosed = true;
    this.#text = '';
    this.#wake();
  }

  /** Resolves when all that was written is in the log; rejects when it cannot be. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.failed.throwIfAborted();
    if (!this.#text && !this.#isUnderWay) return;
    this.#waiting = Promise.withResolvers();
    await this.#waiting.promise;
  }

  take(): Pending | null {
    if (!this.#text || this.failed.aborted) return null;
    const pending = { ...this.#attempt, offset: this.#offset, text: this.#text };
    this.#offset += this.#text.length;
    this.#text = '';
    this.#isUnderWay = true;
    return pending;
  }

  settle(error: Error | null): void {
    this.#isUnderWay = false;
    if (error) {
      this.#failed.abort(error);
      this.#waiting?.reject(error);
    } else if (!this.#text) this.#waiting?.resolve();
  }
}

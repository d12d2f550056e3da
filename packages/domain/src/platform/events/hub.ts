import type { Pool } from 'pg';
import type { Log } from '../log.ts';
import { pause } from '../pause.ts';
import { type LiveEvent, readExtent, readLog, type Topic } from './event-log.ts';

/** Rows a read. */
const PAGE = 1_000;
/** A hint may be lost: the log is looked at this often anyhow. */
const POLL_MS = 5_000;
const RETRY_MS = 500;
/** Events that wait in memory for one viewer; who falls further behind reads them from the log. */
const QUEUE = 500;

/** One viewer's place at the hub. */
export class Seat {
  #events: LiveEvent[] = [];
  #overflowed = false;
  #wake: (() => void) | null = null;

  push(event: LiveEvent): void {
    if (this.#overflowed) return;
    if (this.#events.length === QUEUE) {
      this.#overflowed = true;
      this.#events = [];
    } else this.#events.push(event);
    this.wake();
  }

  /** What has come since; null when it was more than is kept. */
  take(): LiveEvent[] | null {
    const events = this.#overflowed ? null : this.#events;
    this.#events = [];
    this.#overflowed = false;
    return events;
  }

  /** Resolves when something has come, or it was woken. */
  async wait(): Promise<void> {
    if (this.#events.length > 0 || this.#overflowed) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#wake?.();
    this.#wake = null;
  }
}

/** Follows the log once for a whole process, while somebody looks, and hands each event to who looks at its ticket, firm or person. */
export class Hub {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #seats = new Map<string, Set<Seat>>();
  #position: Promise<number> | null = null;
  #nudge = new AbortController();
  #following = false;
  #closed = false;
  #readThrough = 0;

  /** The position up to which the log was read and handed out. */
  get readThrough(): number {
    return this.#readThrough;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  /** There may be more in the log. */
  nudge(): void {
    this.#nudge.abort();
  }

  /**
   * Takes a place; every event that commits after this resolves arrives there. Rejects when the database is away. Given
   * back by `leave`.
   */
  async join(topic: Topic): Promise<Seat> {
    const seat = new Seat();
    const key = keyOf(topic);
    const seats = this.#seats.get(key) ?? new Set();
    this.#seats.set(key, seats.add(seat));
    try {
      this.#position ??= readExtent(this.#pool).then(({ end }) => end);
      await this.#position;
    } catch (error) {
      this.#position = null;
      this.leave(topic, seat);
      throw error;
    }
    if (!this.#following) void this.#follow();
    return seat;
  }

  leave(topic: Topic, seat: Seat): void {
    const key = keyOf(topic);
    const seats = this.#seats.get(key);
    seats?.delete(seat);
    if (seats?.size === 0) this.#seats.delete(key);
  }

  async #follow(): Promise<void> {
    this.#following = true;
    let position = await this.#position!;
    while (this.#seats.size > 0 && !this.#closed) {
      // Renewed before the read: a hint that comes during it means another one.
      this.#nudge = new AbortController();
      try {
        const events = await readLog(this.#pool, position, PAGE);
        this.#readThrough = Math.max(this.#readThrough, events.at(-1)?.position ?? position);
        for (const event of events) this.#dispatch(event);
        position = events.at(-1)?.position ?? position;
        if (events.length < PAGE) await pause(POLL_MS, this.#nudge.signal);
      } catch (error) {
        if (this.#closed) break;
        this.#log.warn({ err: error }, 'the event log cannot be read');
        await pause(RETRY_MS);
      }
    }
    this.#following = false;
    this.#position = null;
  }

  #dispatch(event: LiveEvent): void {
    for (const topic of topicsOf(event)) {
      for (const seat of this.#seats.get(keyOf(topic)) ?? []) seat.push(event);
    }
  }

  close(): void {
    this.#closed = true;
    this.nudge();
    for (const seats of this.#seats.values()) for (const seat of seats) seat.wake();
  }
}

function topicsOf({ workspaceId, ticketId, userId, type }: LiveEvent): Topic[] {
  if (userId !== undefined) return [{ workspaceId, userId }];
  return type === 'ticket.updated' ? [{ ticketId }, { workspaceId }] : [{ ticketId }];
}

function keyOf(topic: Topic): string {
  return 'ticketId' in topic ? topic.ticketId : [topic.workspaceId, topic.userId].join(' ');
}

import type { Pool } from 'pg';
import { delay } from '../delay.ts';
import type { Log } from '../log.ts';
import { type LiveEvent, readExtent, readLog, type Topic, type TopicKind } from './event-log.ts';

/** Rows per read. */
const PAGE = 1_000;
/** A wake-up can be lost, so the log is also polled. */
const POLL_MS = 5_000;
const RETRY_MS = 500;
/** Events queued in memory per subscriber. A subscriber that falls further behind reads from the log. */
const QUEUE = 500;

/** The queue of one subscription. */
export class Subscriber {
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

  /** Returns the queued events and empties the queue; null when the queue overflowed. */
  take(): LiveEvent[] | null {
    const events = this.#overflowed ? null : this.#events;
    this.#events = [];
    this.#overflowed = false;
    return events;
  }

  /** Resolves when an event is queued, or when woken. */
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

/** Reads the log once for the whole process while there are subscribers, and queues each event for the subscribers of its topics. */
export class Hub {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #subscribers = new Map<TopicKind, Map<string, Set<Subscriber>>>();
  #position: Promise<number> | null = null;
  #wakeUp = new AbortController();
  #following = false;
  #closed = false;
  #readThrough = 0;

  /** The position up to which the log was read and dispatched. */
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

  /** Reads the log now instead of at the next poll. */
  wake(): void {
    this.#wakeUp.abort();
  }

  /**
   * Subscribes to a topic, until `leave`. Every event that commits after this resolves is queued. Rejects if the database is
   * unavailable.
   */
  async join(topic: Topic): Promise<Subscriber> {
    const subscriber = new Subscriber();
    const ofKind = this.#subscribers.get(topic.kind) ?? new Map<string, Set<Subscriber>>();
    this.#subscribers.set(topic.kind, ofKind);
    const ofTopic = ofKind.get(topic.key) ?? new Set();
    ofKind.set(topic.key, ofTopic.add(subscriber));
    try {
      this.#position ??= readExtent(this.#pool).then(({ end }) => end);
      await this.#position;
    } catch (error) {
      this.#position = null;
      this.leave(topic, subscriber);
      throw error;
    }
    if (!this.#following) void this.#follow();
    return subscriber;
  }

  leave(topic: Topic, subscriber: Subscriber): void {
    const ofKind = this.#subscribers.get(topic.kind);
    const ofTopic = ofKind?.get(topic.key);
    ofTopic?.delete(subscriber);
    if (ofTopic?.size === 0) ofKind?.delete(topic.key);
    if (ofKind?.size === 0) this.#subscribers.delete(topic.kind);
  }

  async #follow(): Promise<void> {
    this.#following = true;
    let position = await this.#position!;
    while (this.#subscribers.size > 0 && !this.#closed) {
      // Renewed before the read, so that a wake-up during the read causes another read.
      this.#wakeUp = new AbortController();
      try {
        const events = await readLog(this.#pool, position, PAGE);
        this.#readThrough = Math.max(this.#readThrough, events.at(-1)?.position ?? position);
        for (const event of events) this.#dispatch(event);
        position = events.at(-1)?.position ?? position;
        if (events.length < PAGE) await delay(POLL_MS, this.#wakeUp.signal);
      } catch (error) {
        if (this.#closed) break;
        this.#log.warn({ err: error }, 'the event log cannot be read');
        await delay(RETRY_MS);
      }
    }
    this.#following = false;
    this.#position = null;
  }

  #dispatch(event: LiveEvent): void {
    for (const [kind, ofKind] of this.#subscribers) {
      const key = kind.keyOf(event);
      for (const subscriber of (key !== null && ofKind.get(key)) || []) subscriber.push(event);
    }
  }

  close(): void {
    this.#closed = true;
    this.wake();
    for (const ofKind of this.#subscribers.values())
      for (const ofTopic of ofKind.values()) for (const subscriber of ofTopic) subscriber.wake();
  }
}

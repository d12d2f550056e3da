import type { Pool } from 'pg';
import { isSamePosition, type LogPosition } from './event-id.ts';
import { ensureHead, type Filter, type LiveEvent, placeEvents, readLog, type Topic } from './event-log.ts';
import { Subscriber } from './subscriber.ts';

/** Events per statement. */
const PAGE = 1_000;
/** With more subjects than this, all events of the firm are read. */
const MAX_SUBJECTS = 200;

const keyOf = ({ subject, type }: Topic) => (subject === undefined ? `type ${type}` : subject);

/**
 * Follows the log of one firm for this process: gives positions to new events, reads those that have subscribers, and queues
 * them. Exists while the firm has subscribers.
 */
export class FirmFeed {
  readonly workspaceId: number;
  readonly #pool: Pool;
  readonly #idOf: (place: LogPosition) => string;
  readonly #onLost: () => void;
  readonly #subscribers = new Map<string, { topic: Topic; members: Set<Subscriber> }>();
  /** The place up to which events were queued. Null before the first read. */
  #end: LogPosition | null = null;
  #reading: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(
    workspaceId: number,
    { pool, idOf, onLost }: { pool: Pool; idOf: (place: LogPosition) => string; onLost: () => void },
  ) {
    this.workspaceId = workspaceId;
    this.#pool = pool;
    this.#idOf = idOf;
    this.#onLost = onLost;
  }

  get end(): LogPosition | null {
    return this.#end;
  }

  get isUnused(): boolean {
    return this.#subscribers.size === 0;
  }

  add(topic: Topic, isFor?: Subscriber['isFor']): Subscriber {
    const key = keyOf(topic);
    const ofTopic = this.#subscribers.get(key) ?? { topic, members: new Set() };
    this.#subscribers.set(key, ofTopic);
    const subscriber = new Subscriber(isFor);
    ofTopic.members.add(subscriber);
    return subscriber;
  }

  remove(topic: Topic, subscriber: Subscriber): void {
    const key = keyOf(topic);
    const ofTopic = this.#subscribers.get(key);
    ofTopic?.members.delete(subscriber);
    if (ofTopic?.members.size === 0) this.#subscribers.delete(key);
  }

  *subscribers(): Generator<Subscriber> {
    for (const { members } of this.#subscribers.values()) yield* members;
  }

  /** Makes all subscriptions start again with `resync`: events that they have received, or would have, are lost. */
  reset(): void {
    this.#end = null;
    for (const subscriber of this.subscribers()) subscriber.reset();
  }

  /**
   * Queues every event that has been committed when this is called. Simultaneous calls share a read; one that starts later does
   * not share a read that has begun.
   */
  read(): Promise<void> {
    if (!this.#reading) {
      this.#reading = this.#readAll().finally(() => {
        this.#reading = null;
      });
      return this.#reading;
    }
    this.#next ??= this.#reading
      .catch(() => {})
      .then(() => {
        this.#next = null;
        return this.read();
      });
    return this.#next;
  }

  async #readAll(): Promise<void> {
    if (!this.#end) await ensureHead(this.#pool, this.workspaceId);
    for (;;) {
      const placed = await placeEvents(this.#pool, this.workspaceId, this.#filter(), PAGE);
      if (!placed) return await this.#catchUp();
      if (!this.#end || isSamePosition(placed.base, this.#end)) this.#queue(placed.events, placed.end);
      // Another process has given positions since the last read, or the log is not the one that was read.
      else await this.#catchUp();
      if (placed.count < PAGE) return;
    }
  }

  /** Reads the events that have positions. */
  async #catchUp(): Promise<void> {
    for (;;) {
      const after = this.#end;
      const filter = this.#filter();
      const { end, isKnown, events } = await readLog(
        this.#pool,
        this.workspaceId,
        after ?? { position: 0, tag: 0 },
        filter,
        after ? PAGE : 0,
      );
      if (after && !isKnown) {
        this.#onLost();
        return this.reset();
      }
      const isAll = events.length < PAGE;
      this.#queue(events, isAll ? end : events.at(-1)!);
      if (isAll) return;
    }
  }

  #filter(): Filter {
    const subjects: string[] = [];
    const types: string[] = [];
    for (const { topic } of this.#subscribers.values()) {
      if (topic.subject === undefined) types.push(topic.type);
      else subjects.push(topic.subject);
    }
    return { subjects: subjects.length > MAX_SUBJECTS ? null : subjects, types };
  }

  #queue(events: readonly LiveEvent[], end: LogPosition): void {
    for (const event of events) {
      const { position, type, body } = event;
      const ofSubject = this.#subscribers.get(event.subject);
      const ofType = this.#subscribers.get(`type ${type}`);
      if (!ofSubject && !ofType) continue;
      const streamed = { id: this.#idOf(event), position, type, body };
      for (const { members } of [ofSubject, ofType].filter((each) => each !== undefined))
        for (const subscriber of members) if (subscriber.isFor(streamed)) subscriber.push(streamed);
    }
    this.#end = { position: end.position, tag: end.tag };
  }
}

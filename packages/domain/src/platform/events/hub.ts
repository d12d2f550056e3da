import type { Pool } from 'pg';
import type { FirmServers } from '../database/firm-servers.ts';
import type { Log } from '../process/log.ts';
import { readEpoch } from './epoch.ts';
import { eventId, isSamePosition, type LogPosition, parseEventId } from './event-id.ts';
import { EVENTS_APPENDED, readHeads, type Topic } from './event-log.ts';
import { FirmFeed } from './firm-feed.ts';
import type { Signals } from './signals/signals.ts';
import type { Subscriber } from './subscriber.ts';

/** Logs that are read concurrently. Few, so that under load one statement gives positions to more events. */
const CONCURRENCY = 2;

export interface HubServices {
  pool: Pool;
  firmServers: FirmServers;
  signals: Signals;
  log: Log;
}

/** Follows the logs of the firms that have subscribers in this process. */
export class Hub {
  readonly #services: HubServices;
  readonly #feeds = new Map<number, FirmFeed>();
  /** The firms whose logs have new events. */
  readonly #due = new Set<number>();
  /** The firms whose logs are being read. One that waits for its server must not occupy both readers. */
  readonly #reading = new Set<number>();
  #readers = 0;
  #stopListening: (() => void) | null = null;
  #sweeping = false;
  #epoch: string | null = null;
  #isEpochKnown = false;
  /** The session of the signals in which the epoch was read. */
  #epochSession = 0;
  #epochRead: Promise<void> | null = null;
  #isClosed = false;

  constructor(services: HubServices) {
    this.#services = services;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The position up to which the firm's log was read and queued. */
  readThrough(workspaceId: number): number {
    return this.#feeds.get(workspaceId)?.end?.position ?? 0;
  }

  /** Subscribes to a topic, until `leave`. */
  join(topic: Topic, isFor?: Subscriber['isFor']): Subscriber {
    this.#stopListening ??= this.#services.signals.on(EVENTS_APPENDED, (id) => this.#onSignal(id));
    const { workspaceId } = topic;
    const feed = this.#feeds.get(workspaceId) ?? this.#newFeed(workspaceId);
    this.#feeds.set(workspaceId, feed);
    return feed.add(topic, isFor);
  }

  #newFeed(workspaceId: number): FirmFeed {
    return new FirmFeed(workspaceId, {
      pool: this.#services.pool,
      idOf: (place) => this.idOf(place),
      onLost: () => {
        this.#isEpochKnown = false;
        this.#services.log.warn(
          { workspace: workspaceId },
          'the log of a firm has lost events; its streams resync',
        );
      },
    });
  }

  leave(topic: Topic, subscriber: Subscriber): void {
    const feed = this.#feeds.get(topic.workspaceId);
    feed?.remove(topic, subscriber);
    if (feed?.isUnused) this.#feeds.delete(topic.workspaceId);
  }

  /**
   * Resolves when all events committed before this call have positions, and the events after them will be queued. Rejects if the
   * database is unavailable.
   */
  async ready({ workspaceId }: Topic): Promise<void> {
    if (!this.#isEpochKnown) await this.#refreshEpoch();
    await this.#read(workspaceId);
  }

  idOf(place: LogPosition): string {
    return eventId(place, this.#epoch ?? '');
  }

  parse(id: string): LogPosition | 'unknown' {
    return parseEventId(id, this.#epoch ?? '');
  }

  #onSignal(id: string | null): void {
    if (id === null) return void this.#sweep();
    if (this.#feeds.has(Number(id))) this.#due.add(Number(id));
    this.#startReaders();
  }

  #startReaders(): void {
    for (let n = this.#readers; n < CONCURRENCY && this.#due.size > 0; n++) void this.#readDue();
  }

  async #readDue(): Promise<void> {
    this.#readers++;
    for (const workspaceId of this.#due) {
      if (this.#reading.has(workspaceId)) continue;
      this.#due.delete(workspaceId);
      this.#reading.add(workspaceId);
      // If this fails, the next sweep reads again.
      await this.#read(workspaceId).catch(() => {});
      this.#reading.delete(workspaceId);
    }
    this.#readers--;
  }

  async #read(workspaceId: number): Promise<void> {
    const feed = this.#feeds.get(workspaceId);
    if (feed) await this.#services.firmServers.run(workspaceId, () => feed.read());
  }

  /** Finds the events whose signals were lost, and whether the database was replaced. */
  async #sweep(): Promise<void> {
    if (this.#sweeping || this.#feeds.size === 0) return;
    this.#sweeping = true;
    try {
      if (this.#epochSession !== this.#services.signals.session) await this.#refreshEpoch();
      const heads = await readHeads(this.#services.firmServers, [...this.#feeds.keys()]);
      for (const { workspaceId, end } of this.#feeds.values()) {
        const head = heads.get(workspaceId);
        if (!end || !head || !isSamePosition(head, end)) this.#due.add(workspaceId);
      }
      this.#startReaders();
    } catch (error) {
      if (!this.#isClosed) this.#services.log.warn({ err: error }, 'the event log cannot be read');
    } finally {
      this.#sweeping = false;
    }
  }

  #refreshEpoch(): Promise<void> {
    this.#epochRead ??= this.#readEpoch().finally(() => {
      this.#epochRead = null;
    });
    return this.#epochRead;
  }

  async #readEpoch(): Promise<void> {
    const { session } = this.#services.signals;
    const epoch = await readEpoch(this.#services.pool);
    const isChanged = this.#epoch !== null && this.#epoch !== epoch;
    this.#epoch = epoch;
    this.#epochSession = session;
    this.#isEpochKnown = true;
    if (!isChanged) return;
    this.#services.log.warn({}, 'the database was replaced; all streams resync');
    for (const feed of this.#feeds.values()) feed.reset();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopListening?.();
    for (const feed of this.#feeds.values()) for (const subscriber of feed.subscribers()) subscriber.wake();
  }
}

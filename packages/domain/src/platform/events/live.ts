import { setImmediate } from 'node:timers/promises';
import { isSamePosition, LOG_START, type LogPosition } from './event-id.ts';
import { type LogPage, readLog } from './event-log.ts';
import { type EventStream, follow, type Received, type ResumePoint, type Subscription } from './follow.ts';
import { Hub, type HubServices } from './hub.ts';

const NOTHING = { subjects: [], types: [] };

type Place = Pick<LogPage, 'end' | 'isKnown'>;

/** Delivers the events of the log to this process. It reads the logs of firms that have subscribers. */
export class Live {
  readonly #pool: HubServices['pool'];
  readonly #hub: Hub;
  readonly #places = new Map<string, Promise<Place>>();

  constructor(services: HubServices) {
    this.#pool = services.pool;
    this.#hub = new Hub(services);
  }

  follow(subscription: Subscription): Promise<EventStream> {
    return follow({ hub: this.#hub, pool: this.#pool }, subscription);
  }

  /**
   * Returns where a subscription continues: after the last event that the client received, or at the end of the firm's log. When
   * the log does not reach back to that event, or has lost it, the subscription starts at the end with `resync`.
   */
  async resumeOrEnd(workspaceId: number, received: Received): Promise<ResumePoint> {
    const place = received === 'unknown' ? null : received;
    const { end, isKnown } = await this.#findPlace(workspaceId, place ?? LOG_START);
    if (place && isKnown) return { ...place, first: [], isEnd: isSamePosition(place, end) };
    return { ...end, isEnd: true, first: received === null ? [] : [{ type: 'resync', body: {} }] };
  }

  /** Calls for the same place that arrive together share a read: when sockets reconnect, hundreds of a firm have received the same. */
  #findPlace(workspaceId: number, after: LogPosition): Promise<Place> {
    const key = `${workspaceId} ${after.position} ${after.tag}`;
    const read = async () => {
      await setImmediate();
      // A call that arrives from now on needs a read of its own, which sees what was committed before.
      this.#places.delete(key);
      return await readLog(this.#pool, workspaceId, after, NOTHING, 0);
    };
    const shared = this.#places.get(key) ?? read();
    this.#places.set(key, shared);
    return shared;
  }

  /** The position up to which this process has read the firm's log. */
  readThrough(workspaceId: number): number {
    return this.#hub.readThrough(workspaceId);
  }

  close(): void {
    this.#hub.close();
  }
}

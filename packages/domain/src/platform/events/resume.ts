import { setImmediate } from 'node:timers/promises';
import type { Pool } from 'pg';
import { isSamePosition, LOG_START, type LogPosition } from './event-id.ts';
import { type LogPage, readLog } from './event-log.ts';
import type { Received, ResumePoint } from './follow.ts';

const NOTHING = { subjects: [], types: [] };

type Place = Pick<LogPage, 'end' | 'isKnown'>;

/** Finds where the subscriptions of a process continue. */
export class Resumption {
  readonly #pool: Pool;
  readonly #pending = new Map<string, Promise<Place>>();

  constructor(pool: Pool) {
    this.#pool = pool;
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
      this.#pending.delete(key);
      return await readLog(this.#pool, workspaceId, after, NOTHING, 0);
    };
    const shared = this.#pending.get(key) ?? read();
    this.#pending.set(key, shared);
    return shared;
  }
}

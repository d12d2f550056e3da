import { setImmediate } from 'node:timers/promises';
import type { Pool } from 'pg';
import { isSamePosition, LOG_START, type LogPosition } from './event-id.ts';
import { type LogPage, readLog } from './event-log.ts';
import type { Received, ResumePoint } from './follow.ts';

const NOTHING = { subjects: [], types: [] };

/**
 * Returns where a subscription continues: after the last event that the client received, or at the end of the firm's log. When
 * the log does not reach back to that event, or has lost it, the subscription starts at the end with `resync`.
 */
export async function resumeOrEnd(pool: Pool, workspaceId: number, received: Received): Promise<ResumePoint> {
  const place = received === 'unknown' ? null : received;
  const { end, isKnown } = await findPlace(pool, workspaceId, place ?? LOG_START);
  if (place && isKnown) return { ...place, first: [], isEnd: isSamePosition(place, end) };
  return { ...end, isEnd: true, first: received === null ? [] : [{ type: 'resync', body: {} }] };
}

type Place = Pick<LogPage, 'end' | 'isKnown'>;

const pending = new WeakMap<Pool, Map<string, Promise<Place>>>();

/** Calls for the same place that arrive together share a read: when sockets reconnect, hundreds of a firm have received the same. */
function findPlace(pool: Pool, workspaceId: number, after: LogPosition): Promise<Place> {
  const reads = pending.get(pool) ?? new Map<string, Promise<Place>>();
  pending.set(pool, reads);
  const key = `${workspaceId} ${after.position} ${after.tag}`;
  const read = async () => {
    await setImmediate();
    // A call that arrives from now on needs a read of its own, which sees what was committed before.
    reads.delete(key);
    return await readLog(pool, workspaceId, after, NOTHING, 0);
  };
  const shared = reads.get(key) ?? read();
  reads.set(key, shared);
  return shared;
}

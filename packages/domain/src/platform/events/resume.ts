import type { Pool } from 'pg';
import { isSamePosition, LOG_START } from './event-id.ts';
import { readLog } from './event-log.ts';
import type { Received, ResumePoint } from './follow.ts';

const NOTHING = { subjects: [], types: [] };

/**
 * Returns where a subscription continues: after the last event that the client received, or at the end of the firm's log. When
 * the log does not reach back to that event, or has lost it, the subscription starts at the end with `resync`.
 */
export async function resumeOrEnd(pool: Pool, workspaceId: number, received: Received): Promise<ResumePoint> {
  const place = received === 'unknown' ? null : received;
  const { end, isKnown } = await readLog(pool, workspaceId, place ?? LOG_START, NOTHING, 0);
  if (place && isKnown) return { ...place, first: [], isEnd: isSamePosition(place, end) };
  return { ...end, isEnd: true, first: received === null ? [] : [{ type: 'resync', body: {} }] };
}

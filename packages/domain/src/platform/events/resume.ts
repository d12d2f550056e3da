import type { Pool } from 'pg';
import { readExtent } from './event-log.ts';
import type { ResumePoint } from './follow.ts';

/**
 * Returns where a subscription continues: after the last event that the client received, or at the end of the log. When the
 * log no longer reaches back to that event, the subscription starts at the end with `resync`.
 */
export async function resumeOrEnd(pool: Pool, lastEventId: string | null | undefined): Promise<ResumePoint> {
  const { end, prunedThrough } = await readExtent(pool);
  if (lastEventId == null) return { position: end, first: [] };
  const position = Number(lastEventId);
  const isKnown = position >= prunedThrough && position <= end;
  return isKnown ? { position, first: [] } : { position: end, first: [{ type: 'resync', body: {} }] };
}

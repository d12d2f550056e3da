import type { Pool } from 'pg';
import { readExtent } from './event-log.ts';
import type { Beginning } from './follow.ts';

/**
 * Where a viewer goes on: after the event that it last saw; at the log's end when it saw none; and when the log no longer
 * reaches back to it, at the end too, with `resync`.
 */
export async function resumeOrEnd(pool: Pool, lastEventId: string | null | undefined): Promise<Beginning> {
  const { end, prunedThrough } = await readExtent(pool);
  if (lastEventId == null) return { position: end, first: [] };
  const position = Number(lastEventId);
  const isKnown = position >= prunedThrough && position <= end;
  return isKnown ? { position, first: [] } : { position: end, first: [{ type: 'resync', body: {} }] };
}

import type { StreamTicketInput, TicketStreamEvent } from '@firmdesk/contract';
import type { Pool } from 'pg';
import type { z } from 'zod';
import { ApiError } from '../platform/errors.ts';
import type { ResumePoint } from '../platform/events/follow.ts';
import { resumeOrEnd } from '../platform/events/resume.ts';
import { queryPool } from '../platform/query-pool.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { type TrackedStream, trackedEvents } from '../procedures/tracked-stream.ts';
import { ticketTopic } from './topics.ts';

/**
 * Streams a ticket's events, from now on or after the viewer's last event. A viewer who joins during a reply first gets its
 * text so far. Throws `resource_not_found`.
 */
export async function streamTicket(
  { services, workspace }: AccountContext,
  { ticket: ticketId, lastEventId }: z.output<typeof StreamTicketInput>,
  signal: AbortSignal,
): Promise<TrackedStream<TicketStreamEvent>> {
  const { pool, live } = services;
  const { rowCount } = await queryPool(pool, 'select from tickets where id = $1 and workspace_id = $2', [
    ticketId,
    workspace.id,
  ]);
  if (!rowCount) throw new ApiError('resource_not_found');
  const begin = () => (lastEventId == null ? join(pool, ticketId) : resume(pool, ticketId, lastEventId));
  return trackedEvents(await live.follow(ticketTopic(ticketId), begin, signal));
}

/** Returns the point after the viewer's last event. If that is no longer in the log, resyncs and sends streaming texts again. */
async function resume(pool: Pool, ticketId: string, lastEventId: string): Promise<ResumePoint> {
  const beginning = await resumeOrEnd(pool, lastEventId);
  if (beginning.first.length === 0) return beginning;
  const { position, first } = await join(pool, ticketId);
  return { position, first: [...beginning.first, ...first] };
}

/** Returns the end of the log and the text of each streaming reply up to there, read in one statement. */
async function join(pool: Pool, ticketId: string): Promise<ResumePoint> {
  const { rows } = await queryPool<{ end: string; message_id: string | null; text: string }>(pool, {
    name: 'live-join',
    text: `
      with log as (
        select greatest(h.pruned_through, (select max(position) from live_events)) as "end" from live_horizon h)
      select log."end", m.id as message_id, coalesce((
        select string_agg(e.body ->> 'text', '' order by e.position) from live_events e
        where e.ticket_id = $1 and e.type = 'text_delta' and e.body ->> 'message_id' = m.id
          and e.position > coalesce((
            select max(r.position) from live_events r
            where r.ticket_id = $1 and r.type = 'text_reset' and r.body ->> 'message_id' = m.id), 0)), '') as text
      from log left join ticket_messages m on m.ticket_id = $1 and m.streaming`,
    values: [ticketId],
  });
  return {
    position: Number(rows[0]!.end),
    first: rows.flatMap(({ message_id, text }) =>
      message_id === null ? [] : [{ type: 'snapshot', body: { message_id, text } }],
    ),
  };
}

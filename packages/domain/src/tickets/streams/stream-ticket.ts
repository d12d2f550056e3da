import type { StreamTicketInput, TicketStreamEvent } from '@firmdesk/contract';
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { Received, ResumePoint } from '../../platform/events/follow.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { type TrackedStream, trackedEvents } from '../../procedures/tracked-stream.ts';
import { ticketEventToWire } from './publish.ts';
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
  const { rowCount } = await pool.query('select from tickets where id = $1 and workspace_id = $2', [
    ticketId,
    workspace.id,
  ]);
  if (!rowCount) throw new ApiError('resource_not_found');
  const events = await live.follow({
    topic: ticketTopic(workspace.id, ticketId),
    lastEventId,
    findStart: (received) => findStart(services, workspace.id, ticketId, received),
    signal,
  });
  return trackedEvents(events, ticketEventToWire(services));
}

/** Returns the point after the viewer's last event. If that is no longer in the log, resyncs and sends streaming texts again. */
async function findStart(
  { pool, live }: Services,
  workspaceId: number,
  ticketId: string,
  received: Received,
): Promise<ResumePoint> {
  if (received === null) return await join(pool, workspaceId, ticketId);
  const start = await live.resumeOrEnd(workspaceId, received);
  if (start.first.length === 0) return start;
  const { first, ...end } = await join(pool, workspaceId, ticketId);
  return { ...end, first: [...start.first, ...first] };
}

/** Returns the end of the log and the text of each streaming reply up to there, read in one statement. */
async function join(pool: Pool, workspaceId: number, ticketId: string): Promise<ResumePoint> {
  const { rows } = await pool.query<{ end: string; tag: number; message_id: string | null; text: string }>({
    name: 'live-join',
    text: `
      select h.position as "end", h.tag, m.id as message_id, coalesce((
        select string_agg(e.body ->> 'text', '' order by e.position) from event_log e
        where e.workspace_id = $1 and e.subject = $2 and e.type = 'text_delta' and e.body ->> 'message_id' = m.id
          and e.position > coalesce((
            select max(r.position) from event_log r
            where r.workspace_id = $1 and r.subject = $2 and r.type = 'text_reset'
              and r.body ->> 'message_id' = m.id), 0)), '') as text
      from event_log_heads h
      left join ticket_messages m on m.workspace_id = $1 and m.ticket_id = $2 and m.streaming
      where h.workspace_id = $1`,
    values: [workspaceId, ticketId],
  });
  const { end, tag } = rows[0]!;
  return {
    position: Number(end),
    tag,
    isEnd: true,
    first: rows.flatMap(({ message_id, text }) =>
      message_id === null ? [] : [{ type: 'snapshot', body: { message_id, text } }],
    ),
  };
}

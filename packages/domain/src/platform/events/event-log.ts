import type { Pool } from 'pg';

/** What an event is of: a ticket, or one person's own affairs in a workspace. */
export type EventOf = { ticketId: string; userId?: never } | { userId: string; ticketId?: never };

export type NewLiveEvent = EventOf & {
  workspaceId: number;
  type: string;
  /** What viewers receive beside `type`. */
  body: object;
};

/** A row of the log. Positions rise in the order of commits, so nothing ever appears below one that was read. */
export type LiveEvent = NewLiveEvent & { position: number };

/** What a subscription follows: one ticket, the changes of all tickets of a firm, or what is one person's own there. */
export type Topic = { ticketId: string } | { workspaceId: number; userId?: string };

const COLUMNS = 'position, workspace_id, ticket_id, user_id, type, body';

interface Row {
  position: string;
  workspace_id: number;
  ticket_id: string | null;
  user_id: string | null;
  type: string;
  body: object;
}

function eventOf(row: Row): LiveEvent {
  return {
    ...(row.ticket_id === null ? { userId: row.user_id! } : { ticketId: row.ticket_id }),
    position: Number(row.position),
    workspaceId: row.workspace_id,
    type: row.type,
    body: row.body,
  };
}

/** The next rows of the whole log. */
export async function readLog(pool: Pool, after: number, limit: number): Promise<LiveEvent[]> {
  const { rows } = await pool.query<Row>({
    name: 'live-log',
    text: `select ${COLUMNS} from live_events where position > $1 order by position limit $2`,
    values: [after, limit],
  });
  return rows.map(eventOf);
}

/** The next rows of one topic. */
export async function readTopic(
  pool: Pool,
  topic: Topic,
  after: number,
  limit: number,
): Promise<LiveEvent[]> {
  const { name, condition, values } = selectionOf(topic);
  const { rows } = await pool.query<Row>({
    name,
    text: `select ${COLUMNS} from live_events where ${condition} and position > $1 order by position limit $2`,
    values: [after, limit, ...values],
  });
  return rows.map(eventOf);
}

function selectionOf(topic: Topic): { name: string; condition: string; values: unknown[] } {
  if ('ticketId' in topic)
    return { name: 'live-ticket', condition: 'ticket_id = $3', values: [topic.ticketId] };
  if (topic.userId !== undefined) {
    const values = [topic.workspaceId, topic.userId];
    return { name: 'live-person', condition: 'workspace_id = $3 and user_id = $4', values };
  }
  const condition = `workspace_id = $3 and type = 'ticket.updated'`;
  return { name: 'live-inbox', condition, values: [topic.workspaceId] };
}

/** Where the log ends, and up to where it has been pruned. */
export async function readExtent(pool: Pool): Promise<{ end: number; prunedThrough: number }> {
  const { rows } = await pool.query<{ end: string; pruned: string }>({
    name: 'live-extent',
    text: `select greatest(h.pruned_through, (select max(position) from live_events)) as end,
      h.pruned_through as pruned from live_horizon h`,
  });
  return { end: Number(rows[0]?.end ?? 0), prunedThrough: Number(rows[0]?.pruned ?? 0) };
}

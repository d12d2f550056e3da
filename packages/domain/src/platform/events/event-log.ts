import type { Pool } from 'pg';

/** An event is about one ticket, or for one user in a workspace. */
export type NewLiveEvent = ({ ticketId: string; userId?: never } | { userId: string; ticketId?: never }) & {
  workspaceId: number;
  type: string;
  /** The payload that subscribers receive, in addition to `type`. */
  body: object;
};

/** A row of the log. Positions rise in commit order, so no event can appear before a position that was already read. */
export type LiveEvent = NewLiveEvent & { position: number };

/** A kind of topic: how the log selects its events. Declared by the feature that publishes them. */
export interface TopicKind {
  /** The name of the prepared statement. */
  name: string;
  /** The SQL condition on `live_events`. Its parameters start at `$3`; an index starts with its columns. */
  condition: string;
  /** Returns the key of the topic that an event belongs to; null if it belongs to no topic of this kind. */
  keyOf(event: LiveEvent): string | null;
}

/** The events that a subscription follows: those of a kind with this key, for example of one ticket. */
export interface Topic {
  kind: TopicKind;
  key: string;
  /** The parameters of the kind's condition. */
  values: unknown[];
}

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

/** Returns the next rows of the whole log. */
export async function readLog(pool: Pool, after: number, limit: number): Promise<LiveEvent[]> {
  const { rows } = await pool.query<Row>({
    name: 'live-log',
    text: `select ${COLUMNS} from live_events where position > $1 order by position limit $2`,
    values: [after, limit],
  });
  return rows.map(eventOf);
}

/** Returns the next rows of one topic. */
export async function readTopic(
  pool: Pool,
  { kind, values }: Topic,
  after: number,
  limit: number,
): Promise<LiveEvent[]> {
  const { rows } = await pool.query<Row>({
    name: kind.name,
    text: `select ${COLUMNS} from live_events where ${kind.condition} and position > $1 order by position limit $2`,
    values: [after, limit, ...values],
  });
  return rows.map(eventOf);
}

/** Returns the last position of the log, and the position up to which the log was pruned. */
export async function readExtent(pool: Pool): Promise<{ end: number; prunedThrough: number }> {
  const { rows } = await pool.query<{ end: string; pruned: string }>({
    name: 'live-extent',
    text: `select greatest(h.pruned_through, (select max(position) from live_events)) as end,
      h.pruned_through as pruned from live_horizon h`,
  });
  return { end: Number(rows[0]?.end ?? 0), prunedThrough: Number(rows[0]?.pruned ?? 0) };
}

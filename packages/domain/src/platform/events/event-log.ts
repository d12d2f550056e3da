import type { Pool } from 'pg';
import type { FirmServers } from '../database/firm-servers.ts';
import { allFirms } from '../distribution/all-firms.ts';
import type { LogPosition } from './event-id.ts';

/** The kind of the signals that a firm's log has new events. Their id is the firm's. */
export const EVENTS_APPENDED = 'log';

/** An event of a firm's log. */
export interface NewLiveEvent {
  /** What it is about: the id of a ticket, or a word for all events of a kind. */
  subject: string;
  type: string;
  /** The payload that subscribers receive, in addition to `type`. */
  body: object;
}

/** An event with its place in the firm's log. Positions are given after the commit, so none appears below one that was read. */
export interface LiveEvent extends NewLiveEvent, LogPosition {}

/** The events that a subscription follows: those of one subject, or all of one type. */
export type Topic = { workspaceId: number } & (
  | { subject: string; type?: never }
  | { type: string; subject?: never }
);

/** Which events of a firm a process reads. */
export interface Filter {
  /** Null for all. */
  subjects: string[] | null;
  types: string[];
}

interface Row {
  position: string | null;
  tag: number;
  subject: string;
  type: string;
  body: object;
}

const COLUMNS = 'e.position, e.tag, e.subject, e.type, e.body';

const eventsOf = (rows: readonly Row[]): LiveEvent[] =>
  rows.flatMap(({ position, tag, subject, type, body }) =>
    position === null ? [] : [{ position: Number(position), tag, subject, type, body }],
  );

/** Creates the row of a firm's log that holds its last position, if it does not exist. */
export async function ensureHead(pool: Pool, workspaceId: number): Promise<void> {
  await pool.query({
    name: 'log-ensure-head',
    text: 'insert into event_log_heads (workspace_id) values ($1) on conflict do nothing',
    values: [workspaceId],
  });
}

export interface Placed {
  /** The end of the log before. */
  base: LogPosition;
  /** The end of the log after. */
  end: LogPosition;
  count: number;
  /** Those that match the filter, in order. */
  events: LiveEvent[];
}

/**
 * Gives positions to at most `limit` committed events of a firm that have none, in the order in which they were inserted. Writers
 * take no part in this, and processes take turns by the lock of the firm's head. Returns null if there are none.
 *
 * An event is inserted under a lock on its subject, so an earlier event of the subject is either committed and has a lower id, or
 * has its position.
 */
export async function placeEvents(
  pool: Pool,
  workspaceId: number,
  { subjects, types }: Filter,
  limit: number,
): Promise<Placed | null> {
  const { rows } = await pool.query<
    Row & { base: string; base_tag: number; end: string | null; end_tag: number | null; count: number }
  >({
    name: 'log-place',
    // A process that waits for the head's lock sees the events as they were before; `e.position is null` is checked again.
    text: `
      with head as materialized (
        select position, tag from event_log_heads
        where workspace_id = $1
          and exists (select from event_log where workspace_id = $1 and position is null)
        for update),
      unplaced as materialized (
        select id, row_number() over (order by id) as n from event_log
        where workspace_id = $1 and position is null order by id limit $2),
      placed as (
        update event_log e set position = head.position + unplaced.n from head, unplaced
        where e.workspace_id = $1 and e.id = unplaced.id and e.position is null
        returning ${COLUMNS}),
      last as materialized (select position, tag from placed order by position desc limit 1),
      moved as (
        update event_log_heads h set position = last.position, tag = last.tag from last where h.workspace_id = $1)
      select head.position as base, head.tag as base_tag, last.position as "end", last.tag as end_tag,
        (select count(*)::integer from placed) as count, ${COLUMNS}
      from head left join last on true
        left join placed e on $3::text[] is null or e.subject = any($3) or e.type = any($4::text[])
      order by e.position`,
    values: [workspaceId, limit, subjects, types],
  });
  const [first] = rows;
  if (!first) return null;
  const base = { position: Number(first.base), tag: first.base_tag };
  const end = first.end === null ? base : { position: Number(first.end), tag: first.end_tag! };
  return { base, end, count: first.count, events: eventsOf(rows) };
}

export interface LogPage {
  /** The end of the firm's log. */
  end: LogPosition;
  /** Whether the log still contains every event after the given place. */
  isKnown: boolean;
  events: LiveEvent[];
}

/** Returns whether the log contains a place, and the next events after it that match the filter. */
export async function readLog(
  pool: Pool,
  workspaceId: number,
  after: LogPosition,
  { subjects, types }: Filter,
  limit: number,
): Promise<LogPage> {
  const { rows } = await pool.query<Row & { end: string; end_tag: number; known: boolean }>({
    name: 'log-read',
    text: `
      select h.position as "end", h.tag as end_tag,
        $2 >= h.pruned_through and (
          (h.position = $2 and h.tag = $3) or (h.pruned_through = $2 and h.pruned_tag = $3)
          or exists (select from event_log where workspace_id = $1 and position = $2 and tag = $3)) as known,
        ${COLUMNS}
      from event_log_heads h
      left join lateral (
        select * from event_log
        where workspace_id = $1 and position > $2 and position <= h.position
          and ($4::text[] is null or subject = any($4) or type = any($5::text[]))
        order by position limit $6) e on true
      where h.workspace_id = $1
      order by e.position`,
    values: [workspaceId, after.position, after.tag, subjects, types, limit],
  });
  const [first] = rows;
  if (!first) {
    return { end: { position: 0, tag: 0 }, isKnown: after.position === 0 && after.tag === 0, events: [] };
  }
  return {
    end: { position: Number(first.end), tag: first.end_tag },
    isKnown: first.known,
    events: eventsOf(rows),
  };
}

/** Returns the next events of one topic. */
export async function readTopic(
  pool: Pool,
  { workspaceId, subject, type }: Topic,
  after: number,
  limit: number,
): Promise<LiveEvent[]> {
  const { rows } = await pool.query<Row>({
    name: subject === undefined ? 'log-type' : 'log-subject',
    text: `select ${COLUMNS} from event_log e
      where e.workspace_id = $1 and ${subject === undefined ? 'e.type' : 'e.subject'} = $2 and e.position > $3
      order by e.position limit $4`,
    values: [workspaceId, subject ?? type, after, limit],
  });
  return eventsOf(rows);
}

/** Returns the ends of the firms' logs; not those of logs that have events without a position. */
export async function readHeads(
  firmServers: FirmServers,
  workspaceIds: readonly number[],
): Promise<Map<number, LogPosition>> {
  const rows = await firmServers.readAll<{ workspace_id: number; position: string | null; tag: number }>({
    name: 'log-heads',
    text: (isAmong) => `${allFirms('log-ends')}
      select workspace_id, position, tag from event_log_heads
      where workspace_id = any($1::integer[]) and ${isAmong('workspace_id')}
      union all
      select distinct workspace_id, null::bigint, 0 from event_log
      where workspace_id = any($1::integer[]) and position is null and ${isAmong('workspace_id')}`,
    values: [workspaceIds],
  });
  const heads = new Map<number, LogPosition>();
  for (const { workspace_id, position, tag } of rows) {
    if (position !== null) heads.set(workspace_id, { position: Number(position), tag });
  }
  for (const { workspace_id, position } of rows) if (position === null) heads.delete(workspace_id);
  return heads;
}

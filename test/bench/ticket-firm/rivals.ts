import type { Pool } from 'pg';

const COLUMNS = `t.id, t.number, t.subject, t.status, t.priority, t.ai_enabled, t.ai_blocked, t.unread, t.last_from,
  t.last_message_at, t.created_at, t.closed_at, t.snoozed_at, t.snoozed_until, t.woken_at,
  t.first_response_due_at, t.resolution_due_at, t.trader_id, t.assignee_id, t.team_id,
  t.queue_rank, t.queue_key, t.queue_tie`;

/**
 * A hand-written list of the first 20 tickets of the queue, in the contract's form: one prepared statement that joins only the
 * page's rows, collects tags by their index, and reads one more row to detect another page. It knows no filter, sort or replica, and does
 * not return a cursor.
 */
export async function pageByHand(pool: Pool, firmId: number): Promise<unknown> {
  const { rows } = await pool.query({
    name: 'page-by-hand',
    text: `
      select t.*, u.name as trader_name, u.email, coalesce('/avatars/' || u.avatar_hash, u.avatar_url) as avatar_url, u.deleted_at is not null as deleted,
        a.name as agent_name, coalesce('/avatars/' || a.avatar_hash, a.avatar_url) as agent_avatar, m.name as team_name,
        (select json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color) order by lower(g.name), g.id)
         from ticket_tags x join tags g on g.workspace_id = $1 and g.id = x.tag_id and g.deleted_at is null
         where x.workspace_id = $1 and x.ticket_id = t.id) as tags
      from (select ${COLUMNS} from tickets t where t.workspace_id = $1
        order by t.queue_rank, t.queue_key, t.queue_tie limit 21) t
      join users u on u.id = t.trader_id
      left join users a on a.id = t.assignee_id
      left join teams m on m.workspace_id = $1 and m.id = t.team_id
      order by t.queue_rank, t.queue_key, t.queue_tie`,
    values: [firmId],
  });
  const data = rows.slice(0, 20).map((row) => ({
    object: 'ticket',
    id: row.id,
    number: `#${row.number}`,
    subject: row.subject,
    status: row.status,
    priority: row.priority,
    ai_enabled: row.ai_enabled,
    ai_blocked: row.ai_blocked,
    unread: row.unread,
    last_from: row.last_from,
    last_message_at: row.last_message_at,
    created_at: row.created_at,
    closed_at: row.closed_at,
    snoozed: row.snoozed_at !== null,
    snoozed_until: row.snoozed_until,
    woken_at: row.woken_at,
    first_response_due_at: row.first_response_due_at,
    resolution_due_at: row.resolution_due_at,
    trader: {
      id: row.trader_id,
      name: row.trader_name,
      email: row.email,
      avatar_url: row.avatar_url,
      deleted: row.deleted,
    },
    assignee: row.assignee_id && {
      id: row.assignee_id,
      name: row.agent_name,
      avatar_url: row.agent_avatar,
    },
    team: row.team_id && { id: row.team_id, name: row.team_name },
    tags: row.tags ?? [],
    action_url: `/tickets/${row.id}`,
  }));
  return { data, meta: { has_more: rows.length > 20 } };
}

/** A simple search with ILIKE in every field and message, without an index. */
export async function searchByIlike(
  pool: Pool,
  firmId: number,
  words: readonly string[],
): Promise<{ id: string }[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select t.id from tickets t join users u on u.id = t.trader_id
     where t.workspace_id = $1 ${words
       .map(
         (
           _,
           i,
         ) => `and (t.subject ilike $${i + 2} or u.name ilike $${i + 2} or u.email ilike $${i + 2} or exists (
           select from ticket_messages m where m.ticket_id = t.id and m.body ilike $${i + 2}))`,
       )
       .join(' ')}
     order by t.queue_rank, t.queue_key, t.queue_tie limit 21`,
    [firmId, ...words.map((word) => `%${word}%`)],
  );
  return rows;
}

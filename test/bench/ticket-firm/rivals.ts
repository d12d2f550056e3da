import type { Pool } from 'pg';

const COLUMNS = `t.id, t.number, t.subject, t.status, t.priority, t.ai_enabled, t.ai_blocked, t.unread, t.last_from,
  t.last_message_at, t.created_at, t.closed_at, t.trader_id, t.assignee_id, t.team_id,
  t.queue_rank, t.queue_key, t.queue_tie`;

/**
 * A hand-written query for a page of the queue: prepared, joins only the page's rows, collects tags by their index, and reads
 * one more row to detect another page. It does not convert rows to the contract's form, which favours it.
 */
export async function pageByHand(pool: Pool, firmId: number): Promise<unknown[]> {
  const { rows } = await pool.query({
    name: 'page-by-hand',
    text: `
      select t.*, u.name as trader_name, u.email, u.avatar_url, u.deleted_at is not null as deleted,
        a.name as agent_name, a.avatar_url as agent_avatar, m.name as team_name,
        (select json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color))
         from ticket_tags x join tags g on g.id = x.tag_id and g.deleted_at is null where x.ticket_id = t.id) as tags
      from (select ${COLUMNS} from tickets t where t.workspace_id = $1
        order by t.queue_rank, t.queue_key, t.queue_tie limit 21) t
      join users u on u.id = t.trader_id
      left join users a on a.id = t.assignee_id
      left join teams m on m.id = t.team_id
      order by t.queue_rank, t.queue_key, t.queue_tie`,
    values: [firmId],
  });
  return rows;
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

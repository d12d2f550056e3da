import type { Pool } from 'pg';

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

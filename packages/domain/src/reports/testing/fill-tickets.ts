import type { Pool } from 'pg';

/** Whose tickets {@link fillTickets} creates. */
export interface Desk {
  workspaceId: number;
  traders: readonly string[];
  agents: readonly string[];
  teams: readonly number[];
  tags: readonly number[];
  macros: readonly string[];
  articles: readonly string[];
}

/**
 * Creates tickets with conversations, whose times are spread over days before `until`. The same seed creates the same tickets. Everything is
 * derived from hashes of the ticket's number, so that the database creates many of them fast.
 */
export async function fillTickets(
  pool: Pool,
  { workspaceId, traders, agents, teams, tags, macros, articles }: Desk,
  { count, days, until, seed }: { count: number; days: number; until: Date; seed: number },
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `create temporary table made on commit drop as
       select 'tkt_' || translate(left(md5($1 || '.' || n), 18), 'ilou', 'wxyz') || lpad(to_hex($3::integer * 100000 + n), 8, '0') as id,
         -- Fractions between 0 and 1.
         array(select (('x' || substr(md5($1 || ':' || n || ':' || k), 1, 7))::bit(28)::integer / 268435456.0)::float8
           from generate_series(1, 14) k order by k) as r, n
       from generate_series(1, $2::integer) n`,
      [`${workspaceId}/${seed}`, count, seed % 160],
    );
    await client.query(
      `insert into tickets (workspace_id, id, trader_id, subject, status, priority, assignee_id, team_id, last_message_at,
         trader_wrote_at, created_at, closed_at, waited_seconds, first_response_seconds, search_text, search_pending)
       select $1, id, ($2::text[])[1 + floor(r[1] * cardinality($2::text[]))], 'Payout', case when r[2] < 0.8 then 'resolved' else 'awaiting_admin' end,
         ('{urgent,high,normal,low}'::text[])[1 + floor(r[3] * 4)],
         case when r[4] < 0.8 then ($3::text[])[1 + floor(r[4] / 0.8 * cardinality($3::text[]))] end,
         case when r[5] < 0.7 then ($4::integer[])[1 + floor(r[5] / 0.7 * cardinality($4::integer[]))] end,
         at, at, at, case when r[2] < 0.8 then least($5::timestamptz, at + r[6] ^ 3 * interval '12 days') end,
         case when r[7] > 0.2 then floor(r[7] * 30000) else 0 end, case when r[8] < 0.9 then floor(r[8] * 9000) end, 'payout', false
       from (select *, date_trunc('milliseconds', $5::timestamptz - r[9] * $6 * interval '1 day') as at from made) m`,
      [workspaceId, traders, agents, teams, until.toISOString(), days],
    );
    await client.query(
      `insert into ticket_messages (workspace_id, id, ticket_id, from_kind, author_id, author, body, internal, event, macro_ids,
         article_ids, created_at, search_text, search_pending)
       select $1, replace(m.id, 'tkt_', 'tmsg_') || k, m.id, kind, case kind when 'admin' then
           ($2::text[])[1 + floor(m.r[10 + k % 5] * cardinality($2::text[]))] end, kind, 'text', internal, event,
         case when kind = 'admin' and m.r[10 + k % 3] < 0.3 then array[($3::text[])[1 + floor(m.r[11] * cardinality($3::text[]))], 'unknown'] end,
         case when kind = 'ai' and m.r[12] < 0.6 then array[($5::text[])[1 + floor(m.r[14] * cardinality($5::text[]))], 'unknown'] end,
         least($4::timestamptz, t.created_at + after), 'text', false
       from made m join tickets t on t.workspace_id = $1 and t.id = m.id
       cross join lateral (values
         (0, 'trader', false, null, interval '0', true),
         (1, 'ai', false, null, interval '1 minute', m.r[10] < 0.5),
         (2, 'admin', true, 'ai_command', interval '2 minutes', m.r[11] < 0.1),
         (3, 'admin', true, null, interval '3 minutes', m.r[12] < 0.3),
         (4, 'admin', false, null, m.r[13] ^ 3 * interval '4 days', m.r[10] > 0.3),
         (5, 'trader', false, null, m.r[13] ^ 3 * interval '5 days' + interval '1 hour', m.r[11] < 0.6),
         (6, 'admin', false, null, m.r[13] ^ 3 * interval '5 days' + m.r[14] * interval '9 hours' + interval '1 hour', m.r[12] < 0.6)
       ) as written (k, kind, internal, event, after, exists_) where exists_`,
      [workspaceId, agents, macros, until.toISOString(), articles],
    );
    await client.query(
      `update tickets t set last_message_at = greatest(t.last_message_at, m.at) from (
         select ticket_id, max(created_at) as at from made join ticket_messages m on m.workspace_id = $1 and m.ticket_id = made.id
         where not internal group by 1) m
       where t.workspace_id = $1 and t.id = m.ticket_id`,
      [workspaceId],
    );
    await client.query(
      `insert into ticket_tags (workspace_id, ticket_id, tag_id)
       select $1, id, tag from made, unnest($2::integer[]) with ordinality as x (tag, i) where r[i] < 0.3`,
      [workspaceId, tags],
    );
    await client.query(
      `insert into ticket_ratings (workspace_id, ticket_id, asked_at, score, rated_at)
       select $1, t.id, closed_at, case when r[14] < 0.7 then 1 + floor(r[14] * 7) end, case when r[14] < 0.7 then closed_at + interval '1 hour' end
       from made m join tickets t on t.workspace_id = $1 and t.id = m.id where closed_at is not null and r[13] < 0.4`,
      [workspaceId],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
}

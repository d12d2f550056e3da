import pg from 'pg';

/** The `n`th write of its operation in a process. */
export type Write = (n: number) => Promise<unknown>;

/** The highest number of concurrent writers. */
export const MAX_CONNECTIONS = 32;
export const FIRMS = 200;
export const AGENTS = 500;
const TICKETS_PER_FIRM = 20;
/** Statements are planned on the first writes. In an empty table, their plans would be those of a firm without a message. */
const MESSAGES_PER_TICKET = 10;

const TRADER = userId(AGENTS + 1);

/** Returns the agent to whom the tickets of a firm are assigned, and who writes all notes. */
export function agentOf(firm: number): { id: string; name: string } {
  return { id: userId(1 + firm), name: `Agent ${1 + firm}` };
}

export function slugOf(firm: number): string {
  return `firm-${firm}`;
}

/** Returns the firm and the ticket of a note: one of each firm in turn. */
export function placeOf(n: number): { firm: number; ticket: string } {
  const firm = n % FIRMS;
  const ticket = Math.floor(n / FIRMS) % TICKETS_PER_FIRM;
  return { firm, ticket: `tkt_${String(firm * TICKETS_PER_FIRM + ticket).padStart(26, '0')}` };
}

function userId(n: number): string {
  return `usr_${String(n).padStart(26, '0')}`;
}

/** Fills a migrated database: every agent works for every firm. */
export async function fill(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`
      insert into workspaces (id, slug, name, created_at)
      overriding system value
      select 1000 + n, 'firm-' || n, 'Firm ' || n, now() from generate_series(0, ${FIRMS - 1}) n`);
    await client.query(`
      insert into users (id, email, name, created_at)
      select 'usr_' || lpad(n::text, 26, '0'), 'agent' || n || '@example.com', 'Agent ' || n, now()
      from generate_series(1, ${AGENTS + 1}) n`);
    await client.query(`
      insert into memberships (workspace_id, user_id, role, permissions, created_at)
      select w.id, u.id, case when u.id = '${TRADER}' then 'trader' else 'admin' end,
        case when u.id = '${TRADER}' then '{}'::text[] else '{view_tickets}' end, now()
      from workspaces w cross join users u where w.slug like 'firm-%'`);
    await client.query(`
      insert into tickets (id, workspace_id, trader_id, subject, status, ai_enabled, assignee_id, last_message_at,
        trader_wrote_at, created_at, search_text)
      select 'tkt_' || lpad((n * ${TICKETS_PER_FIRM} + m)::text, 26, '0'), 1000 + n, '${TRADER}', 'Payout question',
        case when n % 2 = 0 then 'awaiting_trader' else 'awaiting_admin' end, false, 'usr_' || lpad((1 + n)::text, 26, '0'), now(), now(), now(), 'payout question'
      from generate_series(0, ${FIRMS - 1}) n, generate_series(0, ${TICKETS_PER_FIRM - 1}) m`);
    await client.query(`
      insert into ticket_messages (id, ticket_id, workspace_id, from_kind, author_id, author, body, read_at, created_at, search_text)
      select 'tmsg_' || t.id || '_' || n, t.id, t.workspace_id, 'trader', '${TRADER}', 'Trader', 'When is the payout sent?', now(),
        t.created_at - make_interval(mins => n), 'when is the payout sent?'
      from tickets t cross join generate_series(1, ${MESSAGES_PER_TICKET}) n`);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

export function workspaceIdOf(firm: number): number {
  return 1_000 + firm;
}

export function bodyOf(n: number): string {
  return `Thank you for your patience: the payout of last week was sent, see number ${n % 100}.`;
}

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { IS_ADMIN, IS_AGENT, PERMISSIONS } from '../../../packages/domain/src/access/policy.ts';
import { newId } from '../../../packages/domain/src/platform/ids.ts';
import { wireTypes } from '../../../packages/domain/src/platform/wire-types.ts';
import { messageSearchText } from '../../../packages/domain/src/tickets/search-text.ts';
import { selectTicketRows, type TicketRow } from '../../../packages/domain/src/tickets/ticket-row.ts';
import {
  agentOf,
  bodyOf,
  FIRMS,
  MAX_CONNECTIONS,
  placeOf,
  slugOf,
  statusOf,
  type Write,
  type WriteOperation,
  type WritesTarget,
  workspaceIdOf,
} from './data.ts';

const LOCK = {
  name: 'lock',
  text: 'select from tickets where workspace_id = $1 and id = $2 for no key update',
};
const HAS_DRAFTS =
  'exists (select from reply_drafts where workspace_id = $1 and ticket_id = $2) as has_drafts';
const STATE = {
  name: 'state',
  text: `select t.*,
      (select max(created_at) from ticket_messages where workspace_id = $1 and ticket_id = $2) as last_written_at,
      ${HAS_DRAFTS},
      exists (
        select from assistant_runs where workspace_id = $1 and ticket_id = $2 and ended_at is null) as has_pending_runs
    from (${selectTicketRows('select t.* from tickets t where t.workspace_id = $1 and t.id = $2')}) t`,
};
const WRITTEN = {
  name: 'written',
  text: `select max(created_at) as last_written_at, ${HAS_DRAFTS}
    from ticket_messages where workspace_id = $1 and ticket_id = $2`,
};
const INSERT_MESSAGE = {
  name: 'insert-message',
  text: `insert into ticket_messages (workspace_id, ticket_id, id, from_kind, author_id, author, body, internal, created_at,
      search_text)
    values ($1, $2, $3, 'admin', $4, $5, $6, $7, $8, $9)`,
};
const UPDATE_TICKET = {
  name: 'update-ticket',
  text: `update tickets set status = $3, priority = $4, ai_enabled = $5, ai_blocked = $6, assignee_id = $7, team_id = $8,
      unread = $9, last_from = $10, last_message_at = $11, closed_at = $12
    where workspace_id = $1 and id = $2`,
};
const INSERT_CHANGE = {
  name: 'insert-change',
  text: `insert into audit_events (workspace_id, created_at, actor_kind, actor, action, target_type, target_id, before, after)
    values ($1, $2, 'account', $3, 'ticket.changed', 'ticket', $4, $5, $6)`,
};
const DELETE_DRAFT = {
  name: 'delete-draft',
  text: `delete from reply_drafts where workspace_id = $1 and user_id = $2 and ticket_id = $3 and mode = $4 and btrim(text) = $5`,
};
const AGENTS = `
  select m.user_id from memberships m join users u on u.id = m.user_id where m.workspace_id = $1 and ${IS_AGENT}`;
const AGENTS_OF_TICKET = {
  name: 'agents',
  text: `with assigned as materialized (
      ${AGENTS} and m.user_id = any(array(
        select $2::text union all select user_id from team_members where workspace_id = $1 and team_id = $3)))
    select user_id from assigned
    union all (${AGENTS} and not exists (select from assigned) order by m.user_id)`,
};
const WORKSPACE = { name: 'workspace', text: 'select * from workspaces where slug = $1' };
const RECIPIENTS = {
  name: 'recipients',
  text: `select u.id from users u join memberships m on m.user_id = u.id
    where m.workspace_id = $1 and ${IS_ADMIN} and $2 = any(${PERMISSIONS}) order by u.id`,
};
const INSERT_NOTIFICATIONS = {
  name: 'insert-notifications',
  text: `insert into notifications (workspace_id, user_id, id, kind, title, body, action_url, created_at)
    select $1, user_id, id, $2, $3, null, $4, $5 from unnest($6::text[], $7::uuid[]) as recipient (user_id, id)`,
};

/** Where a write is made, and by whom. */
interface Place {
  firm: number;
  id: string;
  agent: { id: string; name: string };
}

type Written = { last_written_at: string | null; has_drafts: boolean };
type State = TicketRow & Written;

/**
 * The statements of our operations without those of the event log, jobs and pushes, as a careful engineer would send them:
 * prepared, on a pool, several in one round trip.
 */
export function openByHand({ databaseUrl }: WritesTarget): Record<WriteOperation, Write> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: MAX_CONNECTIONS,
    pipeline: true,
    types: wireTypes,
  } as pg.PoolConfig);

  const transaction = async (
    work: (client: pg.PoolClient) => Promise<unknown>[] | Promise<Promise<unknown>[]>,
  ) => {
    const client = await pool.connect();
    try {
      const sent = await work(client);
      await Promise.all([...sent, client.query('commit')]);
    } finally {
      client.release();
    }
  };
  const lock = async <Row extends pg.QueryResultRow>(
    client: pg.PoolClient,
    firm: number,
    id: string,
    read: { name: string; text: string },
  ) => {
    const values = [firm, id];
    const [, , { rows }] = await Promise.all([
      client.query('begin'),
      client.query({ ...LOCK, values }),
      client.query<Row>({ ...read, values }),
    ]);
    return rows[0]!;
  };
  const insertMessage = (
    client: pg.PoolClient,
    { firm, id, agent }: Place,
    at: Date,
    body: string,
    internal: boolean,
  ) =>
    client.query({
      ...INSERT_MESSAGE,
      values: [
        firm,
        id,
        newId('ticketMessage', at),
        agent.id,
        agent.name,
        body,
        internal,
        at.toISOString(),
        messageSearchText(body),
      ],
    });
  const updateTicket = (client: pg.PoolClient, firm: number, t: State) =>
    client.query({
      ...UPDATE_TICKET,
      values: [
        firm,
        t.id,
        t.status,
        t.priority,
        t.ai_enabled,
        t.ai_blocked,
        t.assignee_id,
        t.team_id,
        t.unread,
        t.last_from,
        t.last_message_at,
        t.closed_at,
      ],
    });
  const recordStatus = (
    client: pg.PoolClient,
    { firm, agent }: Place,
    t: Pick<State, 'id' | 'status'>,
    status: string,
  ) => {
    const [before, after] = [{ status: t.status }, { status }].map((values) => JSON.stringify(values));
    const at = new Date().toISOString();
    return client.query({ ...INSERT_CHANGE, values: [firm, at, agent.id, t.id, before, after] });
  };
  const deleteDraft = (client: pg.PoolClient, { firm, id, agent }: Place, mode: string, body: string) =>
    client.query({ ...DELETE_DRAFT, values: [firm, agent.id, id, mode, body] });
  const inTicket = (n: number, operation: WriteOperation): Place => {
    const { firm, ticket } = placeOf(n, operation);
    return { firm: workspaceIdOf(firm), id: ticket, agent: agentOf(firm) };
  };
  const after = ({ last_written_at }: Pick<Written, 'last_written_at'>) =>
    new Date(Math.max(Date.now(), last_written_at === null ? 0 : Date.parse(last_written_at) + 1));

  return {
    replies: (n) =>
      transaction(async (client) => {
        const place = inTicket(n, 'replies');
        const { firm, id } = place;
        const state = await lock<State>(client, firm, id, STATE);
        const at = after(state);
        const answered = {
          ...state,
          status: 'awaiting_trader',
          last_from: 'admin',
          last_message_at: at.toISOString(),
        };
        return [
          insertMessage(client, place, at, bodyOf(n), false),
          updateTicket(client, firm, answered as State),
          ...(state.status === answered.status ? [] : [recordStatus(client, place, state, answered.status)]),
          ...(state.has_drafts ? [deleteDraft(client, place, 'reply', bodyOf(n))] : []),
        ];
      }),
    notes: (n) =>
      transaction(async (client) => {
        const place = inTicket(n, 'notes');
        const { firm, id } = place;
        const state = await lock<Written>(client, firm, id, WRITTEN);
        return [
          insertMessage(client, place, after(state), bodyOf(n), true),
          ...(state.has_drafts ? [deleteDraft(client, place, 'note', bodyOf(n))] : []),
        ];
      }),
    'status changes': (n) =>
      transaction(async (client) => {
        const place = inTicket(n, 'status changes');
        const { firm, id } = place;
        const state = await lock<State>(client, firm, id, STATE);
        const status = statusOf(n);
        if (status === state.status) return [];
        const update = updateTicket(client, firm, { ...state, status });
        if (status === 'awaiting_admin') {
          await client.query({ ...AGENTS_OF_TICKET, values: [firm, state.assignee_id, state.team_id] });
        }
        return [update, recordStatus(client, place, state, status)];
      }),
    'notifications to 500': (n) =>
      transaction(async (client) => {
        const [, { rows }] = await Promise.all([
          client.query('begin'),
          client.query<{ id: number }>({ ...WORKSPACE, values: [slugOf(n % FIRMS)] }),
        ]);
        const { id } = rows[0]!;
        const recipients = await client.query<{ id: string }>({
          ...RECIPIENTS,
          values: [id, 'view_tickets'],
        });
        const users = recipients.rows.map((row) => row.id);
        const values = [
          id,
          'ticket_awaiting_admin',
          'A ticket awaits an answer',
          '/tickets',
          new Date().toISOString(),
          users,
          users.map(() => randomUUID()),
        ];
        return [client.query({ ...INSERT_NOTIFICATIONS, values })];
      }),
  };
}

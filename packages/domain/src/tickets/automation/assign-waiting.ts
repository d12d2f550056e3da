import type { AssignmentMode } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { selectAvatar } from '../../access/accounts/avatar.ts';
import { firmIdOf, MAY_ANSWER } from '../../access/policy.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { allFirms } from '../../platform/distribution/all-firms.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';
import { isServed } from '../../platform/jobs/suspended-firms.ts';
import type { Services } from '../../platform/services.ts';
import { changeTicket } from '../changes/changes.ts';
import { lockTickets, type TicketState } from '../ticket-state.ts';
import { notifyOfAssignment } from './notify-of-assignment.ts';

type Mode = Exclude<AssignmentMode, 'off'>;

interface Waiting {
  ticket_id: string;
  team_id: number;
  position: string;
}

/**
 * Handles `tickets.assign_waiting`: assigns the firm's tickets that wait for an agent, in the order of their arrival. A ticket stays in its
 * team's queue while no agent of the team is available or has room.
 */
export async function assignWaiting(
  services: Services,
  { workspace }: { workspace: number },
  signal?: AbortSignal,
): Promise<void> {
  const full: number[] = [];
  let last = '0';
  while (!signal?.aborted) {
    const { rows } = await services.pool.query<Waiting>(
      `select ticket_id, team_id, position from waiting_assignments
       where workspace_id = $1 and position > $2 and team_id <> all($3::integer[]) order by position limit 1`,
      [workspace, last, full],
    );
    const [next] = rows;
    if (!next) return;
    last = next.position;
    if (!(await withTransaction(services, (ctx) => assign(ctx, workspace, next.ticket_id))))
      full.push(next.team_id);
  }
}

/** Assigns tickets in all firms where some wait: permissions and teams change without telling. */
export const assignAllWaitingJob = defineJob('tickets.assign_all_waiting', z.object({}));

/** Handles {@link assignAllWaitingJob}. A firm that fails does not delay the others. */
export async function assignAllWaiting(services: Services, _payload: unknown, signal?: AbortSignal) {
  const firms = await services.firmServers.readAll<{ workspace_id: number }>({
    text: (isAmong) => `${allFirms('waiting-assignments')}
      select distinct workspace_id from waiting_assignments
      where ${isAmong('workspace_id')} and ${isServed('workspace_id')}`,
  });
  const failures: unknown[] = [];
  for (const { workspace_id: workspace } of firms) {
    try {
      await services.firmServers.run(workspace, () => assignWaiting(services, { workspace }, signal));
    } catch (error) {
      failures.push(error);
      services.log.error({ workspace, err: error }, 'the waiting tickets of a firm cannot be assigned');
    }
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Assigns a ticket if it still waits. Returns false if no agent is available. The locks are taken in this order: the ticket's, then that of
 * the firm's assignments. So of two workers one counts what the other has assigned, and no agent gets more than their limit.
 */
async function assign(ctx: OperationContext, workspaceId: number, id: string): Promise<boolean> {
  const [locked] = await lockTickets(ctx, workspaceId, [id]);
  if (!locked) return true;
  const { ticket } = locked;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`assignments ${workspaceId}`}, 0))`.execute(
    ctx.db,
  );
  const { rows } = await sql<{ mode: AssignmentMode }>`
    select t.assignment as mode from waiting_assignments w
    join teams t on t.workspace_id = ${workspaceId} and t.id = w.team_id
    where w.workspace_id = ${workspaceId} and w.ticket_id = ${id}`.execute(ctx.db);
  const [waiting] = rows;
  const { team_id: team } = ticket;
  // While no team of the firm assigned, changes of the ticket did not end the wait.
  const waits = ticket.assignee_id === null && ticket.status === 'awaiting_admin';
  if (!waits || !waiting || waiting.mode === 'off' || team === null) {
    await sql`
      delete from waiting_assignments
      where workspace_id = ${workspaceId} and ticket_id = ${id}`.execute(ctx.db);
    return true;
  }
  const chosen = await choose(ctx, ticket, team, waiting.mode);
  if (!chosen) return false;
  const { mode, turn, ...agent } = chosen;
  await sql`
    insert into assignment_turns (workspace_id, team_id, user_id, turn)
    values (${workspaceId}, ${team}, ${agent.assignee_id}, ${turn})
    on conflict (workspace_id, team_id, user_id) do update set turn = excluded.turn`.execute(ctx.db);
  await changeTicket({ ...ctx, cause: { kind: 'assignment', mode } }, ticket, agent);
  await notifyOfAssignment(ctx, ticket, agent.assignee_id);
  return true;
}

interface Candidate {
  assignee_id: string;
  assignee_name: string;
  assignee_avatar: string | null;
  /** The next turn of the team. */
  turn: string;
}

/** Returns the agent of the team who gets a ticket, and by which mode; undefined if no agent is available and has room. */
async function choose(
  { db }: OperationContext,
  { workspace_id: firm, trader_id }: TicketState,
  team: number,
  mode: Mode,
): Promise<(Candidate & { mode: Mode }) | undefined> {
  const byLoad = sql`c.tickets, c.turn, c.user_id`;
  const knows = sql`(
    select max(e.created_at) from tickets o
    join ticket_messages e on e.workspace_id = ${firm} and e.ticket_id = o.id
    where o.workspace_id = ${firm} and o.trader_id = ${trader_id} and e.author_id = c.user_id and e.from_kind = 'admin'
      and not e.internal)`;
  const orders: Record<Mode, RawBuilder<unknown>> = {
    round_robin: sql`c.turn, c.user_id`,
    least_loaded: byLoad,
    knows_trader: sql`known_at desc nulls last, ${byLoad}`,
  };
  const { rows } = await sql<Candidate & { known_at: string | null }>`
    with candidates as materialized (
      select u.id as user_id, u.name, ${sql.raw(selectAvatar('u'))} as avatar, coalesce(s.turn, 0) as turn, v.ticket_limit, (
          select count(*) from tickets t
          where t.workspace_id = ${firm} and t.assignee_id = u.id and t.closed_at is null) as tickets
      from team_members x
      join memberships m on m.workspace_id = ${firmIdOf(firm)} and m.user_id = x.user_id
      join users u on u.id = m.user_id
      left join agent_availability v on v.workspace_id = ${firm} and v.user_id = u.id
      left join assignment_turns s on s.workspace_id = ${firm} and s.team_id = ${team} and s.user_id = u.id
      where x.workspace_id = ${firm} and x.team_id = ${team} and coalesce(v.available, true) and ${sql.raw(MAY_ANSWER)})
    select c.user_id as assignee_id, c.name as assignee_name, c.avatar as assignee_avatar,
      (select coalesce(max(turn), 0) + 1 from assignment_turns where workspace_id = ${firm} and team_id = ${team}) as turn,
      ${mode === 'knows_trader' ? knows : sql`null`} as known_at
    from candidates c where c.ticket_limit is null or c.tickets < c.ticket_limit
    order by ${orders[mode]} limit 1`.execute(db);
  const [found] = rows;
  if (!found) return undefined;
  const { known_at, ...candidate } = found;
  return { ...candidate, mode: mode === 'knows_trader' && known_at === null ? 'least_loaded' : mode };
}

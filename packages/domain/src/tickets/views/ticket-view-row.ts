import { MAX_TICKET_VIEWS, MAX_VISIBLE_VIEWS, type TicketView } from '@firmdesk/contract';
import { sql } from 'kysely';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { TicketView as TicketViewEntity } from './ticket-view.entity.ts';

/** A row of `ticket_views`. */
export interface TicketViewRow {
  id: string;
  team_id: number | null;
  name: string;
  search: TicketView['search'];
}

export function toTicketView({ team_id, ...row }: TicketViewRow): TicketView {
  return { object: 'ticket_view', ...row, team: team_id };
}

/** Returns the views that the caller sees: their own and those of their teams, in the caller's order. */
export async function readTicketViews({ db, workspace, identity }: AccountContext): Promise<TicketView[]> {
  const { rows } = await sql<TicketViewRow>`
    select v.id, v.team_id, v.name, v.search from ticket_views v
    left join ticket_view_orders o on o.workspace_id = ${workspace.id} and o.user_id = ${identity.user.id}
    where v.workspace_id = ${workspace.id} and (v.user_id = ${identity.user.id} or v.team_id in (
      select team_id from team_members where workspace_id = ${workspace.id} and user_id = ${identity.user.id}))
    order by array_position(o.views, v.id) nulls last, v.created_at, v.id
    limit ${MAX_VISIBLE_VIEWS}`.execute(db);
  return rows.map(toTicketView);
}

/** Locks and returns a view that the caller may change: their own, or one of their teams. Throws `resource_not_found`. */
export async function lockTicketView(
  { em, db, workspace, identity }: AccountContext,
  id: string,
): Promise<TicketViewEntity> {
  const { rows } = await sql`
    select from ticket_views
    where workspace_id = ${workspace.id} and id = ${id} and (user_id = ${identity.user.id} or team_id in (
      select team_id from team_members where workspace_id = ${workspace.id} and user_id = ${identity.user.id}))
    for update`.execute(db);
  if (rows.length === 0) throw new ApiError('resource_not_found');
  return em.findOneOrFail(TicketViewEntity, { workspaceId: workspace.id, id });
}

/**
 * Checks a new owner or name of a view. Throws `validation_failed` unless the caller is a member of the team, the name is free, and the
 * account or the team has less than {@link MAX_TICKET_VIEWS} other views.
 */
export async function checkTicketView(
  { db, workspace, identity }: AccountContext,
  { id, team_id, name }: Pick<TicketViewRow, 'id' | 'team_id' | 'name'>,
): Promise<void> {
  if (team_id !== null) {
    // The lock makes the members of a team check its views one after the other.
    const { rows } = await sql`
      select from teams t where t.workspace_id = ${workspace.id} and t.id = ${team_id} and exists (
        select from team_members m
        where m.workspace_id = ${workspace.id} and m.team_id = t.id and m.user_id = ${identity.user.id})
      for no key update`.execute(db);
    if (rows.length === 0) throw invalidField('team', 'must be the id of one of your teams');
  } else {
    const lock = `views ${workspace.id} ${identity.user.id}`;
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(db);
  }
  const { rows: others } = await sql<{ name: string }>`
    select name from ticket_views
    where workspace_id = ${workspace.id} and id <> ${id} and case
      when ${team_id}::integer is null then user_id = ${identity.user.id} else team_id = ${team_id} end`.execute(
    db,
  );
  if (others.some((other) => other.name === name)) throw invalidField('name', 'is the name of another view');
  if (others.length >= MAX_TICKET_VIEWS)
    throw invalidField('team', `there are ${MAX_TICKET_VIEWS} views already: delete one first`);
}

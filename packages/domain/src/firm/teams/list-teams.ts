import { type FirmTeam, MAX_TICKET_COUNT } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/** Returns the firm's teams, sorted by name. */
export function listTeams(ctx: AccountContext): Promise<FirmTeam[]> {
  return selectTeams(ctx, sql`true`);
}

/** Returns a team of the firm. Throws `resource_not_found`. */
export async function readTeam(ctx: AccountContext, id: number): Promise<FirmTeam> {
  const [team] = await selectTeams(ctx, sql`t.id = ${id}`);
  if (!team) throw new ApiError('resource_not_found');
  return team;
}

async function selectTeams(
  { db, workspace }: AccountContext,
  condition: RawBuilder<unknown>,
): Promise<FirmTeam[]> {
  const { rows } = await sql<Omit<FirmTeam, 'object'>>`
    select t.id, t.name,
      coalesce((
        select json_agg(json_build_object('id', u.id, 'name', u.name) order by lower(u.name), u.id)
        from team_members r join users u on u.id = r.user_id
        where r.workspace_id = ${workspace.id} and r.team_id = t.id), '[]') as members,
      (select count(*)::integer from (
        select from tickets k where k.workspace_id = ${workspace.id} and k.team_id = t.id and k.status not in ('resolved', 'closed')
        limit ${MAX_TICKET_COUNT}) as counted) as open_tickets,
      (select count(*)::integer from macros c where c.workspace_id = ${workspace.id} and c.team_id = t.id) as macros,
      (select count(*)::integer from ticket_views v where v.workspace_id = ${workspace.id} and v.team_id = t.id) as views
    from teams t where t.workspace_id = ${workspace.id} and ${condition}
    order by lower(t.name), t.id`.execute(db);
  return rows.map((row) => ({ ...row, object: 'firm_team' }));
}

import type { SupportDirectory } from '@firmdesk/contract';
import { sql } from 'kysely';
import { avatarUrl, selectAvatar } from '../../access/accounts/avatar.ts';
import { firmIdOf, IS_AGENT, MAY_ANSWER } from '../../access/policy.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/** Returns the firm's agents, teams, tags, macros and articles, sorted by name. */
export async function getSupportDirectory({
  db,
  services,
  workspace,
}: AccountContext): Promise<SupportDirectory> {
  const agents = await sql<SupportDirectory['agents'][number]>`
    select u.id, u.name, u.email, ${sql.raw(selectAvatar('u'))} as avatar_url, ${sql.raw(MAY_ANSWER)} as may_answer
    from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${firmIdOf(workspace.id)} and ${sql.raw(IS_AGENT)}
    order by lower(u.name), u.id`.execute(db);
  const teams = await sql<SupportDirectory['teams'][number]>`
    select t.id, t.name,
      array(
        select user_id from team_members where workspace_id = ${workspace.id} and team_id = t.id order by user_id) as members
    from teams t where t.workspace_id = ${workspace.id} order by lower(t.name), t.id`.execute(db);
  const tags = await sql<SupportDirectory['tags'][number]>`
    select id, name, color from tags where workspace_id = ${workspace.id} and deleted_at is null
    order by lower(name), id`.execute(db);
  const macros = await sql<SupportDirectory['macros'][number]>`
    select id, name from macros where workspace_id = ${workspace.id} order by lower(name), id`.execute(db);
  const articles = await sql<SupportDirectory['articles'][number]>`
    select id, title from knowledge_articles
    where workspace_id = ${workspace.id} order by lower(title), id`.execute(db);
  return {
    object: 'desk',
    agents: agents.rows.map((agent) => ({ ...agent, avatar_url: avatarUrl(services, agent.avatar_url) })),
    teams: teams.rows,
    tags: tags.rows,
    macros: macros.rows,
    articles: articles.rows,
  };
}

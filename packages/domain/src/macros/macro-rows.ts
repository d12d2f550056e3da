import type { Macro } from '@firmdesk/contract';
import { sql } from 'kysely';
import { firmIdOf, MAY_ANSWER } from '../access/policy.ts';

export interface MacroRow {
  id: string;
  name: string;
  position: number;
  team: Macro['team'];
  texts: Macro['texts'];
  add_tags: number[];
  status: Macro['actions']['status'];
  priority: Macro['actions']['priority'];
  assigns_author: boolean;
  assignee: string | null;
  used: number;
  last_used_at: string | null;
}

/** The columns of a macro `c`. Tags that were deleted, and an assignee who may no longer answer, are left out. */
export function macroColumns(workspaceId: number) {
  return sql`c.id, c.name, c.position, c.texts, c.status, c.priority, c.assigns_author, c.used, c.last_used_at,
    (select json_build_object('id', t.id, 'name', t.name) from teams t
      where t.workspace_id = ${workspaceId} and t.id = c.team_id) as team,
    array(select g.id from tags g where g.workspace_id = ${workspaceId} and g.id = any(c.tag_ids) and g.deleted_at is null
      order by lower(g.name), g.id) as add_tags,
    (select u.id from memberships m join users u on u.id = m.user_id
      where m.workspace_id = ${firmIdOf(workspaceId)} and u.id = c.assignee_id and ${sql.raw(MAY_ANSWER)}) as assignee`;
}

export function toMacro(row: MacroRow): Macro {
  const { id, name, team, texts, add_tags, status, priority, assigns_author, assignee } = row;
  return {
    object: 'macro',
    id,
    name,
    team,
    texts,
    actions: { add_tags, status, priority, assignee: assigns_author ? 'me' : assignee },
    used: row.used,
    last_used_at: row.last_used_at,
  };
}

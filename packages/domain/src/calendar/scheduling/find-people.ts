import type { CalendarPerson } from '@firmdesk/contract';
import { sql } from 'kysely';
import { firmIdOf, IS_ADMIN } from '../../access/policy.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

const MAX_PEOPLE = 10;

/** Returns the administrators of the firm whose name or address contains a text. Only they see each other; traders do not. */
export async function findPeople(
  { db, workspace, identity }: AccountContext,
  { q }: { q: string },
): Promise<CalendarPerson[]> {
  const text = q.trim().toLowerCase();
  if (text === '') return [];
  const firm = firmIdOf(workspace.id);
  const isAdmin = sql.raw<boolean>(IS_ADMIN);
  const { rows } = await sql<CalendarPerson>`
    select 'calendar_person' as object, u.id, u.name, u.email
    from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${firm} and ${isAdmin}
      and (position(${text} in lower(u.name)) > 0 or position(${text} in lower(u.email)) > 0)
      and exists (select from memberships m join users u on u.id = m.user_id
        where m.workspace_id = ${firm} and u.id = ${identity.user.id} and ${isAdmin})
    order by lower(u.name), u.id
    limit ${MAX_PEOPLE}`.execute(db);
  return rows;
}

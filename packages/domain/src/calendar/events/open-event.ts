import { CompiledQuery } from 'kysely';
import type { AccountContext } from '../../procedures/call-context.ts';
import { ACCESSIBLE_CALENDARS, type AccessLevel, requireAccessLevel } from '../calendars/access-level.ts';
import { loadEvent } from './load-event.ts';
import type { StoredEvent } from './new-event.ts';

/**
 * Returns an event that the caller can access, and locks it until the transaction ends. Throws `resource_not_found` for an event
 * that the caller cannot access, `forbidden` if the caller's access level is below `wanted`.
 */
export async function openEvent(ctx: AccountContext, id: number, wanted: AccessLevel): Promise<StoredEvent> {
  const { rows } = await ctx.db.executeQuery<{ level: AccessLevel }>(
    CompiledQuery.raw(
      `select r.level from (${ACCESSIBLE_CALENDARS}) r join events e on e.workspace_id = $2 and e.calendar_id = r.id
       where e.id = $3 for update of e`,
      [ctx.identity.user.id, ctx.workspace.id, id],
    ),
  );
  requireAccessLevel(rows[0]?.level, wanted);
  return loadEvent(ctx, ctx.workspace.id, id);
}

import type { EventFile } from '@firmdesk/contract';
import { CompiledQuery } from 'kysely';
import type { AccountContext } from '../../procedures/call-context.ts';
import { ACCESSIBLE_CALENDARS, type AccessLevel, requireAccessLevel } from '../calendars/access-level.ts';
import { loadEvent } from '../events/load-event.ts';
import { writeIcs } from './write-ics.ts';

/** Returns an event as an iCalendar document. Throws `resource_not_found`, and `forbidden` if the caller may only see that time is taken. */
export async function exportEvent(ctx: AccountContext, { id }: { id: number }): Promise<EventFile> {
  const { db, identity, workspace, now } = ctx;
  const { rows } = await db.executeQuery<{ level: AccessLevel }>(
    CompiledQuery.raw(
      `select r.level from (${ACCESSIBLE_CALENDARS}) r join events e on e.workspace_id = $2 and e.calendar_id = r.id
       where e.id = $3`,
      [identity.user.id, workspace.id, id],
    ),
  );
  requireAccessLevel(rows[0]?.level, 'read');
  const event = await loadEvent(ctx, workspace.id, id);
  const uid = event.uid ?? `event-${id}@${workspace.slug}.firmdesk`;
  const stamp = event.stamp ?? now.toISOString();
  return { object: 'event_file', id, ics: writeIcs({ ...event, uid }, { method: null, stamp }) };
}

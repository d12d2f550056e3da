import type { Calendar, UpdateCalendarInput } from '@firmdesk/contract';
import type { AccountContext } from '../../procedures/call-context.ts';
import { Calendar as CalendarEntity } from '../calendar.entity.ts';
import { accessLevelIn, requireAccessLevel } from './access-level.ts';
import {
  lockCalendars,
  peopleOfCalendars,
  publishToPeople,
  recordCalendarAudit,
} from './calendar-changes.ts';

/** Changes the name, the colour or the visibility of a calendar of the caller. Throws `resource_not_found`, `forbidden`. */
export async function updateCalendar(
  ctx: AccountContext,
  { calendar_id, name, color, shows_busy }: UpdateCalendarInput,
): Promise<Calendar> {
  requireAccessLevel(await accessLevelIn(ctx, calendar_id), 'owner');
  await lockCalendars(ctx, [calendar_id]);
  const { em, workspace, identity } = ctx;
  const calendar = await em.findOneOrFail(CalendarEntity, { workspaceId: workspace.id, id: calendar_id });
  const settingsOf = () => ({ color: calendar.color ?? null, shows_busy: calendar.showsBusy });
  const before = { name: calendar.name, ...settingsOf() };
  if (name !== undefined) calendar.name = name;
  if (color !== undefined) calendar.color = color;
  if (shows_busy !== undefined) calendar.showsBusy = shows_busy;
  const after = { name: calendar.name, ...settingsOf() };
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    await em.flush();
    const renamed = before.name !== after.name;
    await recordCalendarAudit(ctx, 'calendar.changed', calendar_id, {
      before: { color: before.color, shows_busy: before.shows_busy },
      after: { color: after.color, shows_busy: after.shows_busy, ...(renamed && { renamed }) },
    });
    await publishToPeople(ctx, 'calendars.changed', await peopleOfCalendars(ctx, [calendar_id]));
  }
  const owner = { id: identity.user.id, name: identity.user.name };
  return { object: 'calendar', id: calendar_id, name: after.name, color: after.color, level: 'owner', owner };
}

import type { CalendarShared, ShareCalendarInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import { belongsTo } from '../../access/policy.ts';
import { invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { CalendarShare } from '../calendar.entity.ts';
import { accessLevelIn, requireAccessLevel } from './access-level.ts';

/**
 * Shares a calendar of the caller with a member of the workspace, or ends the share. Throws `resource_not_found`, `forbidden` if
 * the caller is not the owner, `validation_failed` if the user is not a member.
 */
export async function shareCalendar(ctx: AccountContext, input: ShareCalendarInput): Promise<CalendarShared> {
  const { calendar_id, user_id, level } = input;
  requireAccessLevel(await accessLevelIn(ctx, calendar_id), 'owner');
  const key = { workspaceId: ctx.workspace.id, calendarId: calendar_id, userId: user_id };
  if (level === null) await ctx.em.nativeDelete(CalendarShare, key);
  else {
    if (user_id === ctx.identity.user.id)
      throw invalidField('user_id', 'must not be the owner of the calendar');
    if (!(await isMember(ctx, user_id))) throw invalidField('user_id', 'must be a member of this workspace');
    await ctx.em.upsert(CalendarShare, { ...key, level });
  }
  // Reminders require the access level `read`.
  if (user_id !== ctx.identity.user.id && (level === null || level === 'busy')) {
    await ctx.db
      .deleteFrom('event_reminders')
      .where('workspace_id', '=', ctx.workspace.id)
      .where('user_id', '=', user_id)
      .where('event_id', 'in', (where) =>
        where
          .selectFrom('events')
          .select('id')
          .where('workspace_id', '=', ctx.workspace.id)
          .where('calendar_id', '=', calendar_id),
      )
      .execute();
  }
  return { object: 'calendar_shared', calendar_id, user_id, level };
}

async function isMember({ db, workspace }: AccountContext, userId: string): Promise<boolean> {
  const { rows } = await sql`select where ${belongsTo(userId, workspace.id)}`.execute(db);
  return rows.length > 0;
}

import type { CalendarShared, ShareCalendarInput, ShareLevel } from '@firmdesk/contract';
import { sql } from 'kysely';
import { belongsTo } from '../../access/policy.ts';
import { invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { CalendarShare } from '../calendar.entity.ts';
import { accessLevelIn, requireAccessLevel } from './access-level.ts';
import {
  lockCalendars,
  peopleOfCalendars,
  publishToPeople,
  recordCalendarAudit,
} from './calendar-changes.ts';

/**
 * Shares a calendar of the caller with a member of the workspace, or ends the share. Those with whom it is shared can end their own share.
 * Throws `resource_not_found`, `forbidden` if the caller is not the owner, `validation_failed` if the user is not a member.
 */
export async function shareCalendar(ctx: AccountContext, input: ShareCalendarInput): Promise<CalendarShared> {
  const { calendar_id, user_id, level } = input;
  const isOwnShare = level === null && user_id === ctx.identity.user.id;
  requireAccessLevel(await accessLevelIn(ctx, calendar_id), isOwnShare ? 'busy' : 'owner');
  await lockCalendars(ctx, [calendar_id]);
  const before = await levelOf(ctx, calendar_id, user_id);
  const key = { workspaceId: ctx.workspace.id, calendarId: calendar_id, userId: user_id };
  if (level === null) await ctx.em.nativeDelete(CalendarShare, key);
  else {
    if (user_id === ctx.identity.user.id)
      throw invalidField('user_id', 'must not be the owner of the calendar');
    if (!(await isMember(ctx, user_id))) throw invalidField('user_id', 'must be a member of this workspace');
    await ctx.em.upsert(CalendarShare, { ...key, level });
  }
  // Reminders require the access level `read`.
  if (before !== null && (level === null || level === 'busy')) {
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
  if (level !== before) {
    await recordCalendarAudit(ctx, level === null ? 'calendar.unshared' : 'calendar.shared', calendar_id, {
      before: { user: user_id, level: before },
      after: { user: user_id, level },
    });
    await publishToPeople(ctx, 'calendars.changed', [
      user_id,
      ...(await peopleOfCalendars(ctx, [calendar_id])),
    ]);
  }
  return { object: 'calendar_shared', calendar_id, user_id, level };
}

async function levelOf(
  { db, workspace }: AccountContext,
  calendarId: number,
  userId: string,
): Promise<ShareLevel | null> {
  const share = await db
    .selectFrom('calendar_shares')
    .select('level')
    .where('workspace_id', '=', workspace.id)
    .where('calendar_id', '=', calendarId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return (share?.level as ShareLevel | undefined) ?? null;
}

async function isMember({ db, workspace }: AccountContext, userId: string): Promise<boolean> {
  const { rows } = await sql`select where ${belongsTo(userId, workspace.id)}`.execute(db);
  return rows.length > 0;
}

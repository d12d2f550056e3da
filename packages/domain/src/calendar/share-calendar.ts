import type { CalendarShared, ShareCalendarInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import { belongsTo } from '../access/policy.ts';
import { sqlOf } from '../platform/database.ts';
import { invalidField } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { levelIn, requireLevel } from './open-event.ts';

/**
 * Lets a member of the same workspace see, or change, a calendar of the caller's, or no longer. Raises
 * `resource_not_found`, `forbidden` (not the owner), `validation_failed` (no such member).
 */
export async function shareCalendar(ctx: AccountContext, input: ShareCalendarInput): Promise<CalendarShared> {
  const { calendar_id, user_id, level } = input;
  requireLevel(await levelIn(ctx, calendar_id), 'owner');
  const db = sqlOf(ctx.em);
  if (level === null) {
    await db
      .deleteFrom('calendar_shares')
      .where('calendar_id', '=', calendar_id)
      .where('user_id', '=', user_id)
      .execute();
  } else {
    if (user_id === ctx.identity.user.id) throw invalidField('user_id', 'is the owner');
    if (!(await isMember(ctx, user_id))) throw invalidField('user_id', 'is no member of this workspace');
    await db
      .insertInto('calendar_shares')
      .values({ calendar_id, user_id, level })
      .onConflict((conflict) => conflict.columns(['calendar_id', 'user_id']).doUpdateSet({ level }))
      .execute();
  }
  // Who sees no more than that the time is taken is reminded of nothing.
  if (level === null || level === 'busy') {
    await db
      .deleteFrom('event_reminders')
      .where('user_id', '=', user_id)
      .where('event_id', 'in', (where) =>
        where.selectFrom('events').select('id').where('calendar_id', '=', calendar_id),
      )
      .execute();
  }
  return { object: 'calendar_shared', calendar_id, user_id, level };
}

async function isMember({ em, workspace }: AccountContext, userId: string): Promise<boolean> {
  const { rows } = await sql`select where ${belongsTo(userId, workspace.id)}`.execute(sqlOf(em));
  return rows.length > 0;
}

import { type Calendar, type CreateCalendarInput, MAX_CALENDARS_OWNED } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { belongsTo } from '../../access/policy.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { MemberContext } from '../../procedures/call-context.ts';
import { Calendar as CalendarEntity } from '../calendar.entity.ts';
import { publishToPeople, recordCalendarAudit } from './calendar-changes.ts';

/**
 * Creates a calendar that the caller owns. Throws `calendar_not_permitted` if the caller no longer belongs to the workspace, and
 * `calendar_limit_reached` beyond {@link MAX_CALENDARS_OWNED}.
 */
export async function createCalendar(
  ctx: MemberContext,
  { name, color = null }: z.output<typeof CreateCalendarInput>,
): Promise<Calendar> {
  const { em, db, identity, workspace, now } = ctx;
  const { user } = identity;
  // Serializes the calls of one account. A separate statement, so that the count includes calendars that earlier calls committed.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`calendars ${user.id}`}, 0))`.execute(db);
  const member = await sql`select where ${belongsTo(user.id, workspace.id)}`.execute(db);
  if (member.rows.length === 0) throw new ApiError('calendar_not_permitted');
  const { owned } = await db
    .selectFrom('calendars')
    .select(({ fn }) => fn.countAll<number>().as('owned'))
    .where('owner_id', '=', user.id)
    .where('workspace_id', '=', workspace.id)
    .executeTakeFirstOrThrow();
  if (Number(owned) >= MAX_CALENDARS_OWNED) throw new ApiError('calendar_limit_reached');
  const calendar = em.create(CalendarEntity, {
    workspaceId: workspace.id,
    ownerId: user.id,
    name,
    color,
    createdAt: now,
  });
  await em.flush();
  await recordCalendarAudit(ctx, 'calendar.created', calendar.id, { after: { color } });
  await publishToPeople(ctx, 'calendars.changed', [user.id]);
  return {
    object: 'calendar',
    id: calendar.id,
    name,
    color,
    level: 'owner',
    owner: { id: user.id, name: user.name },
  };
}

import type { CalendarStreamEvent } from '@firmdesk/contract';
import { sql } from 'kysely';
import { type AuditAction, recordAudit } from '../../access/audit/audit.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { MemberContext } from '../../procedures/call-context.ts';

/** The subject of the events about a firm's calendars. */
export const CALENDARS = 'calendars';

type Change = Exclude<CalendarStreamEvent['type'], 'resync'>;

/** The accounts that an event is for. Others do not receive it, so that they do not learn of calendars that are not theirs. */
export interface ChangedBody {
  people: string[];
}

/** Publishes a change to the windows of some accounts. */
export async function publishToPeople(
  ctx: MemberContext,
  type: Change,
  people: readonly string[],
): Promise<void> {
  const body: ChangedBody = { people: [...new Set(people)] };
  await appendEvents(ctx, ctx.workspace.id, [{ subject: CALENDARS, type, body }]);
}

/** Returns the owners of calendars, and those with whom they are shared. */
export async function peopleOfCalendars(
  { db, workspace }: MemberContext,
  ids: readonly number[],
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select owner_id as user_id from calendars where workspace_id = ${workspace.id} and id = any(${ids})
    union
    select user_id from calendar_shares
    where workspace_id = ${workspace.id} and calendar_id = any(${ids})`.execute(db);
  return rows.map(({ user_id }) => user_id);
}

/** Publishes to everybody who can access a calendar that its events have changed. */
export async function publishEventsChanged(ctx: MemberContext, calendarId: number): Promise<void> {
  await publishToPeople(ctx, 'events.changed', await peopleOfCalendars(ctx, [calendarId]));
}

/** Locks calendars of the firm until the transaction ends: against other changes of them, and against new events. */
export async function lockCalendars({ db, workspace }: MemberContext, ids: readonly number[]): Promise<void> {
  await sql`
    select from calendars
    where workspace_id = ${workspace.id} and id = any(${ids}) order by id for update`.execute(db);
}

/** Records a change of a calendar in the audit trail, without its name, which may say something about a person. */
export async function recordCalendarAudit(
  ctx: MemberContext,
  action: Extract<AuditAction, `calendar.${string}`>,
  id: number,
  change: { before?: object; after?: object },
): Promise<void> {
  await recordAudit({ ...ctx, actor: { kind: 'account', id: ctx.identity.user.id } }, ctx.workspace.id, {
    action,
    target: { type: 'calendar', id: String(id) },
    ...(change as { before?: Record<string, unknown>; after?: Record<string, unknown> }),
  });
}

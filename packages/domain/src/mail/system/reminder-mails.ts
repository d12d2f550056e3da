import { CompiledQuery } from 'kysely';
import { calendarsOf } from '../../access/policy.ts';
import { type DueReminders, isAtLeast } from '../../calendar/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { newContext, withTransaction } from '../../platform/database/transaction.ts';
import type { Services } from '../../platform/services.ts';
import { type EventSubject, findOccurrence, localeOf } from '../../push/index.ts';
import { renderOwnTemplate } from '../../templates/index.ts';
import { queueSystemMail } from './queue-system-mail.ts';
import { type RemindedEvent, reminderText } from './reminder-text.ts';
import { systemAddress } from './system-address.ts';
import type { ReminderContent } from './system-mail.ts';
import { whenText } from './when-text.ts';
import type { WrittenMail } from './written-mail.ts';

/** Handles `mailRemindersJob`. It may repeat: a reminder of an occurrence is queued once. */
export async function queueReminderMails(
  services: Services,
  { workspace, due }: DueReminders,
): Promise<void> {
  await withTransaction(services, async (ctx) => {
    for (const { user_id, reminder, expires_at } of due) {
      const { event_id, minutes_before, occurrence_start, starts_at } = reminder;
      await queueSystemMail(ctx, workspace, {
        kind: 'event_reminder',
        userId: user_id,
        about: `reminder ${user_id} ${event_id} ${minutes_before} ${occurrence_start ?? '-'} ${starts_at}`,
        content: reminder,
        sendUntil: expires_at,
      });
    }
  });
}

/** The account and the event of a reminder, as they are now. */
interface Reminded extends Omit<EventSubject, 'id'> {
  email: string;
  name: string;
  language: string;
  reader_zone: string;
  firm: string;
  location: string | null;
  description: string | null;
}

/** Writes the mail of a reminder, in the firm's wording if it has one, or says why it is not sent: the event has gone or was moved, or the account may no longer see it. */
export async function writeReminder(
  services: Services,
  workspaceId: number,
  { userId, content }: { userId: string; content: ReminderContent },
): Promise<WrittenMail> {
  const ctx = newContext(services);
  const event = await findReminded(ctx, workspaceId, userId, content);
  if (!event) return { reason: 'The reminder, or the access to the event, has gone.' };
  const occurrence = await findOccurrence(services, event, content, { left: 1 });
  if (typeof occurrence === 'string') return { reason: 'The event was moved or cancelled.' };
  const { override, start } = occurrence;
  const seesMore = isAtLeast(event.level, 'read');
  const allDay = override?.all_day ?? event.all_day;
  const publicUrl = services.publicUrl();
  const seen: RemindedEvent = {
    title: seesMore ? (override?.title ?? event.title) : 'Busy',
    start,
    zone: allDay ? event.timezone : event.reader_zone,
    allDay,
    location: seesMore ? (override?.location ?? event.location) : null,
    description: seesMore ? (override?.description ?? event.description) : null,
    conferenceUrl: seesMore ? (event.conference?.url ?? null) : null,
    calendarUrl: publicUrl === '' ? null : `${publicUrl}/calendar`,
    firm: event.firm,
  };
  const own = await renderOwnTemplate(ctx, 'reminder', { id: workspaceId }, event.language, {
    firm_name: seen.firm,
    title: seen.title,
    starts_at: whenText(localeOf(event.language), seen),
    location: seen.location,
    conference_url: seen.conferenceUrl,
  });
  return {
    message: {
      from: { name: event.firm, address: systemAddress(services) },
      to: { name: event.name, address: event.email },
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...(own ?? reminderText(event.language, seen)),
    },
    returnPath: '',
  };
}

const FIND_REMINDED = `
  select e.workspace_id, e.id as event_id, e.title, e.description, e.location, e.conference, e.local_start, e.local_end, e.all_day,
    e.timezone, e.recurrence_rule, e.added_dates, e.removed_dates, c.level, u.email, u.name, u.language, u.timezone as reader_zone,
    w.name as firm, exists (
      select from event_overrides v where v.workspace_id = $2 and v.event_id = e.id) as has_overrides
  from events e
  join (${calendarsOf('$1', '$2')}) c on c.id = e.calendar_id
  join event_reminders r on r.workspace_id = $2 and r.event_id = e.id and r.user_id = $1 and r.channel = 'email'
    and r.minutes_before = $4
  join users u on u.id = r.user_id
  join workspaces w on w.id = e.workspace_id
  where e.workspace_id = $2 and e.id = $3`;

async function findReminded(
  { db }: OperationContext,
  workspaceId: number,
  userId: string,
  { event_id, minutes_before }: ReminderContent,
): Promise<Reminded | undefined> {
  const { rows } = await db.executeQuery<Reminded>(
    CompiledQuery.raw(FIND_REMINDED, [userId, workspaceId, event_id, minutes_before]),
  );
  return rows[0];
}

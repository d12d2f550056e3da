import type { VerbContext } from '../kernel/context.ts';
import { sqlOf } from '../kernel/database.ts';
import { nextDue } from './next-due.ts';
import { type EventTimes, type OverrideColumns, seriesOf } from './series.ts';

/** Works out anew when the reminders of an event are due, after anything that moves it. */
export async function remindAnew(
  { em, now }: VerbContext,
  eventId: number,
  event: EventTimes,
  overrides: readonly OverrideColumns[],
): Promise<void> {
  const db = sqlOf(em);
  const reminders = await db
    .selectFrom('event_reminders')
    .select(['user_id', 'minutes_before', 'channel', 'done_until'])
    .where('event_id', '=', eventId)
    .forUpdate()
    .execute();
  const series = seriesOf(event, overrides);
  for (const { user_id, minutes_before, channel, done_until } of reminders) {
    const due = nextDue(series, minutes_before, Date.parse(done_until), now.getTime());
    await db
      .updateTable('event_reminders')
      .set({ due_at: due === null ? null : new Date(due).toISOString() })
      .where('event_id', '=', eventId)
      .where('user_id', '=', user_id)
      .where('minutes_before', '=', minutes_before)
      .where('channel', '=', channel)
      .execute();
  }
}

import type { Pool } from 'pg';
import type { Candidate } from './candidate.ts';

/** The reminders and tags of events, sorted. Each names its event. */
interface Lists {
  reminders: [eventId: number, minutesBefore: number, channel: string][] | null;
  tags: [eventId: number, id: number, name: string, color: string][] | null;
}

const FIND_LISTS = `
  select
    (
      select json_agg(json_build_array(event_id, minutes_before, channel) order by minutes_before, channel)
      from event_reminders
      where workspace_id = $2 and event_id = any($3::bigint[]) and user_id = $1
    ) as reminders,
    (
      select json_agg(json_build_array(et.event_id, t.id, t.name, t.color) order by lower(t.name), t.id)
      from event_tags et
      join tags t on t.workspace_id = et.workspace_id and t.id = et.tag_id and t.deleted_at is null
      where et.workspace_id = $2 and et.event_id = any($3::bigint[])
    ) as tags`;

/** Adds the reminders of an account, and the tags, to the events of a window. They may be newer than the events. */
export async function addRemindersAndTags(
  pool: Pool,
  { userId, workspaceId }: { userId: string; workspaceId: number },
  events: readonly Candidate[],
): Promise<void> {
  if (events.length === 0) return;
  const { rows } = await pool.query<Lists>({
    name: 'calendar-reminders-and-tags',
    text: FIND_LISTS,
    values: [userId, workspaceId, events.map(({ id }) => id)],
  });
  const { reminders, tags } = rows[0]!;
  if (!reminders && !tags) return;
  const remindersByEvent = Map.groupBy(reminders ?? [], ([eventId]) => eventId);
  const tagsByEvent = Map.groupBy(tags ?? [], ([eventId]) => eventId);
  for (const event of events) {
    const ownReminders = remindersByEvent.get(event.id);
    const ownTags = tagsByEvent.get(event.id);
    if (ownReminders)
      event.reminders = ownReminders.map(([, minutes_before, channel]) => ({ minutes_before, channel }));
    if (ownTags) event.tags = ownTags.map(([, id, name, color]) => ({ id, name, color }));
  }
}

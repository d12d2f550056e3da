import type { CreateEventInput, EventSaved } from '@firmdesk/contract';
import type { AccountContext } from '../../procedures/call-context.ts';
import { accessLevelIn, requireAccessLevel } from '../calendars/access-level.ts';
import { publishEventsChanged } from '../calendars/calendar-changes.ts';
import { announceEvent } from '../scheduling/announce-event.ts';
import { organizedEvent } from '../scheduling/organized-event.ts';
import { asInvalidField } from './as-invalid-field.ts';
import { checkRule } from './change-event.ts';
import { insertEvents } from './insert-events.ts';
import { loadEvent } from './load-event.ts';
import { checkTags } from './set-tags.ts';

/** Creates an event in a calendar. Throws `resource_not_found`, `forbidden`, `validation_failed`. */
export async function createEvent(ctx: AccountContext, input: CreateEventInput): Promise<EventSaved> {
  const { user } = ctx.identity;
  requireAccessLevel(await accessLevelIn(ctx, input.calendar_id), 'write');
  checkRule(input, input.all_day ?? false);
  await checkTags(ctx, input.tag_ids ?? []);
  const event = await organizedEvent(ctx, null, {
    ...input,
    timezone: input.timezone ?? user.timezone,
    reminders: (input.reminders ?? []).map((reminder) => ({ ...reminder, user_id: user.id })),
  });
  const [id] = await asInvalidField(() => insertEvents(ctx, ctx.workspace.id, [event]));
  if (event.attendees?.length) await announceEvent(ctx, null, await loadEvent(ctx, ctx.workspace.id, id!));
  await publishEventsChanged(ctx, input.calendar_id);
  return { object: 'event_saved', id: id! };
}

import type { DeleteEventInput, EventDeleted } from '@firmdesk/contract';
import type { AccountContext } from '../../procedures/call-context.ts';
import { Event } from '../calendar.entity.ts';
import { publishEventsChanged } from '../calendars/calendar-changes.ts';
import { recordEndedEvent } from '../invitations/ended-invitations.ts';
import { nextSequence } from '../invitations/invitation-version.ts';
import { announceEvent } from '../scheduling/announce-event.ts';
import { limitChangeWork } from '../tasks/limit-change-work.ts';
import { asInvalidField } from './as-invalid-field.ts';
import { openEvent } from './open-event.ts';
import { isFirstOccurrence, requireRecurrenceId } from './recurrence-id.ts';
import { saveChanged } from './save-changed.ts';
import { endSeriesBefore } from './split-series.ts';

/**
 * Deletes an event: one occurrence of a series, that and all later ones, or all. Throws `resource_not_found`,
 * `forbidden`, `validation_failed`.
 */
export async function deleteEvent(
  ctx: AccountContext,
  { id, occurrence_start, extent }: DeleteEventInput,
): Promise<EventDeleted> {
  const event = await openEvent(ctx, id, 'write');
  return asInvalidField(async () => {
    const recurrenceId =
      extent === 'all' ? null : limitChangeWork(() => requireRecurrenceId(event, occurrence_start));
    if (
      recurrenceId === null ||
      (extent === 'this_and_following' && isFirstOccurrence(event, recurrenceId))
    ) {
      await ctx.em.nativeDelete(Event, { workspaceId: ctx.workspace.id, id });
      await recordEndedEvent(ctx, ctx.workspace.id, event);
      await announceEvent(ctx, event, null);
    } else if (extent === 'this_and_following') {
      await saveChanged(
        ctx,
        event,
        limitChangeWork(() => endSeriesBefore(event, recurrenceId)),
      );
    } else {
      await saveChanged(ctx, event, {
        ...event,
        sequence: nextSequence(event),
        exdates: [...event.exdates, recurrenceId],
        overrides: event.overrides.filter(({ occurrence_start }) => occurrence_start !== recurrenceId),
      });
    }
    await publishEventsChanged(ctx, event.calendar_id);
    return { object: 'event_deleted', id };
  });
}

import type { DeleteEventInput, EventDeleted } from '@firmdesk/contract';
import { sqlOf } from '../platform/database.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { openEvent, refusing } from './open-event.ts';
import { replaceEvent } from './replace-event.ts';
import { slotOf } from './slots.ts';
import { endedBefore } from './split-series.ts';
import { bounded } from './work/bounded.ts';

/**
 * Deletes an event: one appearance of a series, that and all later ones, or all. Raises `resource_not_found`,
 * `forbidden`, `validation_failed`.
 */
export async function deleteEvent(
  ctx: AccountContext,
  { id, occurrence_start, extent }: DeleteEventInput,
): Promise<EventDeleted> {
  const event = await openEvent(ctx, id, 'write');
  return refusing(async () => {
    const slot = extent === 'all' ? null : bounded(() => slotOf(event, occurrence_start));
    if (slot === null || (extent === 'this_and_following' && slot === event.starts_at)) {
      await sqlOf(ctx.em).deleteFrom('events').where('id', '=', id).execute();
    } else if (extent === 'this_and_following') {
      await replaceEvent(
        ctx,
        id,
        bounded(() => endedBefore(event, slot)),
      );
    } else {
      await replaceEvent(ctx, id, {
        ...event,
        sequence: (event.sequence ?? 0) + 1,
        exdates: [...event.exdates, slot],
        overrides: event.overrides.filter(({ occurrence_start }) => occurrence_start !== slot),
      });
    }
    return { object: 'event_deleted', id };
  });
}

import type { CalendarStreamEvent, StreamCalendarsInput } from '@firmdesk/contract';
import { tracked } from '@trpc/server';
import type { z } from 'zod';
import type { StreamEvent } from '../../platform/events/subscriber.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import type { TrackedStream } from '../../procedures/tracked-stream.ts';
import { CALENDARS, type ChangedBody } from './calendar-changes.ts';

/** Streams that calendars which the caller can access, or their events, have changed. */
export async function streamCalendars(
  { services: { live }, identity, workspace }: AccountContext,
  { lastEventId }: z.output<typeof StreamCalendarsInput>,
  signal: AbortSignal,
): Promise<TrackedStream<CalendarStreamEvent>> {
  const isFor = ({ type, body }: Pick<StreamEvent, 'type' | 'body'>) =>
    type === 'resync' || (body as ChangedBody).people.includes(identity.user.id);
  const events = await live.follow({
    topic: { workspaceId: workspace.id, subject: CALENDARS },
    isFor,
    lastEventId,
    findStart: (received) => live.resumeOrEnd(workspace.id, received),
    signal,
  });
  return eventsFor(events, isFor);
}

/** Yields the events that concern the caller, without the others whom they concern. Those that are read from the log are of everybody. */
async function* eventsFor(events: AsyncIterable<StreamEvent>, isFor: (event: StreamEvent) => boolean) {
  for await (const event of events)
    if (isFor(event)) yield tracked(event.id, { type: event.type } as CalendarStreamEvent);
}

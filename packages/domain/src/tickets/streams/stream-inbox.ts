import type { InboxStreamEvent, StreamInboxInput } from '@firmdesk/contract';
import type { z } from 'zod';
import type { AccountContext } from '../../procedures/call-context.ts';
import { type TrackedStream, trackedEvents } from '../../procedures/tracked-stream.ts';
import { ticketEventToWire } from './publish.ts';
import { inboxTopic } from './topics.ts';

/** Streams every changed ticket of the firm, from now on or after the viewer's last event. */
export async function streamInbox(
  { services, workspace }: AccountContext,
  { lastEventId }: z.output<typeof StreamInboxInput>,
  signal: AbortSignal,
): Promise<TrackedStream<InboxStreamEvent>> {
  const events = await services.live.follow({
    topic: inboxTopic(workspace.id),
    lastEventId,
    findStart: (received) => services.live.resumeOrEnd(workspace.id, received),
    signal,
  });
  return trackedEvents(events, ticketEventToWire(services));
}

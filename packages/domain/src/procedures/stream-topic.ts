import type { Received } from '../platform/events/follow.ts';
import type { AccountContext } from './call-context.ts';
import { type ToWire, type TrackedStream, trackedEvents } from './tracked-stream.ts';

/** Streams the events of a topic in the firm's log, from now on or after the viewer's last event. */
export async function streamTopic<Event>(
  { services: { live }, workspace }: AccountContext,
  topic: { subject: string } | { type: string },
  { lastEventId }: { lastEventId?: string | null | undefined },
  signal: AbortSignal,
  toWire?: ToWire,
): Promise<TrackedStream<Event>> {
  const findStart = (received: Received) => live.resumeOrEnd(workspace.id, received);
  const events = await live.follow({
    topic: { workspaceId: workspace.id, ...topic },
    lastEventId,
    findStart,
    signal,
  });
  return trackedEvents(events, toWire);
}

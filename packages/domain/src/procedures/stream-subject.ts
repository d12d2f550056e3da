import type { AccountContext } from './call-context.ts';
import { type TrackedStream, trackedEvents } from './tracked-stream.ts';

/** Streams the events of a subject in the firm's log, from now on or after the viewer's last event. */
export async function streamSubject<Event>(
  { services, workspace }: AccountContext,
  subject: string,
  { lastEventId }: { lastEventId?: string | null | undefined },
  signal: AbortSignal,
): Promise<TrackedStream<Event>> {
  const events = await services.live.follow({
    topic: { workspaceId: workspace.id, subject },
    lastEventId,
    findStart: (received) => services.live.resumeOrEnd(workspace.id, received),
    signal,
  });
  return trackedEvents(events);
}

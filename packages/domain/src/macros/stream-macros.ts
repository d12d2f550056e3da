import type { MacroStreamEvent, StreamMacrosInput } from '@firmdesk/contract';
import type { z } from 'zod';
import { resumeOrEnd } from '../platform/events/resume.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { type TrackedStream, trackedEvents } from '../procedures/tracked-stream.ts';
import { MACROS } from './lock-macros.ts';

/** Streams that the firm's macros have changed, from now on or after the viewer's last event. */
export async function streamMacros(
  { services, workspace }: AccountContext,
  { lastEventId }: z.output<typeof StreamMacrosInput>,
  signal: AbortSignal,
): Promise<TrackedStream<MacroStreamEvent>> {
  const events = await services.live.follow({
    topic: { workspaceId: workspace.id, subject: MACROS },
    lastEventId,
    findStart: (received) => resumeOrEnd(services.pool, workspace.id, received),
    signal,
  });
  return trackedEvents(events);
}

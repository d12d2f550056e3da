import type { StreamTicketViewsInput, TicketViewStreamEvent } from '@firmdesk/contract';
import { type TrackedEnvelope, tracked } from '@trpc/server';
import type { z } from 'zod';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { StreamEvent } from '../../platform/events/subscriber.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import type { TrackedStream } from '../../procedures/tracked-stream.ts';

/** The subject of the events about views. */
const TICKET_VIEWS = 'ticket_views';

/** Publishes that views change: to the firm's agents if one is or was a team's, otherwise to the caller's windows only. */
export async function publishTicketViews(
  ctx: AccountContext,
  ...teams: readonly (number | null)[]
): Promise<void> {
  const body = teams.every((team) => team === null) ? { only_for: ctx.identity.user.id } : {};
  await appendEvents(ctx, ctx.workspace.id, [{ subject: TICKET_VIEWS, type: 'ticket_views.changed', body }]);
}

/** Streams that views of the caller or of the firm's teams have changed, from now on or after the viewer's last event. */
export async function streamTicketViews(
  { services, workspace, identity }: AccountContext,
  { lastEventId }: z.output<typeof StreamTicketViewsInput>,
  signal: AbortSignal,
): Promise<TrackedStream<TicketViewStreamEvent>> {
  const isFor = ({ body }: Pick<StreamEvent, 'body'>) =>
    !('only_for' in body) || body.only_for === identity.user.id;
  const events = await services.live.follow({
    topic: { workspaceId: workspace.id, subject: TICKET_VIEWS },
    isFor,
    lastEventId,
    findStart: (received) => services.live.resumeOrEnd(workspace.id, received),
    signal,
  });
  return eventsFor(events, isFor);
}

/** Yields the events that concern the viewer, without whom they are for. */
async function* eventsFor(
  events: AsyncIterable<StreamEvent>,
  isFor: (event: StreamEvent) => boolean,
): AsyncGenerator<TrackedEnvelope<TicketViewStreamEvent>> {
  for await (const event of events)
    if (isFor(event)) yield tracked(event.id, { type: event.type } as TicketViewStreamEvent);
}

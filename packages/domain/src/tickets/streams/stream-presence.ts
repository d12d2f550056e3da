import type { AttendanceEvent, AttendTicketInput, PresenceEvent } from '@firmdesk/contract';
import { type TrackedEnvelope, tracked } from '@trpc/server';
import type { z } from 'zod';
import type { SubjectPresence } from '../../platform/presence/attendance.ts';
import type { PresenceChange } from '../../platform/presence/presence.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import type { DeliveredStream, TrackedStream } from '../../procedures/tracked-stream.ts';

/** Presence is not in the log: a client that reconnects gets all of it again. */
const NO_EVENT_ID = '0';

/** Streams who has which tickets of the firm open: first all, then each ticket that changes. */
export function streamPresence(
  { services, workspace }: AccountContext,
  signal: AbortSignal,
): DeliveredStream<PresenceEvent> {
  const deliverTo = (deliver: (event: TrackedEnvelope<PresenceEvent>) => void) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) return resolve();
      const { current, stop } = services.presence.follow(workspace.id, (change) => deliver(changeOf(change)));
      deliver(
        tracked(NO_EVENT_ID, { type: 'presence', is_all: true, tickets: current.map(toTicketPresence) }),
      );
      const end = () => {
        stop();
        resolve();
      };
      signal.addEventListener('abort', end, { once: true });
    });
  return { deliverTo, [Symbol.asyncIterator]: () => iterate(deliverTo) };
}

/** Returns one event for all followers, so that it is serialized once. */
function changeOf(change: PresenceChange): TrackedEnvelope<PresenceEvent> {
  change.sent ??= tracked(NO_EVENT_ID, {
    type: 'presence',
    is_all: false,
    tickets: change.subjects.map(toTicketPresence),
  });
  return change.sent as TrackedEnvelope<PresenceEvent>;
}

function toTicketPresence({ subject, attendees }: SubjectPresence): PresenceEvent['tickets'][number] {
  return {
    ticket: subject,
    viewers: attendees.map(({ userId, name, isActive }) => ({ id: userId, name, is_typing: isActive })),
  };
}

/**
 * Shows colleagues that the caller has a ticket open, and whether they type, until the subscription ends, and not while the client
 * does not answer. Throws `resource_not_found`.
 */
export async function attendTicket(
  { services, workspace, identity, call }: AccountContext,
  { ticket, typing }: z.output<typeof AttendTicketInput>,
  signal: AbortSignal,
): Promise<TrackedStream<AttendanceEvent>> {
  const { rowCount } = await services.pool.query('select from tickets where id = $1 and workspace_id = $2', [
    ticket,
    workspace.id,
  ]);
  if (!rowCount) throw new ApiError('resource_not_found');
  const { id: userId, name } = identity.user;
  return iterate(
    (deliver) =>
      new Promise<void>((resolve) => {
        if (signal.aborted) return resolve();
        const attend = () =>
          services.presence.attend(workspace.id, { userId, name, subject: ticket, isActive: typing });
        let leave = attend();
        const stopWatching = call.watchClient((answers) => {
          leave();
          if (answers) leave = attend();
        });
        deliver(tracked(NO_EVENT_ID, { type: 'attending' }));
        const end = () => {
          stopWatching();
          leave();
          resolve();
        };
        signal.addEventListener('abort', end, { once: true });
      }),
  );
}

/** Yields what a function delivers. */
async function* iterate<Event>(
  deliverTo: (deliver: (event: Event) => void) => Promise<void>,
): AsyncGenerator<Event, void, undefined> {
  const queue: Event[] = [];
  let wake = () => {};
  let isEnded = false;
  const ended = deliverTo((event) => {
    queue.push(event);
    wake();
  }).finally(() => {
    isEnded = true;
    wake();
  });
  while (true) {
    yield* queue.splice(0);
    if (isEnded) break;
    if (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve));
  }
  await ended;
}

import { type TrackedEnvelope, tracked } from '@trpc/server';
import type { SubjectPresence } from '../platform/presence/attendance.ts';
import type { AccountContext } from './call-context.ts';
import type { DeliveredStream } from './tracked-stream.ts';

/** Who attends to something, as clients get it. */
export type Viewers = { id: string; name: string; is_typing: boolean }[];

/** Returns an event of presence. Presence is not in the log: a client that reconnects gets all of it again. */
export function presenceEvent<Event>(event: Event): TrackedEnvelope<Event> {
  return tracked('0', event);
}

/** Returns the attendees of a subject as clients get them. */
export function toViewers({ attendees }: SubjectPresence): Viewers {
  return attendees.map(({ userId, name, isActive }) => ({ id: userId, name, is_typing: isActive }));
}

/** Shows colleagues that the caller attends to a subject, and not while the client does not answer, until the returned function is called. */
export function attend(
  { services, workspace, identity, call }: AccountContext,
  { subject, isTyping }: { subject: string; isTyping: boolean },
): () => void {
  const { id: userId, name } = identity.user;
  const begin = () => services.presence.attend(workspace.id, { userId, name, subject, isActive: isTyping });
  let leave = begin();
  const stopWatching = call.watchClient((answers) => {
    leave();
    if (answers) leave = begin();
  });
  return () => {
    stopWatching();
    leave();
  };
}

/** Returns a stream of what a function delivers until the signal. The function returns what ends it. */
export function presenceStream<Event>(
  signal: AbortSignal,
  begin: (deliver: (event: TrackedEnvelope<Event>) => void) => () => void,
): DeliveredStream<Event> {
  const deliverTo = (deliver: (event: TrackedEnvelope<Event>) => void) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) return resolve();
      const stop = begin(deliver);
      const end = () => {
        stop();
        resolve();
      };
      signal.addEventListener('abort', end, { once: true });
    });
  return { deliverTo, [Symbol.asyncIterator]: () => iterate(deliverTo) };
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

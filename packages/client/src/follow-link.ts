import { TRPCClientError, type TRPCLink, wsLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import { jitteredDelay } from './backoff.ts';
import { asFirmdeskError, isTransient } from './errors.ts';
import { RECONNECT_MS, type SessionSocket } from './session-socket.ts';
import { transformer } from './transformer.ts';

/** The event that the service sends if its log no longer has the last event. A stream that resumes from its id gets `resync` again. */
const RESYNC_ID = '0-0-0';
const RESYNC = { type: 'data', id: RESYNC_ID, data: { id: RESYNC_ID, data: { type: 'resync' } } } as const;

/**
 * Returns a link for subscriptions over the session's socket. After a transient error (`unavailable`) a subscription starts
 * again after its last event; after any other error, or when the session ends, it ends with the error. If it restarts before
 * its first event, it has nothing to resume from, and gets `resync`.
 */
export function followLink(socket: SessionSocket): TRPCLink<AnyTRPCRouter> {
  return (runtime) =>
    ({ op, next }) =>
      observable((observer) => {
        let lastEventId: string | undefined;
        let attempts = 0;
        let hasStarted = false;
        let current: Unsubscribable | undefined;
        let timer: ReturnType<typeof setTimeout> | undefined;
        const begin = () => {
          const input = lastEventId === undefined ? op.input : { ...(op.input as object), lastEventId };
          const link = wsLink({ client: socket.client(), transformer })(runtime);
          current = link({ op: { ...op, input }, next }).subscribe({
            next(envelope) {
              const { result } = envelope;
              if (result.type === 'data') {
                attempts = 0;
                if (result.id !== undefined) lastEventId = String(result.id);
              }
              observer.next(envelope);
              if (result.type !== 'started') return;
              if (hasStarted && lastEventId === undefined) observer.next({ result: RESYNC });
              hasStarted = true;
            },
            error(thrown) {
              if (!isTransient(asFirmdeskError(thrown))) return observer.error(thrown);
              timer = setTimeout(begin, jitteredDelay(attempts++, RECONNECT_MS.base, RECONNECT_MS.cap));
            },
            complete: () => observer.complete(),
          });
        };
        const stop = () => observer.complete();
        op.signal?.addEventListener('abort', stop, { once: true });
        let isEnded = false;
        const release = socket.retain((error) => {
          isEnded = true;
          if (error) observer.error(TRPCClientError.from(error));
          else observer.complete();
        });
        if (!isEnded) begin();
        return () => {
          release();
          op.signal?.removeEventListener('abort', stop);
          clearTimeout(timer);
          current?.unsubscribe();
        };
      });
}

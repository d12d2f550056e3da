import type { TRPCUntypedClient } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import type { Unsubscribable } from '@trpc/server/observable';
import { asFirmdeskError } from './errors.ts';
import type { Tracked } from './procedure.ts';

/** The most events that are buffered for a slow reader. */
export const MAX_BUFFERED = 1_000;

/**
 * Yields the events of a subscription in order, each once. When {@link MAX_BUFFERED} events are unread, it ends the subscription; once
 * they are read, it subscribes again and resumes after the last one, which the service's log allows for one day. Returns when the
 * signal is aborted or the client is closed; throws a `FirmdeskError` when the service ends the stream.
 */
export async function* follow(
  client: TRPCUntypedClient<AnyTRPCRouter>,
  path: string,
  input: object,
  signal: AbortSignal | undefined,
): AsyncGenerator<Tracked<unknown>, void, undefined> {
  const buffered: Tracked<unknown>[] = [];
  let resumeInput: object = input;
  let current: Unsubscribable | null = null;
  let hasEnded = false;
  let failure: unknown;
  let wake = () => {};

  const unsubscribe = () => {
    const ending = current;
    current = null;
    ending?.unsubscribe();
  };
  const end = (error?: unknown) => {
    hasEnded = true;
    failure ??= error;
    wake();
  };
  const begin = () => {
    current = client.subscription(path, resumeInput, {
      onData(data) {
        const event = data as Tracked<unknown>;
        buffered.push(event);
        resumeInput = { ...input, lastEventId: event.id };
        if (buffered.length >= MAX_BUFFERED) unsubscribe();
        wake();
      },
      onError: (error) => end(asFirmdeskError(error)),
      onComplete: () => {
        // Our own `unsubscribe` also completes it.
        if (current) end();
      },
    });
  };
  const stop = () => end();

  if (signal?.aborted) return;
  signal?.addEventListener('abort', stop, { once: true });
  try {
    begin();
    while (true) {
      if (signal?.aborted) return;
      const event = buffered.shift();
      if (event) yield event;
      else if (hasEnded) break;
      else {
        if (!current) begin();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    unsubscribe();
  }
  if (failure) throw failure;
}

import type { TRPCUntypedClient } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import type { Unsubscribable } from '@trpc/server/observable';
import { asFirmdeskError } from './errors.ts';
import type { Tracked } from './procedure.ts';

/** How many events wait for a consumer who is slower than they come. */
export const MAX_KEPT = 1_000;

/**
 * The events of a subscription: in order, each once. When {@link MAX_KEPT} of them wait to be read, the subscription is
 * let go; once they are read it is begun again after the last one (the service's log reaches back a day).
 * Ends when the signal is aborted or the client is closed; throws a `FirmdeskError` when the service ends it.
 */
export async function* follow(
  client: TRPCUntypedClient<AnyTRPCRouter>,
  path: string,
  input: object,
  signal: AbortSignal | undefined,
): AsyncGenerator<Tracked<unknown>, void, undefined> {
  const kept: Tracked<unknown>[] = [];
  let from: object = input;
  let current: Unsubscribable | null = null;
  let isOver = false;
  let failure: unknown;
  let wake = () => {};

  const letGo = () => {
    const going = current;
    current = null;
    going?.unsubscribe();
  };
  const end = (error?: unknown) => {
    isOver = true;
    failure ??= error;
    wake();
  };
  const begin = () => {
    current = client.subscription(path, from, {
      onData(data) {
        const event = data as Tracked<unknown>;
        kept.push(event);
        from = { ...input, lastEventId: event.id };
        if (kept.length >= MAX_KEPT) letGo();
        wake();
      },
      onError: (error) => end(asFirmdeskError(error)),
      onComplete: () => {
        // Letting go completes it, too.
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
      const event = kept.shift();
      if (event) yield event;
      else if (isOver) break;
      else {
        if (!current) begin();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    letGo();
  }
  if (failure) throw failure;
}

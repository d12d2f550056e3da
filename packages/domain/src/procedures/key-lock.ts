import { setTimeout } from 'node:timers/promises';
import { ApiError } from '../platform/process/errors.ts';
import type { Services } from '../platform/services.ts';

const WAIT_MS = 10_000;

declare module '../platform/services.ts' {
  interface Services {
    /** The idempotency keys in use by calls of this process. Calls with the same key wait here, without a connection. */
    keyLocks: Map<string, Promise<void>>;
  }
}

/**
 * Waits until no other call of this process holds the key, then holds it until it is disposed of. Throws
 * `idempotency_key_in_use` after {@link WAIT_MS}.
 */
export async function lockKey(services: Services, key: string): Promise<Disposable> {
  const locks = services.keyLocks;
  let timeout: ReturnType<typeof startTimeout> | null = null;
  // Nothing is awaited between finding the key free and locking it, so that no other call can take it.
  for (let lock = locks.get(key); lock; lock = locks.get(key)) {
    timeout ??= startTimeout(WAIT_MS);
    const isLate = await Promise.race([timeout.passed, lock.then(() => false)]);
    if (isLate) throw new ApiError('idempotency_key_in_use', { retryAfterSeconds: 1 });
  }
  timeout?.cancel();
  const { promise, resolve } = Promise.withResolvers<void>();
  locks.set(key, promise);
  return {
    [Symbol.dispose]() {
      locks.delete(key);
      resolve();
    },
  };
}

function startTimeout(milliseconds: number) {
  const controller = new AbortController();
  const passed = setTimeout(milliseconds, true, { ref: false, signal: controller.signal }).catch(() => false);
  return { passed, cancel: () => controller.abort() };
}

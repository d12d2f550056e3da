import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServerGuard } from './server-guard.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A guard of a server that is silent while `silence` is pending, and how often it was asked. */
function guardOf(limit: number) {
  const state = { checks: 0, silence: null as Promise<void> | null };
  const guard = new ServerGuard(7, limit, async (onSilent) => {
    state.checks++;
    if (!state.silence) return;
    onSilent();
    await state.silence;
  });
  return { guard, state };
}

const forever = () => new Promise<never>(() => {});
const SILENT = 'The server 7 of pg_dist_node does not answer.';

test('runs as much work concurrently as its limit, and returns its results and errors', async () => {
  const { guard, state } = guardOf(2);
  const gate = Promise.withResolvers<void>();
  let running = 0;
  const work = async () => {
    running++;
    await gate.promise;
    return 'done';
  };
  const results = [guard.run(work), guard.run(work), guard.run(work)];
  await vi.advanceTimersByTimeAsync(0);
  expect(running).toBe(2);
  gate.resolve();
  expect(await Promise.all(results)).toEqual(['done', 'done', 'done']);
  await expect(guard.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(state.checks).toBe(0);
  // It keeps no timer without work.
  await vi.advanceTimersByTimeAsync(1_000);
  expect(vi.getTimerCount()).toBe(0);
});

test('rejects all work when the server is silent, new work at once, and accepts work when it answers', async () => {
  const { guard, state } = guardOf(1);
  const silence = Promise.withResolvers<void>();
  state.silence = silence.promise;
  const lost = Promise.withResolvers<string>();
  const hanging = expect(guard.run(() => lost.promise)).rejects.toThrow(SILENT);
  let hasRun = false;
  const waiting = expect(
    guard.run(async () => {
      hasRun = true;
    }),
  ).rejects.toThrow(SILENT);
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all([hanging, waiting]);
  await expect(guard.run(async () => 'new')).rejects.toMatchObject({ message: SILENT, code: '08006' });
  expect([hasRun, state.checks]).toEqual([false, 1]);

  state.silence = null;
  silence.resolve();
  await vi.advanceTimersByTimeAsync(0);
  const next = guard.run(async () => 'again');
  // The work that was rejected had the only permit, until it ends.
  lost.resolve('late');
  expect(await next).toBe('again');
  expect(hasRun).toBe(false);
});

test('asks again while work is slow, and lets it continue while the server answers', async () => {
  const { guard, state } = guardOf(1);
  const slow = Promise.withResolvers<string>();
  const result = guard.run(() => slow.promise);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(state.checks).toBe(5);
  slow.resolve('slow');
  expect(await result).toBe('slow');
});

test('rejects work that has waited for 5 seconds', async () => {
  const { guard } = guardOf(1);
  void guard.run(forever);
  const waiting = expect(guard.run(async () => 'late')).rejects.toThrow('uses its share of the connections');
  await vi.advanceTimersByTimeAsync(6_000);
  await waiting;
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('is current again as soon as something subscribes', async () => {
  const { currentMinute, followMinutes } = await import('./current-minute.ts');
  vi.advanceTimersByTime(20 * 60_000);
  const changes = vi.fn();
  const stop = followMinutes(changes);
  expect(currentMinute()).toBe(Date.now());
  vi.advanceTimersByTime(60_000);
  expect(currentMinute()).toBe(Date.now());
  expect(changes).toHaveBeenCalled();
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

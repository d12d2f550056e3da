import { expect, test } from 'vitest';
import { limitTasks, MAX_WAITING } from './task-limit.ts';

test('runs at most the limit concurrently, the others in order of arrival, also after a failure', async () => {
  const limited = limitTasks(2);
  const began: number[] = [];
  const ends: PromiseWithResolvers<number>[] = [];
  const calls = Array.from({ length: 5 }, (_, n) =>
    limited(() => {
      began.push(n);
      ends[n] = Promise.withResolvers();
      return ends[n].promise;
    }),
  );
  await expect.poll(() => began).toEqual([0, 1]);
  ends[1]!.reject(new Error('fails'));
  await expect(calls[1]).rejects.toThrow('fails');
  await expect.poll(() => began).toEqual([0, 1, 2]);
  ends[0]!.resolve(0);
  ends[2]!.resolve(2);
  expect(await Promise.all([calls[0], calls[2]])).toEqual([0, 2]);
  await expect.poll(() => began).toEqual([0, 1, 2, 3, 4]);
  ends[3]!.resolve(3);
  ends[4]!.resolve(4);
  expect(await Promise.all([calls[3], calls[4]])).toEqual([3, 4]);
  expect(await limited(async () => 'free again')).toBe('free again');
});

test('rejects with unavailable when too many wait', async () => {
  const limited = limitTasks(1);
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const calls = Array.from({ length: 1 + MAX_WAITING }, () => limited(() => end));
  await expect(limited(async () => {})).rejects.toMatchObject({
    apiCode: 'unavailable',
    retryAfterSeconds: 1,
  });
  resolve();
  await Promise.all(calls);
});

import { expect, test } from 'vitest';
import { MAX_WAITING, Semaphore } from './semaphore.ts';

test('runs at most the limit concurrently, the others in order of arrival, also after a failure', async () => {
  const semaphore = new Semaphore(2);
  const began: number[] = [];
  const ends: PromiseWithResolvers<number>[] = [];
  const calls = Array.from({ length: 5 }, (_, n) =>
    semaphore.run(() => {
      began.push(n);
      ends[n] = Promise.withResolvers();
      return ends[n].promise;
    }),
  );
  expect(began).toEqual([0, 1]);
  ends[1]!.reject(new Error('fails'));
  await expect(calls[1]).rejects.toThrow('fails');
  expect(began).toEqual([0, 1, 2]);
  ends[0]!.resolve(0);
  ends[2]!.resolve(2);
  expect(await Promise.all([calls[0], calls[2]])).toEqual([0, 2]);
  expect(began).toEqual([0, 1, 2, 3, 4]);
  ends[3]!.resolve(3);
  ends[4]!.resolve(4);
  expect(await Promise.all([calls[3], calls[4]])).toEqual([3, 4]);
  expect(await semaphore.run(async () => 'free again')).toBe('free again');
});

test('rejects with unavailable when the queue is full', async () => {
  const semaphore = new Semaphore(1);
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const calls = Array.from({ length: 1 + MAX_WAITING }, () => semaphore.run(() => end));
  await expect(semaphore.run(async () => {})).rejects.toMatchObject({
    apiCode: 'unavailable',
    retryAfterSeconds: 1,
  });
  resolve();
  await Promise.all(calls);
});

import { TestClock } from '@firmdesk/testing';
import { expect, test } from 'vitest';
import { Breaker } from './breaker.ts';

const start = new Date('2026-01-01T00:00:00Z');

test('opens after as many consecutive failures as its limit, and closes after the pause', () => {
  const clock = new TestClock(start);
  const breaker = new Breaker(clock, 3);
  expect([1, 2, 3].map(() => breaker.fail(1_000, false))).toEqual([false, false, true]);
  expect(breaker.remainingMs()).toBe(1_000);
  clock.advance(400);
  expect(breaker.remainingMs()).toBe(600);
  clock.advance(600);
  expect(breaker.remainingMs()).toBe(0);
});

test('a success resets the count of failures', () => {
  const breaker = new Breaker(new TestClock(start), 2);
  breaker.fail(1_000, false);
  breaker.succeed();
  expect(breaker.fail(1_000, false)).toBe(false);
  expect(breaker.fail(1_000, false)).toBe(true);
});

test('a certain failure opens it immediately, and reports that only once', () => {
  const clock = new TestClock(start);
  const breaker = new Breaker(clock, 5);
  expect(breaker.fail(1_000, true)).toBe(true);
  expect(breaker.fail(9_000, true)).toBe(false);
  expect(breaker.remainingMs()).toBe(1_000);
  clock.advance(1_000);
  expect(breaker.fail(1_000, true)).toBe(true);
});

/** Where the time comes from; a test puts its own in its place. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

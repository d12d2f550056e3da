/** PostgreSQL has no year 0. */
const TIMESTAMP = String.raw`(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
const PERIOD = new RegExp(`^(${TIMESTAMP})\\.\\.(${TIMESTAMP})$`);

/** Returns the times of a period such as `2026-11-01T00:00:00.000Z..2026-12-01T00:00:00.000Z`; null if it is none. */
export function readPeriod(text: string): [from: number, until: number] | null {
  const [, from, until] = PERIOD.exec(text) ?? [];
  const times: [number, number] = [Date.parse(from ?? ''), Date.parse(until ?? '')];
  return times.some(Number.isNaN) ? null : times;
}

/** Returns whether a time is in a period, whose end is not part of it. */
export function isInPeriod(text: string | undefined, time: string | null): boolean {
  const period = text === undefined ? null : readPeriod(text);
  if (period === null) return true;
  return time !== null && Date.parse(time) >= period[0] && Date.parse(time) < period[1];
}

import { localToUtc } from '@firmdesk/recurrence';

/** The years that both ISO 8601 and PostgreSQL write with four digits. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');

/** Returns when a day begins in a zone. PostgreSQL does not know each zone that an account can have. */
export function startOfDay(day: string, zone: string): string {
  const start = localToUtc(Date.parse(day), zone);
  return new Date(Math.min(Math.max(start, FIRST_MS), LAST_MS)).toISOString();
}

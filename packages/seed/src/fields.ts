import { resolveZone } from '@firmdesk/recurrence';
import { z } from 'zod';
import { resolveTimestamp, TimestampError } from './times.ts';

const NOT_STORABLE = 'is not well-formed text, or contains U+0000';

/** Text that PostgreSQL can store: no U+0000 and no half of a surrogate pair. */
export const Text = z.string().refine((text) => !text.includes('\0') && text.isWellFormed(), NOT_STORABLE);

export const NonEmptyText = Text.min(1, 'is empty');

/** The name by which other records of the file refer to this one. */
export const Key = NonEmptyText.max(200);

/** Checked here, also for the years it leads to; resolved by the import, which knows its own `now`. */
export const Timestamp = z.string().superRefine((text, ctx) => {
  try {
    resolveTimestamp(text, new Date());
  } catch (error) {
    if (!(error instanceof TimestampError)) throw error;
    ctx.addIssue({ code: 'custom', message: error.message });
  }
});

/** Looser than what the API accepts for a recipient, so that what another system holds can move in. */
export const EmailAddress = Text.max(254).regex(/^[^\s@<>]+@[^\s@<>]+$/, 'is not an email address');

export const TimeZone = z
  .string()
  // `resolveZone` also knows the names that Windows uses; those have spaces.
  .refine((zone) => /^[\w+/-]+$/.test(zone) && resolveZone(zone) !== null, 'is not an IANA time zone');

export const DeviceToken = z.string().regex(/^[0-9a-fA-F]{64,200}$/, 'is not 64 to 200 hexadecimal digits');

// JSON.stringify escapes exactly what `jsonb` cannot hold: U+0000 and half a surrogate pair. An even number of
// backslashes before it is text that only looks like an escape.
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** Process and database recurse over what is nested. */
const MAX_DEPTH = 100;

/** A free-form JSON object, nested at most {@link MAX_DEPTH} deep. */
export const JsonObject = z
  .record(z.string(), z.unknown())
  .refine((value) => !isDeeper(value, MAX_DEPTH), {
    error: `is nested more than ${MAX_DEPTH} deep`,
    abort: true,
  })
  .refine((value) => !UNSTORABLE_ESCAPE.test(JSON.stringify(value)), NOT_STORABLE);

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

/** A field that may be left out; `null` says the same. */
export function maybe<T extends z.ZodType>(schema: T) {
  return schema.nullish();
}

/** A list that may be left out. */
export function list<T extends z.ZodType>(element: T) {
  return z.array(element).default([]);
}

import { hasVisibleText, isSendable, MAX_AVATAR_URL, NOT_SENDABLE, oneLine } from '@firmdesk/contract';
import { isAvatar, isLogo } from '@firmdesk/domain/import';
import { resolveZone } from '@firmdesk/recurrence';
import { z } from 'zod';
import { resolveTimestamp, TimestampError } from './times.ts';

const UNSUPPORTED = 'contains an unsupported character (NUL or a lone surrogate)';

/** Text that PostgreSQL can store: without U+0000 and lone surrogates. */
export const Text = z.string().refine((text) => !text.includes('\0') && text.isWellFormed(), UNSUPPORTED);

export const NonEmptyText = Text.refine(hasVisibleText, 'must not be empty');

/** A text of one line, which may be empty. */
export const Line = Text.overwrite(oneLine);

/** The name by which people know a record. */
export const Name = Line.min(1, 'must not be empty');

/** The name by which other records of the file refer to a record. */
export const Key = NonEmptyText.max(200);

/** The URL of a picture on another server, or a picture as a `data:` URL. */
export const AvatarUrl = NonEmptyText.max(MAX_AVATAR_URL, { abort: true }).refine(
  isAvatar,
  'must be an http(s) URL, or a data: URL of a PNG, JPEG, GIF, WebP, AVIF or SVG picture',
);

/** A picture as a `data:` URL. */
export const Logo = NonEmptyText.max(MAX_AVATAR_URL, { abort: true }).refine(
  isLogo,
  'must be a PNG, JPEG or WebP picture as a data: URL',
);

/** A timestamp, fixed or relative. The schema checks it, including the year; the import resolves it with its own `now`. */
export const Timestamp = z.string().superRefine((text, ctx) => {
  try {
    resolveTimestamp(text, new Date());
  } catch (error) {
    if (!(error instanceof TimestampError)) throw error;
    ctx.addIssue({ code: 'custom', message: error.message });
  }
});

/** Accepts more than the API does for a recipient, so that data of other systems can be imported. */
export const EmailAddress = Text.max(254).regex(/^[^\s@<>]+@[^\s@<>]+$/, 'must be an email address');

export const TimeZone = z
  .string()
  // `resolveZone` also accepts the names that Windows uses; those contain spaces.
  .refine((zone) => /^[\w+/-]+$/.test(zone) && resolveZone(zone) !== null, 'must be an IANA time zone');

export const DeviceToken = z.string().regex(/^[0-9a-fA-F]{64,200}$/, 'must be 64 to 200 hexadecimal digits');

// JSON.stringify escapes exactly what `jsonb` cannot store: U+0000 and lone surrogates. After an even number of
// backslashes, the sequence is text and not an escape.
const UNSUPPORTED_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** Limits the recursion over nested values, in this process and in the database. */
const MAX_DEPTH = 100;

/** A free-form JSON object, nested at most {@link MAX_DEPTH} deep. */
export const JsonObject = z
  .record(z.string(), z.unknown())
  .refine((value) => !isDeeper(value, MAX_DEPTH), {
    error: `must be nested at most ${MAX_DEPTH} deep`,
    abort: true,
  })
  .refine((value) => !UNSUPPORTED_ESCAPE.test(JSON.stringify(value)), UNSUPPORTED)
  .refine(isSendable, NOT_SENDABLE);

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

/** A field that may be omitted or null. */
export function maybe<T extends z.ZodType>(schema: T) {
  return schema.nullish();
}

/** A list that may be omitted. */
export function list<T extends z.ZodType>(element: T) {
  return z.array(element).default([]);
}

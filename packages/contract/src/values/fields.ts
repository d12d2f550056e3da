import * as z from 'zod';
import { hasVisibleText, oneLine } from '../texts/visible-text.ts';
import type { ErrorCode } from './errors.ts';

/** A date and time on the wire: ISO 8601 in UTC, with `Z` and milliseconds (contract §1.3). */
export const Timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'ISO 8601, UTC', examples: ['2026-11-21T09:30:00.000Z'] });

/** As {@link Timestamp}, with six decimals: only `message_at` (contract §2.1). */
export const TimestampMicros = z.iso
  .datetime({ precision: 6 })
  .meta({ description: 'ISO 8601, UTC, microseconds', examples: ['2026-11-21T09:30:00.000000Z'] });

const NOT_EMPTY = 'must not be empty';

const NUL_OR_LONE_SURROGATE = /[\0\p{Surrogate}]/u;

/** Leaves a text as it is that cannot be stored, so that the call is refused instead of changed. */
const ifStorable = (rule: (text: string) => string) => (text: string) =>
  NUL_OR_LONE_SURROGATE.test(text) ? text : rule(text);

/** A text of any number of lines, which may be empty: as it was sent if a person sees anything of it. */
export const AnyText = z.string().overwrite(ifStorable((text) => (hasVisibleText(text) ? text : '')));

/** A text of any number of lines in which a person sees something. */
export const VisibleText = AnyText.min(1, NOT_EMPTY);

/** A text of one line, which may be empty: {@link oneLine}. */
export const Line = z.string().overwrite(ifStorable(oneLine));

/** A name, a subject or a title: one line in which a person sees something. */
export const VisibleLine = Line.min(1, NOT_EMPTY);

/** A language tag, such as `en` or `pt-BR`. */
export const Language = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag, such as "en" or "pt-BR"');

/** The URL of a firm's logo, whose picture never changes; null for a firm without one. */
export const LogoUrl = z.string().nullable().meta({ description: 'The logo of the firm' });

const UNSENDABLE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
/** Why a JSON value is not {@link isSendable}. */
export const NOT_SENDABLE = 'must have no member with the name "__proto__", "constructor" or "prototype"';

/** Returns whether typed RPC can send a JSON value: superjson takes these names for an attack on the prototypes of objects, and fails. */
export function isSendable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => !UNSENDABLE_NAMES.has(name) && isSendable(member));
}

/** The error code of each field for which the contract defines one. */
export const fieldErrorCodes = z.registry<{ code: ErrorCode }>();

const LIMIT_MESSAGE = 'must be an integer between 1 and 100';

/** `limit` of a list: 1 to 100. A larger number counts as 100 (contract §8, G-20). */
export const Limit = z
  .int(LIMIT_MESSAGE)
  .positive(LIMIT_MESSAGE)
  .transform((limit) => Math.min(limit, 100))
  .default(20)
  .meta({ description: 'Rows of a page; more than 100 counts as 100' })
  .register(fieldErrorCodes, { code: 'invalid_limit' });

/** The `meta` of a page. `next_cursor` goes into `starting_after` of the next call; it is null on the last page. */
export const PageMeta = z.object({
  has_more: z.boolean().meta({ description: 'Whether there is another page' }),
  next_cursor: z
    .string()
    .nullable()
    .meta({ description: '`starting_after` of the next page; null on the last page' }),
});

/** Returns the schema of a response with members of its own in `meta`. REST adds `request_id` to them. */
export function answerOf<Data extends z.ZodType, Meta extends z.ZodType>(data: Data, meta: Meta) {
  return z.object({ data, meta });
}

/** Returns the schema of a page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return answerOf(z.array(item), PageMeta);
}

import type * as z from 'zod';
import type { FieldError } from './errors.ts';

/** An invalid field: its path, and what it must be: `must be an integer between 1 and 100, got 0`. */
export interface InvalidField {
  path: readonly PropertyKey[];
  message: string;
}

/** Returns every invalid field of an input; none where the schema accepts it. */
export function invalidFields(schema: z.ZodType, input: unknown): InvalidField[] {
  const { error } = schema.safeParse(input, { error: describeIssue, reportInput: true });
  return (error?.issues ?? []).map((issue) => ({
    path: issue.path,
    message: issue.input === undefined ? 'is required' : issue.message + received(issue),
  }));
}

/** Returns the error of a field: its path as JavaScript writes it, and a sentence that begins with the field's name. */
export function fieldError({ path, message }: InvalidField, whole = 'The body'): FieldError {
  const text = fieldPath(path);
  return { path: text, message: `${text === '' ? whole : `"${text}"`} ${message.replace(/\.$/, '')}.` };
}

/** `to[2].email`; the path of the input itself is empty. */
function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${String(key)}` : String(key),
    '',
  );
}

type Issue = z.core.$ZodRawIssue;

/** More values are listed without quotes, so that the message stays short. */
const MAX_QUOTED = 20;

/**
 * Says what a value must be, as zod's `error` option: `must be an integer between 1 and 100`. A schema's own message stands
 * before these, and has the same form: `must be …` or `must have …`.
 */
export const describeIssue: z.core.$ZodErrorMap = (issue) => expectation(issue);

function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeOf(issue)}`;
    case 'too_small':
    case 'too_big':
      return bounds(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return formatOf(issue);
    case 'invalid_value':
      return issue.values.length > MAX_QUOTED
        ? `must be one of ${issue.values.join(', ')}`
        : `must be ${listed(issue.values.map(quote))}`;
    case 'unrecognized_keys':
      return `must not have ${issue.keys.length === 1 ? 'the field' : 'the fields'} ${listed(issue.keys.map(quote), 'and')}`;
    case 'invalid_union':
      return unionOf(issue);
    case 'invalid_key':
      return `must have keys of the right form: a key ${firstMessage(issue.issues)}`;
    case 'invalid_element':
      return `must have values of the right form: a value ${firstMessage(issue.issues)}`;
    default:
      return 'must have a valid value';
  }
}

const types: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  bigint: 'an integer',
  array: 'an array',
  tuple: 'an array',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  null: 'null',
  date: 'a date',
  nan: 'NaN',
};

function typeOf(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  const bag = bagOf(issue);
  const { minimum, maximum, format } = bag;
  if (issue.expected === 'number' || issue.expected === 'int') return numberWithin(bag);
  if (issue.expected === 'string' && format && format in formats) return formats[format]!;
  if (issue.expected === 'string' && (minimum !== undefined || maximum !== undefined)) {
    return `a string with ${sizeWithin(bag, 'character')}`;
  }
  return types[issue.expected] ?? `a value of the type ${issue.expected}`;
}

function bounds(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig>): string {
  const own =
    issue.code === 'too_small'
      ? { [issue.inclusive ? 'minimum' : 'exclusiveMinimum']: issue.minimum }
      : { [issue.inclusive ? 'maximum' : 'exclusiveMaximum']: issue.maximum };
  const bag = { ...own, ...bagOf(issue) };
  if (issue.origin === 'number' || issue.origin === 'int' || issue.origin === 'bigint') {
    return `must be ${numberWithin(bag)}`;
  }
  if (issue.origin === 'date') {
    return issue.code === 'too_small'
      ? `must not be before ${dateText(issue.minimum)}`
      : `must not be after ${dateText(issue.maximum)}`;
  }
  if (bag.minimum === 1 && bag.maximum === undefined) return NOT_EMPTY;
  return `must have ${sizeWithin(bag, issue.origin === 'string' ? 'character' : 'item')}`;
}

/** The bounds and the format that a schema has. Those of a number are inclusive or exclusive, those of a size inclusive. */
interface Bag {
  minimum?: unknown;
  maximum?: unknown;
  exclusiveMinimum?: unknown;
  exclusiveMaximum?: unknown;
  format?: string;
}

function bagOf({ schema }: Issue): Bag {
  const bag: Bag = {};
  if (!schema) return bag;
  const { def } = schema._zod;
  // A schema such as `z.int()` or `z.email()` is its own first check.
  if ('format' in def && typeof def.format === 'string') bag.format = def.format;
  for (const check of (def.checks ?? []) as z.core.$ZodChecks[]) {
    const own = check._zod.def;
    if (own.check === 'greater_than') bag[own.inclusive ? 'minimum' : 'exclusiveMinimum'] = own.value;
    else if (own.check === 'less_than') bag[own.inclusive ? 'maximum' : 'exclusiveMaximum'] = own.value;
    else if (own.check === 'min_length') bag.minimum = own.minimum;
    else if (own.check === 'max_length') bag.maximum = own.maximum;
    else if (own.check === 'length_equals') bag.minimum = bag.maximum = own.length;
    else if (own.check === 'number_format' || own.check === 'string_format') bag.format ??= own.format;
  }
  return bag;
}

/** `an integer between 1 and 100`. The bounds that every safe integer has are not bounds of the field. */
function numberWithin({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, format }: Bag): string {
  const isInteger = format?.includes('int') ?? false;
  const noun = isInteger ? 'an integer' : 'a number';
  const step = isInteger ? 1 : 0;
  const bound = (inclusive: unknown, exclusive: unknown, sign: 1 | -1): number | null => {
    const candidates = [inclusive, typeof exclusive === 'number' ? exclusive + sign * step : null].filter(
      (value) =>
        typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < Number.MAX_SAFE_INTEGER,
    ) as number[];
    if (candidates.length === 0) return null;
    return sign === 1 ? Math.max(...candidates) : Math.min(...candidates);
  };
  const low = bound(minimum, exclusiveMinimum, 1);
  const high = bound(maximum, exclusiveMaximum, -1);
  const isAbove = !isInteger && low !== null && low === exclusiveMinimum;
  const isBelow = !isInteger && high !== null && high === exclusiveMaximum;
  if (low !== null && high !== null && !isAbove && !isBelow) return `${noun} between ${low} and ${high}`;
  const parts = [
    ...(low === null ? [] : [isAbove ? `greater than ${low}` : `of at least ${low}`]),
    ...(high === null ? [] : [isBelow ? `less than ${high}` : `of at most ${high}`]),
  ];
  return [noun, parts.join(' and ')].filter(Boolean).join(' ');
}

/** `between 1 and 100 characters`. */
function sizeWithin({ minimum, maximum }: Bag, unit: string): string {
  const units = maximum === 1 || (maximum === undefined && minimum === 1) ? unit : `${unit}s`;
  if (minimum === maximum) return `exactly ${minimum} ${units}`;
  if (minimum === undefined) return `at most ${maximum} ${units}`;
  if (maximum === undefined) return `at least ${minimum} ${units}`;
  return `between ${minimum} and ${maximum} ${units}`;
}

function dateText(value: unknown): string {
  return value instanceof Date || typeof value === 'number' ? new Date(value).toISOString() : String(value);
}

const formats: Record<string, string> = {
  email: 'an email address',
  'idn-email': 'an email address',
  url: 'a URL',
  uuid: 'a UUID',
  guid: 'a UUID',
  datetime: 'an ISO 8601 date-time in UTC, such as "2026-11-21T09:30:00.000Z"',
  date: 'an ISO 8601 date, such as "2026-11-21"',
  time: 'an ISO 8601 time, such as "09:30:00"',
  duration: 'an ISO 8601 duration, such as "PT15M"',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  cidrv4: 'an IPv4 range, such as "192.0.2.0/24"',
  cidrv6: 'an IPv6 range, such as "2001:db8::/32"',
  mac: 'a MAC address',
  base64: 'text in Base64',
  base64url: 'text in Base64url',
  json_string: 'JSON text',
  e164: 'a telephone number in E.164, such as "+4930123456"',
  jwt: 'a JSON Web Token',
  lowercase: 'lower-case text',
  uppercase: 'upper-case text',
  emoji: 'an emoji',
  hex: 'text in hexadecimal',
  hostname: 'a host name',
};

function formatOf(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidStringFormat>): string {
  if (issue.format === 'starts_with') return `must begin with ${quote(issue['prefix'])}`;
  if (issue.format === 'ends_with') return `must end with ${quote(issue['suffix'])}`;
  if (issue.format === 'includes') return `must contain ${quote(issue['includes'])}`;
  if (issue.format === 'regex') return `must match the pattern ${issue['pattern']}`;
  return `must be ${formats[issue.format] ?? `a valid ${issue.format}`}`;
}

function unionOf(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const options = issue['options'] as unknown[] | undefined;
  if (options && options.length > 0) return `must be ${listed(options.map(quote))}`;
  const messages = issue.errors.map(firstMessage);
  if (messages.length === 0) return 'must be of exactly one of the allowed forms';
  const [first, ...others] = new Set(messages);
  const rest = others.map((message) => message.replace(/^must be /, ''));
  return listed([first!, ...rest]);
}

function firstMessage(issues: readonly { path: readonly PropertyKey[]; message: string }[]): string {
  const [first] = issues;
  if (!first) return 'must have a valid value';
  return first.path.length === 0
    ? first.message
    : `must have a field "${fieldPath(first.path)}" that ${first.message}`;
}

/** `"a"`, `"a" or "b"`, `"a", "b" or "c"`. */
function listed(texts: readonly string[], word: 'or' | 'and' = 'or'): string {
  return texts.length < 2 ? texts.join() : `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`;
}

function quote(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'undefined');
}

/** Names of fields with a secret or with the text of a user. A message does not repeat their values. */
const WITHHELD = /password|token|secret|device|authorization|endpoint|p256dh|\bauth\b|body|raw|instruction/i;

const NOT_EMPTY = 'must not be empty';

/** Longer texts are not repeated. */
const MAX_REPEATED = 40;

/** `, got "abc"`, or nothing where the value does not help or must not be repeated. */
function received({ code, input, path, message }: z.core.$ZodIssue): string {
  const isOfType = code !== 'invalid_type';
  const isSize = code === 'too_small' || code === 'too_big';
  if (isSize && (typeof input === 'string' || Array.isArray(input))) {
    return message === NOT_EMPTY ? '' : `, got ${input.length}`;
  }
  if (typeof input === 'object' && input !== null) {
    return isOfType ? '' : `, got ${Array.isArray(input) ? 'an array' : 'an object'}`;
  }
  if (path.some((key) => WITHHELD.test(String(key)))) {
    return isOfType ? '' : `, got ${types[input === null ? 'null' : typeof input]}`;
  }
  if (typeof input === 'string') {
    return input.length <= MAX_REPEATED ? `, got ${JSON.stringify(input)}` : '';
  }
  return `, got ${String(input)}`;
}

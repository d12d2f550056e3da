import { expect, test } from 'vitest';
import * as z from 'zod';
import { ListTicketsInput } from '../tickets/tickets.ts';
import { fieldError, invalidFields } from './input-errors.ts';

const messagesOf = (schema: z.ZodType, input: unknown) =>
  invalidFields(schema, input).map((field) => fieldError(field).message);
const messageOf = (schema: z.ZodType, value: unknown) => messagesOf(z.object({ a: schema }), { a: value })[0];

test.each<[expected: string, schema: z.ZodType, value: unknown]>([
  ['"a" is required.', z.string(), undefined],
  ['"a" is required.', z.enum(['x', 'y']), undefined],
  ['"a" is required.', z.email('must be an address'), undefined],
  ['"a" must be a string, got 5.', z.string(), 5],
  ['"a" must be a string, got null.', z.string(), null],
  ['"a" must be a string, got an array.', z.string(), ['x']],
  ['"a" must be a string with between 1 and 9 characters, got true.', z.string().min(1).max(9), true],
  ['"a" must be true or false, got "yes".', z.boolean(), 'yes'],
  ['"a" must be an array, got an object.', z.array(z.string()), {}],
  ['"a" must be an object, got "x".', z.object({}), 'x'],
  ['"a" must be an object, got an array.', z.record(z.string(), z.string()), []],
  ['"a" must be a date, got "x".', z.date(), 'x'],
  ['"a" must be a number, got "5".', z.number(), '5'],
  ['"a" must be an integer, got 1.5.', z.int(), 1.5],
  ['"a" must be an integer between 1 and 100, got 0.', z.int().min(1).max(100), 0],
  ['"a" must be an integer between 1 and 100, got 101.', z.int().min(1).max(100), 101],
  ['"a" must be an integer between 1 and 100, got "x".', z.int().min(1).max(100), 'x'],
  ['"a" must be an integer between 1 and 99, got 100.', z.int().positive().lt(100), 100],
  ['"a" must be an integer of at least 1, got -1.', z.int().positive(), -1],
  ['"a" must be a number of at most 5, got 6.', z.number().max(5), 6],
  ['"a" must be a number greater than 0 and of at most 5, got 0.', z.number().gt(0).max(5), 0],
  ['"a" must be a number less than 5, got 5.', z.number().lt(5), 5],
  ['"a" must be a multiple of 5, got 7.', z.number().multipleOf(5), 7],
  ['"a" must not be empty.', z.string().min(1), ''],
  ['"a" must have between 1 and 9 characters, got 0.', z.string().min(1).max(9), ''],
  ['"a" must have at most 3 characters, got 4.', z.string().max(3), 'four'],
  ['"a" must have at least 10 characters, got 4.', z.string().min(10), 'four'],
  ['"a" must have exactly 2 characters, got 4.', z.string().length(2), 'four'],
  ['"a" must have between 1 and 2 items, got 3.', z.array(z.int()).min(1).max(2), [1, 2, 3]],
  ['"a" must have at most 1 item, got 2.', z.array(z.int()).max(1), [1, 2]],
  ['"a" must not be before 2026-01-01T00:00:00.000Z.', z.date().min(new Date(Date.UTC(2026))), new Date(0)],
  ['"a" must be an email address, got "x".', z.email(), 'x'],
  ['"a" must be an email address, got 5.', z.email(), 5],
  ['"a" must be a UUID, got "x".', z.guid(), 'x'],
  ['"a" must be a URL, got "x".', z.url(), 'x'],
  ['"a" must be an ISO 8601 date, such as "2026-11-21", got "x".', z.iso.date(), 'x'],
  ['"a" must begin with "/", got "x".', z.string().startsWith('/'), 'x'],
  ['"a" must end with "/", got "x".', z.string().endsWith('/'), 'x'],
  ['"a" must contain "/", got "x".', z.string().includes('/'), 'x'],
  ['"a" must match the pattern /^b/, got "x".', z.string().regex(/^b/), 'x'],
  ['"a" must be "x" or "y", got "z".', z.enum(['x', 'y']), 'z'],
  ['"a" must be "x", "y" or "z", got 1.', z.enum(['x', 'y', 'z']), 1],
  ['"a" must be true, got false.', z.literal(true), false],
  ['"a" must not have the fields "b" and "c".', z.strictObject({}), { b: 1, c: 2 }],
  ['"a" must be a string or an integer, got true.', z.union([z.string(), z.int()]), true],
  ['"a" must be odd, got 2.', z.int().refine((n) => n % 2 === 1, 'must be odd'), 2],
  ['"a" must have a valid value, got 2.', z.int().refine((n) => n % 2 === 1), 2],
])('says %s', (expected, schema, value) => {
  expect(messageOf(schema, value)).toBe(expected);
});

test('names the option of a discriminated union', () => {
  const schema = z.discriminatedUnion('type', [
    z.object({ type: z.literal('x') }),
    z.object({ type: z.literal('y') }),
  ]);
  expect(messageOf(schema, { type: 'z' })).toMatch(/^"a\.type" must be "x" or "y"/);
});

test('names nested fields and items of lists by their path', () => {
  const schema = z.object({ attendees: z.array(z.object({ email: z.email() })) });
  expect(messagesOf(schema, { attendees: [{ email: 'a@b.example' }, { email: 1 }, {}] })).toEqual([
    '"attendees[1].email" must be an email address, got 1.',
    '"attendees[2].email" is required.',
  ]);
});

test('names the body where the body itself is wrong', () => {
  expect(messagesOf(z.object({}), [])).toEqual(['The body must be an object, got an array.']);
  expect(messagesOf(z.object({}), undefined)).toEqual(['The body is required.']);
});

test.each(['password', 'new_password', 'token', 'device', 'body', 'raw', 'instruction'])(
  'does not repeat the value of %s',
  (name) => {
    const schema = z.object({ [name]: z.string().regex(/^b/) });
    expect(messagesOf(schema, { [name]: 'hunter2' })).toEqual([`"${name}" must match the pattern /^b/.`]);
    expect(messagesOf(schema, { [name]: 424242 })).toEqual([`"${name}" must be a string, got a number.`]);
  },
);

test('does not repeat a long value', () => {
  expect(messageOf(z.email(), 'x'.repeat(40))).toContain('x'.repeat(40));
  expect(messageOf(z.email(), 'x'.repeat(41))).toBe('"a" must be an email address.');
});

test('escapes what a message repeats', () => {
  expect(messageOf(z.email(), 'a\n"b"\0')).toBe('"a" must be an email address, got "a\\n\\"b\\"\\u0000".');
});

test('accepts what the schema accepts', () => {
  expect(invalidFields(ListTicketsInput, { limit: 500 })).toEqual([]);
});

test('asks for the limit of a page in one way, whatever is wrong', () => {
  for (const limit of [0, -1, 1.5, 'x', null]) {
    expect(messagesOf(ListTicketsInput, { limit })[0]).toMatch(
      /^"limit" must be an integer between 1 and 100, got /,
    );
  }
});

import { expect, test } from 'vitest';
import { isUnavailable } from './database-errors.ts';

test.each([
  ['XX000', 'could not commit transaction for shard 102345 on at least one active node', true],
  ['XX000', 'failure on connection marked as essential: 10.0.0.7:5432', true],
  ['XX000', 'cache lookup failed for relation 16384', false],
])('%s of a cluster is temporary if a server was lost: %s', (code, message, expected) => {
  expect(isUnavailable(Object.assign(new Error(message), { code }))).toBe(expected);
});

test.each([
  ['connect', 'ENOENT', true],
  ['connect', 'EAGAIN', true],
  ['open', 'ENOENT', false],
])('a failed %s with %s is temporary: %s', (syscall, code, expected) => {
  const error = new Error(`${syscall} ${code} /run/postgresql/.s.PGSQL.5432`);
  expect(isUnavailable(Object.assign(error, { code, syscall }))).toBe(expected);
});

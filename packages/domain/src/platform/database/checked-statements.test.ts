import { compileFunction } from 'node:vm';
import pg from 'pg';
import { expect, test } from 'vitest';

/** A statement on a firm's table that does not name the firm. */
const UNNAMED = 'select id from tickets where id = $1';
const pool = new pg.Pool();
const queryIn = (filename: string) =>
  compileFunction(`return pool.query('${UNNAMED}', ['x'])`, ['pool'], { filename }) as (
    pool: pg.Pool,
  ) => unknown;

test('tests fail on a statement of the server that does not name its firm', () => {
  const query = queryIn('/firmdesk/packages/domain/src/tickets/example.ts');
  expect(() => query(pool)).toThrow('does not name the firm of tickets');
});

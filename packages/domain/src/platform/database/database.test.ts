import { openTestServices } from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { migrations } from '../../app/migrations/index.ts';
import { wireTime } from './wire-types.ts';

test('numbers migrations in order', () => {
  const numbers = migrations.map(({ name }) => Number(name.slice(0, 4)));
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
});

test('returns times from Kysely in the form of the contract', async () => {
  expect(wireTime('2026-11-21 09:30:00+00')).toBe('2026-11-21T09:30:00.000Z');
  expect(wireTime('2026-11-21 09:30:00.5+00')).toBe('2026-11-21T09:30:00.500Z');
  expect(wireTime('2026-11-21 09:30:00.123+00')).toBe('2026-11-21T09:30:00.123Z');
  expect(wireTime('2026-11-21 09:30:00.1234+00')).toBe('2026-11-21T09:30:00.123400Z');
  await using opened = await openTestServices(inject('postgresUrl'));
  const { rows } = await opened.services.pool.query(
    `select '2026-03-29T01:30:00.25+02:00'::timestamptz as at`,
  );
  expect(rows[0].at).toBe('2026-03-28T23:30:00.250Z');
});

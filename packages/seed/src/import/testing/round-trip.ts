import { openTestServices, type TestServices } from '@firmdesk/testing';
import { afterAll, beforeAll, inject } from 'vitest';
import { rowsOf } from '../../testing/database.ts';
import { smallSeed } from '../../testing/small-seed.ts';
import type { ImportResult } from '../id-map.ts';
import { importSeed } from '../import-seed.ts';

/** A database with the small seed, for the tests of a file. */
export interface RoundTrip {
  base: TestServices;
  imported: ImportResult;
  rows(query: string, ...values: unknown[]): ReturnType<typeof rowsOf>;
  /** Returns the time that many hours before now. */
  ago(hours: number): string;
  now(): string;
}

/** Imports the small seed before the tests of a file. */
export function useRoundTrip(): RoundTrip {
  const trip = {
    rows: (query, ...values) => rowsOf(trip.base.services, query, ...values),
    ago: (hours) => new Date(trip.base.clock.now().getTime() - hours * 3_600_000).toISOString(),
    now: () => trip.base.clock.now().toISOString(),
  } as RoundTrip;
  beforeAll(async () => {
    trip.base = await openTestServices(inject('postgresUrl'));
    trip.imported = await importSeed(trip.base.services, smallSeed);
  });
  afterAll(() => trip.base?.[Symbol.asyncDispose]());
  return trip;
}

import { createDatabase, findUnsupportedForms, unique, watchMigrations } from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { runMigrations } from '../../platform/database/migrations/run-migrations.ts';
import { closeServices, createServices } from '../services.ts';
import { migrations } from './index.ts';

/** The last migration of the baseline, which never runs on a distributed installation. */
const BASELINE = '0012';

test('the migrations after the baseline use only forms that a distributed installation supports', async () => {
  const databaseUrl = await createDatabase(inject('postgresUrl'), unique('forms'));
  const services = await createServices({ databaseUrl, poolSizes: { main: 1 } });
  const faults: string[] = [];
  let statements = 0;
  try {
    await runMigrations(
      services,
      migrations.filter(({ name }) => name.slice(0, 4) <= BASELINE),
    );
    watchMigrations((text) => {
      statements++;
      for (const fault of findUnsupportedForms(text)) faults.push(`${fault}: ${text}`);
    });
    await runMigrations(services, migrations);
  } finally {
    watchMigrations(() => {});
    await closeServices(services);
  }
  expect(statements).toBeGreaterThan(100);
  expect(faults).toEqual([]);
});

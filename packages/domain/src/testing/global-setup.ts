import { openTemporaryServer } from '@firmdesk/postgres';
import type { TestProject } from 'vitest/node';
import { closeServices, createServices } from '../app/services.ts';
import { migrate } from '../platform/migrate.ts';
import { createDatabase, databaseUrl, dropDatabase, TEMPLATE } from './database.ts';

/**
 * One server for the run; migrated once; every test file clones the template. `TEST_POSTGRES_URL` names another server, as a
 * superuser of it, to try Firmdesk on another version of PostgreSQL: databases come and go there.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_POSTGRES_URL'];
  const server = given ? { url: given, release: async () => {} } : await openTemporaryServer();
  await dropDatabase(server.url, TEMPLATE);
  await createDatabase(server.url, TEMPLATE);
  const templateUrl = databaseUrl(server.url, TEMPLATE);
  const services = await createServices({ databaseUrl: templateUrl, poolMax: 2 });
  await migrate(services);
  await closeServices(services);
  project.provide('postgresUrl', server.url);
  return () => server.release();
}

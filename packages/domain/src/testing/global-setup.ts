import { openTemporaryServer } from '@firmdesk/postgres';
import type { TestProject } from 'vitest/node';
import { migrate } from '../kernel/migrate.ts';
import { closeServices, createServices } from '../kernel/services.ts';
import { createDatabase, databaseUrl, TEMPLATE } from './database.ts';

/** One server for the run; migrated once; every test file clones the template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openTemporaryServer();
  await createDatabase(server.url, TEMPLATE);
  const templateUrl = databaseUrl(server.url, TEMPLATE);
  const services = await createServices({ databaseUrl: templateUrl, poolMax: 2 });
  await migrate(services);
  await closeServices(services);
  project.provide('postgresUrl', server.url);
  return () => server.release();
}

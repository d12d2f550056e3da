import { openTemporaryServer } from '@firmdesk/postgres';
import type { TestProject } from 'vitest/node';
import { createDistributedTemplate, createTemplate } from './template.ts';

/**
 * Starts one server for the run and migrates a template database, which test files clone. `TEST_POSTGRES_URL` names another
 * server, with a superuser, to test with another version of PostgreSQL; databases are created and dropped there. `TEST_CITUS_URL` names the
 * coordinator of a Citus cluster, on which each test file gets a database that is distributed over its servers.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = process.env['TEST_CITUS_URL'];
  if (cluster) {
    await createDistributedTemplate(cluster);
    project.provide('postgresUrl', cluster);
    return async () => {};
  }
  const given = process.env['TEST_POSTGRES_URL'];
  const server = given ? { url: given, release: async () => {} } : await openTemporaryServer();
  await createTemplate(server.url);
  project.provide('postgresUrl', server.url);
  return () => server.release();
}

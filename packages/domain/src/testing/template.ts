import { closeServices, createServices } from '../app/services.ts';
import { migrate } from '../platform/migrate.ts';
import { createDatabase, databaseUrl, dropDatabase, TEMPLATE } from './database.ts';

/** Creates the migrated database of a server that test files clone. */
export async function createTemplate(serverUrl: string): Promise<void> {
  await dropDatabase(serverUrl, TEMPLATE);
  await createDatabase(serverUrl, TEMPLATE);
  const services = await createServices({ databaseUrl: databaseUrl(serverUrl, TEMPLATE), poolMax: 2 });
  await migrate(services);
  await closeServices(services);
}

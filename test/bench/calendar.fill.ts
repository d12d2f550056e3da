import { closeServices, createServices, migrate, type Services, withSetupLock } from '@firmdesk/domain';
import { createAccount, createCrowdedAccount } from './calendar/data.ts';

/** The tokens of the accounts. */
export interface FilledCalendars {
  usual: string;
  crowded: string;
}

/** Creates the accounts, each with its token. */
async function fill(databaseUrl: string): Promise<FilledCalendars> {
  const services = await createServices({ databaseUrl, poolSizes: { main: 2 } });
  await withSetupLock(databaseUrl, () => migrate(services));
  const filled: FilledCalendars = {
    usual: await createAccount(services),
    crowded: await createCrowdedAccount(services),
  };
  await vacuum(services);
  await closeServices(services);
  return filled;
}

/**
 * Vacuums as autovacuum does. On a server that commits asynchronously, as that of the tests does, a vacuum leaves out what was committed
 * just before, and each of its own commits counts as just before.
 */
async function vacuum({ pool }: Services): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set synchronous_commit = on');
    await client.query('vacuum analyze');
  } finally {
    client.release(true);
  }
}

process.send!(await fill(process.env['DATABASE_URL']!), () => process.disconnect());

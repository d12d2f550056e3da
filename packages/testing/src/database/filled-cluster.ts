import { closeServices, createServices, migrate, type Services } from '@firmdesk/domain';
import { createUser, createWorkspace, unique } from '../data/accounts.ts';
import { createTeam, createTicket } from '../data/tickets.ts';
import { dropDatabase } from './database.ts';
import { createClusterDatabase } from './template.ts';

/** A migrated database with firms on a Citus cluster. Nothing is distributed yet. */
export interface FilledCluster extends AsyncDisposable {
  services: Services;
  rowsOf<Row extends object>(statement: string): Promise<(Row & Record<string, unknown>)[]>;
  /** Returns the numbers of rows of some tables. */
  counts(): Promise<object[]>;
  /** Returns the foreign keys without those of shards, whose names end with the number of the shard. */
  foreignKeys(): Promise<object[]>;
}

export async function openFilledCluster(coordinatorUrl: string, firms: number): Promise<FilledCluster> {
  const name = unique('filled');
  const url = await createClusterDatabase(coordinatorUrl, name);
  const services = await createServices({ databaseUrl: url, poolSizes: { main: 2 } });
  await migrate(services);
  for (let n = 0; n < firms; n++) {
    const firm = await createWorkspace(services);
    const trader = await createUser(services, { firm, role: 'trader' });
    await createTeam(services, { firm });
    await createTicket(services, { firm, trader, messages: [{ body: 'hello' }, { body: 'again' }] });
  }
  const rowsOf = async <Row extends object>(statement: string) =>
    (await services.pool.query<Row & Record<string, unknown>>(statement)).rows;
  return {
    services,
    rowsOf,
    counts: () =>
      rowsOf(`
        select (select count(*) from workspaces) as firms, (select count(*) from users) as users, (select count(*) from teams) as teams,
          (select count(*) from tickets) as tickets, (select count(*) from ticket_messages) as messages`),
    foreignKeys: () =>
      rowsOf(`
        select conrelid::regclass::text as table, conname as name, confrelid::regclass::text as refers from pg_constraint
        where contype = 'f' and connamespace = 'public'::regnamespace and conname !~ '_1[0-9]{5}$' order by 1, 2`),
    async [Symbol.asyncDispose]() {
      await closeServices(services);
      await dropDatabase(coordinatorUrl, name);
    },
  };
}

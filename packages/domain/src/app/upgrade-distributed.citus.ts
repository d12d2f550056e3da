import { expect, inject, test } from 'vitest';
import { avatarHash } from '../access/avatar.ts';
import { distribute } from '../platform/distribution/distribute.ts';
import { queryPool } from '../platform/query-pool.ts';
import { runMigrations } from '../platform/run-migrations.ts';
import { createClusterDatabase, dropDatabase, unique } from '../testing/index.ts';
import { migrations } from './migrations/index.ts';
import { placement } from './placement.ts';
import { closeServices, createServices } from './services.ts';
import { firmTables } from './tables.ts';

/** The last migration without tables that were created after installations could be distributed. */
const DISTRIBUTED_SINCE = '0036';

test('an upgrade of a distributed installation distributes each new table of firms: its migration calls distributeNewTable', async () => {
  const coordinator = inject('postgresUrl');
  const name = unique('upgraded');
  const services = await createServices({
    databaseUrl: await createClusterDatabase(coordinator, name),
    lanes: { main: 2 },
  });
  try {
    const rowsOf = async <Row>(text: string, values: unknown[] = []) =>
      (await queryPool<Row & Record<string, unknown>>(services.pool, text, values)).rows;
    await runMigrations(
      services,
      migrations.filter(({ name }) => name.slice(0, 4) <= DISTRIBUTED_SINCE),
    );
    await rowsOf(`insert into workspaces (slug, name, created_at) values ('north', 'North', now())`);
    await rowsOf(
      `insert into users (id, email, name, avatar_url, created_at) values ('usr_a', 'a@x.example', 'A', 'data:,', now())`,
    );
    await rowsOf(`
      insert into tokens (id, user_id, workspace_id, kind, environment, scopes, secret_hash, created_at)
      select 'key_a', 'usr_a', id, 'api_key', 'test', '{}', 'x', now() from workspaces where slug = 'north'`);
    const existing = await rowsOf<{ name: string }>(
      'select name from unnest($1::text[]) with ordinality as t (name, place) where to_regclass(name) is not null order by place',
      [firmTables],
    );
    await distribute(services.databaseUrl, {
      placement: { ...placement, firms: existing.map(({ name }) => name) },
      shards: 4,
      onProgress: () => {},
    });

    await runMigrations(services, migrations);
    const distributed = await rowsOf<{ name: string }>(`
      select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      where p.partmethod = 'h' and p.colocationid = (
        select colocationid from pg_dist_partition where logicalrelid = 'tickets'::regclass)`);
    expect(distributed.map(({ name }) => name).sort()).toEqual([...firmTables].sort());
    expect(await rowsOf('select avatar_hash from users')).toEqual([{ avatar_hash: avatarHash('data:,') }]);
    expect(await rowsOf('select slug from workspaces where id = (select workspace_id from tokens)')).toEqual([
      { slug: 'north.test' },
    ]);
  } finally {
    await closeServices(services);
    await dropDatabase(coordinator, name);
  }
});

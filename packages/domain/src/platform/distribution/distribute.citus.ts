import { type FilledCluster, openFilledCluster } from '@firmdesk/testing';
import { Migration } from '@mikro-orm/migrations';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrations } from '../../app/migrations/index.ts';
import { distributeNewTable } from '../../app/migrations/new-firm-table.ts';
import { distributeFirms } from '../../app/placement.ts';
import { closeServices, createServices } from '../../app/services.ts';
import { runMigrations } from '../database/migrations/run-migrations.ts';

const FIRMS = 12;
let cluster: FilledCluster;
beforeAll(async () => {
  cluster = await openFilledCluster(inject('postgresUrl'), FIRMS);
});
afterAll(() => cluster[Symbol.asyncDispose]());

test('distributes a filled installation, continues after an interruption, and changes nothing when repeated', async () => {
  const { services, counts, foreignKeys } = cluster;
  const [rows, keys] = [await counts(), await foreignKeys()];
  const seen: string[] = [];
  const interrupted = distributeFirms(services, {
    shards: 4,
    onProgress(message) {
      if (seen.push(message) === 9) throw new Error('interrupted');
    },
  });
  await expect(interrupted).rejects.toThrow('interrupted');
  const first = await distributeFirms(services, { shards: 4, onProgress: (message) => seen.push(message) });
  expect(first).toMatchObject({ servers: 2, shards: 4 });
  expect(first.distributed).toContain('tickets');
  expect(await counts()).toEqual(rows);
  expect(await foreignKeys()).toEqual(keys);
  // Each step ran once, except the one that was interrupted before it began.
  expect(seen.length - new Set(seen).size).toBe(1);

  const again = await distributeFirms(services, {
    shards: 4,
    onProgress: (message) => expect.fail(message),
  });
  expect(again.distributed).toEqual([]);
  expect(await counts()).toEqual(rows);
});

test('keeps all rows of a firm on one server', async () => {
  const { rowsOf } = cluster;
  const places = await rowsOf(`select distinct colocationid from pg_dist_partition where partmethod = 'h'`);
  expect(places).toHaveLength(1);
  const [spread] = await rowsOf<{ servers: string }>(
    `select count(distinct groupid) as servers from pg_dist_placement p join pg_dist_shard s using (shardid)
     where s.logicalrelid = 'tickets'::regclass`,
  );
  expect(Number(spread!.servers)).toBe(2);
});

test('refuses to distribute while gateways run', async () => {
  const { services } = cluster;
  const gateway = await createServices({ databaseUrl: services.databaseUrl, poolSizes: { main: 1 } });
  try {
    const stop = gateway.signals.on('test', () => {});
    await expect.poll(() => gateway.signals.isListening).toBe(true);
    await expect(distributeFirms(services, { shards: 4, onProgress: () => {} })).rejects.toThrow(
      'Stop all gateways and workers',
    );
    stop();
  } finally {
    await closeServices(gateway);
  }
});

test('applies later migrations: a column, an index, and a table of firms', async () => {
  class Later extends Migration {
    override up(): void {
      this.addSql('alter table tickets add column later text');
      this.addSql('create index tickets_later on tickets (workspace_id, later)');
      this.addSql(
        'create table later (workspace_id integer not null, id text not null, ticket_id text, primary key (workspace_id, id))',
      );
      this.addSql(distributeNewTable('later'));
      this.addSql(
        'alter table later add constraint later_ticket foreign key (workspace_id, ticket_id) references tickets (workspace_id, id)',
      );
    }
  }
  const { services, rowsOf } = cluster;
  await runMigrations(services, [...migrations, { name: '9001-later', class: Later }]);
  const [ticket] = await rowsOf<{ workspace_id: number; id: string }>(
    'select workspace_id, id from tickets limit 1',
  );
  await services.pool.query('update tickets set later = $3 where workspace_id = $1 and id = $2', [
    ticket!.workspace_id,
    ticket!.id,
    'x',
  ]);
  await services.pool.query('insert into later values ($1, $2, $3)', [ticket!.workspace_id, 'l', ticket!.id]);
  const plan = await services.pool.query(
    `explain (costs off) select from later l join tickets t on t.workspace_id = $1 and t.id = l.ticket_id where l.workspace_id = $1`,
    [ticket!.workspace_id],
  );
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Task Count: 1');
});

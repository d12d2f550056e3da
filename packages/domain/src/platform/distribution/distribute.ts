import type pg from 'pg';
import { createClient } from '../connections/connection.ts';
import { DatabaseUnusableError } from '../database/migrations/migrate.ts';

/** On which servers of a cluster the rows of each table are. Tables that are not named stay on the coordinator. */
export interface Placement {
  /** The rows of one firm are on one server, in the same shard of each table. */
  firms: readonly string[];
  /** Each server has a copy, so that statements of every firm can join it. A write changes all copies. */
  copied: readonly string[];
  /** Tables of the coordinator that calls write together with a firm's rows: both commit, or neither. */
  coordinated: readonly string[];
}

export interface Distribution {
  servers: number;
  shards: number;
  /** The tables that this run distributed. */
  distributed: string[];
}

export interface DistributeOptions {
  placement: Placement;
  /** The shards of each table. A shard is what moves between servers, so it bounds their number. */
  shards: number;
  onProgress: (message: string, done: number, total: number) => void;
}

/** Foreign keys that are dropped while tables are distributed. Exists only until they are added again. */
const SAVED_KEYS = 'distribution_foreign_keys';

/**
 * Distributes the tables over the servers of a Citus cluster by firm. Each step commits separately and is skipped if it was done, so that
 * an interrupted run continues where it ended. Foreign keys are dropped meanwhile, because the tables on their two sides are distributed one
 * after the other; so nothing else may write.
 *
 * @throws DatabaseUnusableError
 */
export async function distribute(databaseUrl: string, options: DistributeOptions): Promise<Distribution> {
  const client = createClient(databaseUrl, { name: 'distribute', statementTimeoutMs: null });
  client.on('error', () => {});
  await client.connect();
  try {
    const servers = await ensureCluster(client);
    await ensureAlone(client);
    await endEarlierRuns(client);
    const { firms, copied } = options.placement;
    const steps = await remainingSteps(client, options.placement);
    if (steps.some(({ isTable }) => isTable)) await saveForeignKeys(client, [...copied, ...firms]);
    const keys = await foreignKeySteps(client);
    // Every shard of a table is on a server that can be chosen later, so the number cannot be derived from today's servers.
    await client.query(`select set_config('citus.shard_count', $1, false)`, [String(options.shards)]);
    const total = steps.length + keys.length;
    for (const [done, step] of [...steps, ...keys].entries()) {
      options.onProgress(step.message, done, total);
      await runStep(client, step);
    }
    await client.query(`drop table if exists ${SAVED_KEYS}`);
    const { rows } = await client.query<{ shards: number }>(
      `select count(*)::integer as shards from pg_dist_shard where logicalrelid = $1::regclass`,
      [firms[0]],
    );
    const distributed = steps.filter(({ isTable }) => isTable).map(({ table }) => table);
    return { servers, shards: rows[0]!.shards, distributed };
  } finally {
    await client.end().catch(() => {});
  }
}

async function hasCitus(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as is`,
  );
  return rows[0]!.is;
}

async function ensureCluster(client: pg.Client): Promise<number> {
  if (!(await hasCitus(client))) {
    throw new DatabaseUnusableError(
      'The database has no extension citus: it is one PostgreSQL server, and cannot be distributed. Create the extension on each server of a cluster, name the coordinator in DATABASE_URL, and add the servers with citus_add_node.',
    );
  }
  const { rows } = await client.query<{ servers: number; is_coordinator: boolean }>(
    `select (select count(*)::integer from pg_dist_node where noderole = 'primary' and shouldhaveshards) as servers,
       (select groupid = 0 from pg_dist_local_group) as is_coordinator`,
  );
  const { servers, is_coordinator } = rows[0]!;
  if (!is_coordinator)
    throw new DatabaseUnusableError(
      'DATABASE_URL leads to a worker of the Citus cluster. Set it to the coordinator.',
    );
  if (servers === 0)
    throw new DatabaseUnusableError(
      'The Citus cluster has no server for the rows. Add one with `select citus_add_node(host, port)` on the coordinator.',
    );
  const { rows: known } = await client.query(`select from pg_dist_node where groupid = 0`);
  if (known.length === 0)
    throw new DatabaseUnusableError(
      'The Citus coordinator does not know its own address, which the other servers need. Set it with `select citus_set_coordinator_host(host, port)`.',
    );
  return servers;
}

/** Rejects while gateways or workers run: foreign keys are missing meanwhile, and their sessions remember plans of undistributed tables. */
async function ensureAlone(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
     where datname = current_database() and application_name ~ ' (signals|worker [0-9a-f-]+)$'`,
  );
  if (rows.length > 0)
    throw new DatabaseUnusableError(
      `Stop all gateways and workers before the tables are distributed: ${rows.length} of their sessions are open (${rows[0]!.name}).`,
    );
}

/** Ends sessions of runs whose process has died: the server may still be executing their last statement. The setup lock excludes others. */
async function endEarlierRuns(client: pg.Client): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid, 60000) from pg_stat_activity
     where datname = current_database() and application_name = current_setting('application_name') and pid <> pg_backend_pid()`,
  );
}

interface Step {
  table: string;
  message: string;
  statements: string[];
  isTable: boolean;
}

/** Runs a step in one transaction. */
async function runStep(client: pg.Client, { statements, message }: Step): Promise<void> {
  await client.query('begin');
  try {
    for (const statement of statements) await client.query(statement);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    const { message: reason, detail = '' } = error as pg.DatabaseError;
    throw new DatabaseUnusableError(`${message}: ${reason}. ${detail}`.trim(), { cause: error });
  }
}

async function remainingSteps(client: pg.Client, { firms, copied, coordinated }: Placement): Promise<Step[]> {
  const { rows } = await client.query<{ name: string; method: string; model: string }>(
    `select c.relname as name, p.partmethod as method, p.repmodel as model
     from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid where c.relnamespace = current_schema()::regnamespace`,
  );
  const stateOf = new Map(rows.map(({ name, method, model }) => [name, method === 'h' ? 'firms' : model]));
  await ensureNoTriggers(client, [...firms, ...copied]);
  const [first] = firms;
  return [
    ...copied
      .filter((table) => stateOf.get(table) !== 't')
      .map((table) => tableStep(table, 'copying', `select create_reference_table('${table}')`)),
    ...firms
      .filter((table) => stateOf.get(table) !== 'firms')
      .map((table) =>
        tableStep(
          table,
          'distributing',
          `select create_distributed_table('${table}', 'workspace_id', colocate_with => '${table === first ? 'none' : first}')`,
        ),
      ),
    ...coordinated
      .filter((table) => !stateOf.has(table))
      .map((table) => ({
        table,
        message: `coordinating ${table}`,
        statements: [`select citus_add_local_table_to_metadata('${table}')`],
        isTable: false,
      })),
  ];
}

/** The rows of the coordinator, which are hidden and useless after they were copied, are deleted in the same transaction. */
function tableStep(table: string, verb: string, statement: string): Step {
  return {
    table,
    message: `${verb} ${table}`,
    statements: [statement, `select truncate_local_data_after_distributing_table('${table}')`],
    isTable: true,
  };
}

async function ensureNoTriggers(client: pg.Client, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `select tgrelid::regclass::text as table, tgname as name from pg_trigger
     where not tgisinternal and tgrelid = any($1::regclass[]) and tgname !~ '^truncate_trigger_'`,
    [tables],
  );
  if (rows.length === 0) return;
  const [{ table, name }] = rows as [{ table: string; name: string }];
  throw new DatabaseUnusableError(
    `The trigger ${name} on ${table} would not run on distributed rows. Drop it.`,
  );
}

/** Stores the foreign keys of the tables, and drops them, in one transaction. */
async function saveForeignKeys(client: pg.Client, tables: readonly string[]): Promise<void> {
  const keys = `
    select c.conrelid::regclass::text as table_name, c.conname as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c
    where c.contype = 'f' and c.conparentid = 0 and c.connamespace = current_schema()::regnamespace
      and (c.conrelid = any($1::regclass[]) or c.confrelid = any($1::regclass[]))`;
  await client.query('begin');
  try {
    await client.query(
      `create table if not exists ${SAVED_KEYS} (table_name text, name text, definition text, primary key (table_name, name))`,
    );
    const { rows } = await client.query<{ table_name: string; name: string }>(keys, [tables]);
    await client.query(`insert into ${SAVED_KEYS} ${keys} on conflict do nothing`, [tables]);
    for (const { table_name, name } of rows)
      await client.query(`alter table ${table_name} drop constraint "${name}"`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** Returns the steps that add the stored foreign keys again. */
async function foreignKeySteps(client: pg.Client): Promise<Step[]> {
  const { rows: exists } = await client.query(
    `select from pg_class where oid = to_regclass('${SAVED_KEYS}')`,
  );
  if (exists.length === 0) return [];
  const { rows } = await client.query<{ table_name: string; name: string; definition: string }>(
    `select * from ${SAVED_KEYS} order by table_name, name`,
  );
  return rows.map(({ table_name: table, name, definition }) => ({
    table,
    message: `adding foreign key ${name}`,
    statements: [
      `alter table ${table} add constraint "${name}" ${supported(definition)}`,
      `delete from ${SAVED_KEYS} where table_name = '${table}' and name = '${name}'`,
    ],
    isTable: false,
  }));
}

/** Databases of earlier versions have references that empty a column of a key with the firm, which Citus refuses. The statements empty them. */
function supported(definition: string): string {
  return definition.replace(/ ON DELETE SET NULL \([^)]*\)/, '');
}

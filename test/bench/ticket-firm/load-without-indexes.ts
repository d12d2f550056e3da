import pg from 'pg';

const TABLES = ['tickets', 'ticket_messages', 'ticket_tags', 'search_words', 'search_postings'];
/** Indexes are created by as many connections, each without parallel workers. */
const CONNECTIONS = 2;

/**
 * Runs the load on the tables without indexes, keys and references, then creates these again, and vacuums. Triggers and reference checks
 * are off during the load. The new indexes are written with a sorted input, which takes a fraction of the time.
 */
export async function loadWithoutIndexes(
  url: string,
  load: (client: pg.Client) => Promise<void>,
  onStep: (statement: string) => void,
): Promise<void> {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(url)));
  const client = clients[0]!;
  try {
    const references = await dropReferences(client);
    const keys = await dropKeys(client);
    const indexes = await dropIndexes(client);
    await load(client);
    const left = [...keys.map(({ index }) => index), ...indexes];
    await Promise.all(
      clients.map(async (client) => {
        for (let statements = left.shift(); statements; statements = left.shift()) {
          for (const statement of statements) await client.query(statement);
          onStep(statements[0]!);
        }
      }),
    );
    for (const statement of [
      ...keys.map(({ key }) => key),
      ...references,
      'vacuum (analyze)',
      'checkpoint',
    ]) {
      await client.query(statement);
      onStep(statement);
    }
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 0;
    set synchronous_commit = off; set session_replication_role = replica`);
  return client;
}

/** Drops the references to the tables; returns the statements that add them again. */
async function dropReferences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and confrelid = any($1::regclass[])`,
    [TABLES],
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return rows.map(
    ({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`,
  );
}

/** Drops the primary and unique keys; returns the statements that create them again. */
async function dropKeys(client: pg.Client): Promise<{ index: string[]; key: string }[]> {
  const { rows } = await client.query<{ table: string; name: string; kind: string; index: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name,
       case contype when 'p' then 'primary key' else 'unique' end as kind, pg_get_indexdef(conindid) as index
     from pg_constraint where contype in ('p', 'u') and conrelid = any($1::regclass[])
     order by conrelid = 'ticket_messages'::regclass desc`,
    [TABLES],
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return rows.map(({ table, name, kind, index }) => ({
    index: [index],
    key: `alter table ${table} add constraint ${name} ${kind} using index ${name}`,
  }));
}

/** Drops every other index; returns the statements that create each again, those that take longest first. */
async function dropIndexes(client: pg.Client): Promise<string[][]> {
  const { rows } = await client.query<{ name: string; statement: string; statistics: string | null }>(
    `select quote_ident(i.indexname) as name, i.indexdef as statement,
       (select format('alter index %I alter column %s set statistics %s', i.indexname, a.attnum, a.attstattarget)
        from pg_attribute a where a.attrelid = i.indexname::regclass and a.attstattarget > 0) as statistics
     from pg_indexes i where i.schemaname = 'public' and i.tablename = any($1)
     order by array_position(array['search_words', 'ticket_messages', 'tickets'], i.tablename::text)`,
    [TABLES],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ statement, statistics }) => (statistics ? [statement, statistics] : [statement]));
}

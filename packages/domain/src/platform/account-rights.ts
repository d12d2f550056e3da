import type { Pool } from 'pg';

/** The schema of the job queue. */
const QUEUE_SCHEMA = 'graphile_worker';

/** The audit trail: the account of the service reads it and adds to it. Functions of the owner delete what is due. */
const APPEND_ONLY = 'audit_events';

/**
 * Returns what the account of the service may not do: read and write a table, draw from a sequence, or run a function of our schema or of
 * the queue's. Empty for an account that can serve calls and run jobs.
 */
export async function findMissingRights(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ missing: string }>(MISSING_RIGHTS, [QUEUE_SCHEMA]);
  return rows.map(({ missing }) => missing);
}

/** Returns whether the account may create tables in our schema. */
export async function mayMigrate(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ may: boolean }>(
    `select has_schema_privilege(current_schema(), 'create') as may`,
  );
  return rows[0]!.may;
}

const MISSING_RIGHTS = `
  with ours as (
    select oid, nspname from pg_namespace where nspname in (current_schema(), $1))
  select 'use the schema ' || nspname as missing from ours where not has_schema_privilege(oid, 'usage')
  union all
  select right_name || ' ' || c.oid::regclass from ours n join pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p')
    cross join unnest(array['select', 'insert', 'update', 'delete']) as right_name
    where has_schema_privilege(n.oid, 'usage') and not has_table_privilege(c.oid, right_name)
      and not (c.relname = '${APPEND_ONLY}' and right_name in ('update', 'delete'))
  union all
  select 'pass the row-level security of ' || c.oid::regclass from ours n join pg_class c on c.relnamespace = n.oid
    where has_schema_privilege(n.oid, 'usage') and case when c.relrowsecurity then row_security_active(c.oid) else false end
  union all
  select 'draw from the sequence ' || c.oid::regclass from ours n join pg_class c on c.relnamespace = n.oid
    where has_schema_privilege(n.oid, 'usage')
      and case when c.relkind = 'S' then not has_sequence_privilege(c.oid, 'usage') else false end
  union all
  select 'run the function ' || p.oid::regprocedure from ours n join pg_proc p on p.pronamespace = n.oid
    where has_schema_privilege(n.oid, 'usage') and not has_function_privilege(p.oid, 'execute')
  order by 1`;

/**
 * Disables the row-level security of the queue's tables: it has no policies, so that it hides all rows from an account that does not own
 * them. The rights on the tables remain. Does nothing for an account that does not own them.
 */
export async function openQueueTables(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ statement: string }>(
    `select format('alter table %s disable row level security', oid::regclass) as statement from pg_class
     where relnamespace = $1::regnamespace and relrowsecurity and pg_has_role(relowner, 'usage')`,
    [QUEUE_SCHEMA],
  );
  for (const { statement } of rows) await pool.query(statement);
}

/** The accounts of a database with least privilege. */
export interface DatabaseAccounts {
  /** Owns the tables, and migrates. */
  owner: string;
  /** Reads and writes rows. The service runs as this account. */
  runtime: string;
}

/**
 * Returns the statements that create the two accounts without a password, give the database and what it holds to the owner, and let the
 * other account read and write rows. They can be repeated, also after a migration.
 */
export async function accountStatements(pool: Pool, { owner, runtime }: DatabaseAccounts): Promise<string[]> {
  const { rows } = await pool.query<{ statement: string }>(ACCOUNT_STATEMENTS, [
    QUEUE_SCHEMA,
    owner,
    runtime,
  ]);
  return rows.map(({ statement }) => statement);
}

/** Runs the statements of {@link accountStatements}: all or none. */
export async function createAccounts(pool: Pool, statements: readonly string[]): Promise<void> {
  await pool.query(`begin; ${statements.join('; ')}; commit`);
}

const ACCOUNT_STATEMENTS = `
  with schemas as (select unnest(array[current_schema()::text, $1]) as name),
  ours as (select oid, nspname from pg_namespace where nspname in (current_schema(), $1)),
  statements as (
    select 10 as step, format('create role %I login', name) as statement
      from unnest(array[$2, $3]) as name where not exists (select from pg_roles where rolname = name)
    union all select 20, format('grant create, connect on database %I to %I', current_database(), $2)
    union all select 20, format('grant connect on database %I to %I', current_database(), $3)
    union all select 30, format('create schema if not exists %I', name) from schemas
    union all select 31, format('alter schema %I owner to %I', name, $2) from schemas
    union all
    select 40, format('alter %s %s owner to %I',
        case c.relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end, c.oid::regclass, $2)
      from ours n join pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'S')
      where not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i', 'e'))
    union all
    select 41, format('alter routine %s owner to %I', p.oid::regprocedure, $2)
      from ours n join pg_proc p on p.pronamespace = n.oid
      where not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
    union all
    select 42, format('alter type %s owner to %I', t.oid::regtype, $2)
      from ours n join pg_type t on t.typnamespace = n.oid
      left join pg_class c on c.oid = t.typrelid
      where t.typelem = 0 and (t.typtype in ('e', 'd') or c.relkind = 'c')
        and not exists (select from pg_depend where classid = 'pg_type'::regclass and objid = t.oid and deptype = 'e')
    union all
    select 43, format('alter table %s disable row level security', c.oid::regclass)
      from ours n join pg_class c on c.relnamespace = n.oid where c.relrowsecurity
    union all select 50, format('grant usage on schema %I to %I', name, $3) from schemas
    union all
    select 51, format('grant select, insert, update, delete on all tables in schema %I to %I', name, $3) from schemas
    union all
    select 53, format('revoke update, delete, truncate on %s from %I', c.oid::regclass, $3)
      from ours n join pg_class c on c.relnamespace = n.oid and c.relname = '${APPEND_ONLY}'
    union all
    select step, format(right_of, p.oid::regprocedure, $3)
      from ours n join pg_proc p on p.pronamespace = n.oid and p.prosecdef
      cross join (values (54, 'revoke execute on function %s from public'), (55, 'grant execute on function %s to %I')) as rights (step, right_of)
    union all select 52, format('grant usage, select on all sequences in schema %I to %I', name, $3) from schemas
    union all
    select 60, format('alter default privileges for role %I in schema %I grant select, insert, update, delete on tables to %I', $2, name, $3)
      from schemas
    union all
    select 61, format('alter default privileges for role %I in schema %I grant usage, select on sequences to %I', $2, name, $3)
      from schemas)
  select statement from statements order by step, statement`;

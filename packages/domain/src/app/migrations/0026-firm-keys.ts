import { Migration } from '@mikro-orm/migrations';
import { type FirmTable, firmTables, newColumns, wideName } from './firm-keys.ts';

/** Tables whose integer ids come from a sequence, with the type of the id. */
const sequences = {
  mailboxes: 'integer',
  mail_threads: 'bigint',
  tags: 'integer',
  calendars: 'integer',
  events: 'bigint',
  teams: 'integer',
  assistant_runs: 'bigint',
  unsent_reminders: 'bigint',
} as const;

/**
 * Makes the keys with the firm the only ones, and the wide ids the ids. Changes the catalogue only, within milliseconds. The
 * previous version cannot write to these tables afterwards, and reads wide ids as text (docs/decisions/0026).
 */
export class FirmKeys extends Migration {
  override up(): void {
    this.#lockTables();
    this.addSql(`
      drop trigger list_mailbox_address on mailboxes;
      drop function list_mailbox_address();
      drop index mailboxes_email;
      drop trigger devices_owner on devices;
      drop function set_device_owner();
      alter table devices alter user_id set not null, alter workspace_id set not null, drop constraint devices_filled`);
    // References first: they depend on the old keys of other tables.
    for (const firmTable of firmTables) this.#dropOldReferences(firmTable);
    for (const firmTable of firmTables) this.#switchTable(firmTable);
    for (const [table, type] of Object.entries(sequences)) this.#newSequence(table, 'id', type);
    this.#newSequence('mail_messages', 'alias', 'bigint');
    for (const firmTable of firmTables) this.#switchColumns(firmTable);
  }

  /**
   * Locks all tables within less than `deadlock_timeout` (1 s), or fails, and the migration is retried. Otherwise a call that reads
   * two of them could wait for one and hold the other, and PostgreSQL would end the call.
   */
  #lockTables(): void {
    const tables = ['devices', ...firmTables.map(({ table }) => table)].map((table) => `'${table}'`);
    this.addSql(`
      do $$
      declare
        name text;
        ends timestamptz;
      begin
        foreach name in array array[${tables.join(', ')}] loop
          if ends is not null then
            perform set_config('lock_timeout',
              greatest(1, extract(milliseconds from ends - clock_timestamp())::integer)::text, true);
          end if;
          execute format('lock table %I in access exclusive mode', name);
          ends := coalesce(ends, clock_timestamp() + interval '700 milliseconds');
        end loop;
      end $$`);
  }

  #dropOldReferences({ table, references = [] }: FirmTable): void {
    for (const { column } of references)
      this.addSql(`alter table ${table} drop constraint ${table}_${column}_fkey`);
  }

  #switchTable(firmTable: FirmTable): void {
    const { table, indexes = {} } = firmTable;
    const added = newColumns(firmTable);
    const changes = [
      // The checked constraint proves it, so rows are not read.
      ...added.map((column) => `alter ${column} set not null`),
      `drop constraint ${table}_pkey`,
      `add constraint ${table}_pkey primary key using index ${table}_firm_key`,
      ...(table === 'mail_messages' ? ['drop constraint mail_messages_alias_key'] : []),
    ];
    if (added.length > 0) {
      this.addSql(`drop trigger fill_firm on ${table}`);
      this.addSql(`drop function fill_${table}()`);
    }
    this.addSql(`alter table ${table} ${changes.join(', ')}`);
    if (added.length > 0) this.addSql(`alter table ${table} drop constraint ${table}_filled`);
    for (const name of Object.keys(indexes)) {
      this.addSql(`drop index if exists ${name}`);
      this.addSql(`alter index ${name}_firm rename to ${name}`);
    }
  }

  /**
   * Replaces the identity of a column by a default from a sequence of the same name, which continues. A table that is distributed
   * over several servers can have a default, but no identity of type `integer`.
   */
  #newSequence(table: string, column: string, type: 'integer' | 'bigint'): void {
    const sequence = `${table}_${column}_seq`;
    const owner = firmTables.find((other) => other.table === table)?.wide?.includes(column)
      ? wideName(column)
      : column;
    this.addSql(`
      do $$
      declare next bigint;
      begin
        select last_value + is_called::integer into next from ${sequence};
        alter table ${table} alter ${column} drop identity;
        execute format('create sequence ${sequence} as ${type} start %s owned by ${table}.${owner}', next);
        alter table ${table} alter ${owner} set default nextval('${sequence}');
      end $$`);
  }

  #switchColumns({ table, wide = [] }: FirmTable): void {
    for (const column of wide) {
      this.addSql(`alter table ${table} drop column ${column}`);
      this.addSql(`alter table ${table} rename ${wideName(column)} to ${column}`);
    }
  }
}

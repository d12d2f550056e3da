import { type FirmTable, firmTables, newColumns, wideName } from './firm-keys.ts';
import { OnlineMigration } from './online-migration.ts';

/**
 * Adds the columns of the firm and of wide ids, empty, and the directory of mailbox addresses. Triggers fill them in rows that
 * the previous version writes; 0026 drops the triggers. Each table is changed by a transaction of its own: a transaction that held
 * the locks of two tables could deadlock with a call that reads both.
 */
export class FirmColumns extends OnlineMigration {
  override async up(): Promise<void> {
    await this.query(`
      -- The mailbox of each address, over all firms: delivery knows only the address, and two firms cannot have the same one.
      -- Not a firm's table, so that it can have a unique index over all firms.
      create table if not exists mailbox_addresses (
        -- In lower case.
        address text primary key,
        workspace_id integer not null references workspaces on delete cascade,
        mailbox_id integer not null
      );
      -- The address of a mailbox.
      create index if not exists mailbox_addresses_mailbox on mailbox_addresses (workspace_id, mailbox_id);
      create or replace function list_mailbox_address() returns trigger language plpgsql as $$
      begin
        if tg_op <> 'INSERT' then
          delete from mailbox_addresses where address = lower(old.email) and mailbox_id = old.id;
        end if;
        if tg_op <> 'DELETE' then
          insert into mailbox_addresses (address, workspace_id, mailbox_id)
          values (lower(new.email), new.workspace_id, new.id) on conflict (address) do nothing;
        end if;
        return null;
      end $$;
      create or replace trigger list_mailbox_address after insert or delete or update of email on mailboxes
        for each row execute function list_mailbox_address();`);
    for (const table of firmTables) if (newColumns(table).length > 0) await this.#addColumns(table);
  }

  async #addColumns(firmTable: FirmTable): Promise<void> {
    const { table, firmOf, wide = [] } = firmTable;
    const added = [
      ...(firmOf ? ['add if not exists workspace_id integer'] : []),
      ...wide.map((column) => `add if not exists ${wideName(column)} bigint`),
    ];
    const filled = [
      ...(firmOf ? [`new.workspace_id := coalesce(new.workspace_id, (${firmOf}));`] : []),
      ...wide.map((column) => `new.${wideName(column)} := new.${column};`),
    ];
    await this.query(`
      alter table ${table} ${added.join(', ')};
      create or replace function fill_${table}() returns trigger language plpgsql as $$
      begin
        ${filled.join('\n        ')}
        return new;
      end $$;
      create or replace trigger fill_firm before insert or update on ${table} for each row execute function fill_${table}();`);
  }
}

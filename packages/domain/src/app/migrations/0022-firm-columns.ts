import { Migration } from '@mikro-orm/migrations';
import { type FirmTable, firmTables, newColumns, wideName } from './firm-keys.ts';

/**
 * Adds the columns of the firm and of wide ids, empty, and the directory of mailbox addresses. Triggers fill them in rows that
 * the previous version writes; 0026 drops the triggers.
 */
export class FirmColumns extends Migration {
  override up(): void {
    this.addSql(`
      -- The mailbox of each address, over all firms: delivery knows only the address, and two firms cannot have the same one.
      -- Not a firm's table, so that it can have a unique index over all firms.
      create table mailbox_addresses (
        -- In lower case.
        address text primary key,
        workspace_id integer not null references workspaces on delete cascade,
        mailbox_id integer not null
      );
      -- The address of a mailbox.
      create index mailbox_addresses_mailbox on mailbox_addresses (workspace_id, mailbox_id);
      create function list_mailbox_address() returns trigger language plpgsql as $$
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
      create trigger list_mailbox_address after insert or delete or update of email on mailboxes
        for each row execute function list_mailbox_address();`);
    for (const table of firmTables) if (newColumns(table).length > 0) this.#addColumns(table);
  }

  #addColumns(firmTable: FirmTable): void {
    const { table, firmOf, wide = [] } = firmTable;
    const added = [
      ...(firmOf ? ['add workspace_id integer'] : []),
      ...wide.map((column) => `add ${wideName(column)} bigint`),
    ];
    const filled = [
      ...(firmOf ? [`new.workspace_id := coalesce(new.workspace_id, (${firmOf}));`] : []),
      ...wide.map((column) => `new.${wideName(column)} := new.${column};`),
    ];
    this.addSql(`
      alter table ${table} ${added.join(', ')};
      create function fill_${table}() returns trigger language plpgsql as $$
      begin
        ${filled.join('\n        ')}
        return new;
      end $$;
      create trigger fill_firm before insert or update on ${table} for each row execute function fill_${table}();`);
  }
}

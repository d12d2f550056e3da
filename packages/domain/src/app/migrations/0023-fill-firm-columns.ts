import { sqlState } from '../../platform/database-errors.ts';
import { delay } from '../../platform/delay.ts';
import { type FirmTable, firmTables, newColumns, wideName } from './firm-keys.ts';
import { OnlineMigration } from './online-migration.ts';

/** The pages of a batch: 4 MB, so that a batch locks its rows for a fraction of a second. */
const BATCH_PAGES = 512;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

/**
 * Fills the columns of 0022 in rows from before it. Each batch commits separately, and an interrupted migration skips the
 * rows that are filled.
 */
export class FillFirmColumns extends OnlineMigration {
  override async up(): Promise<void> {
    await this.query(`
      insert into mailbox_addresses (address, workspace_id, mailbox_id)
      select lower(email), workspace_id, id from mailboxes on conflict (address) do nothing`);
    for (const table of firmTables) if (newColumns(table).length > 0) await this.#fill(table);
  }

  async #fill(firmTable: FirmTable): Promise<void> {
    const { table, firmOf, wide = [] } = firmTable;
    // Later pages contain only rows that were written after 0022, and its triggers have filled those.
    const [size] = await this.query<{ pages: number }>(`
      select (pg_relation_size('${table}') / current_setting('block_size')::integer)::integer as pages`);
    const { pages } = size!;
    const columns = [
      ...(firmOf ? [`workspace_id = (${firmOf.replaceAll('new.', 't.')})`] : []),
      ...wide.map((column) => `${wideName(column)} = t.${column}`),
    ];
    const [filled] = newColumns(firmTable);
    for (let page = 0; page < pages; page += BATCH_PAGES) {
      await retryWhileLocked(() =>
        this.query(`
          update ${table} t set ${columns.join(', ')}
          where t.ctid >= '(${page},0)' and t.ctid < '(${page + BATCH_PAGES},0)' and t.${filled} is null`),
      );
      const done = Math.min(100, Math.floor(((page + BATCH_PAGES) / pages) * 100));
      this.report(`filling ${table}: ${done} %`);
    }
    // Otherwise autovacuum would do it when 0026 needs the lock of the table, and new columns would have no statistics.
    await this.query(`vacuum (analyze) ${table}`);
  }
}

/** Repeats a batch while a call has locked one of its rows. */
async function retryWhileLocked(batch: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await batch();
      return;
    } catch (error) {
      const state = sqlState(error);
      if (state !== LOCK_NOT_AVAILABLE && state !== DEADLOCK_DETECTED) throw error;
      await delay(100);
    }
  }
}

import { firmTables, newColumns, widen } from './firm-keys.ts';
import { OnlineMigration } from './online-migration.ts';

/** Builds the indexes of the keys with the firm, beside the old ones, and checks that each row has its firm. */
export class FirmIndexes extends OnlineMigration {
  override async up(): Promise<void> {
    await this.addConstraint(
      'devices',
      'devices_filled',
      'check (user_id is not null and workspace_id is not null)',
    );
    for (const firmTable of firmTables) {
      const { table, key, indexes = {} } = firmTable;
      const added = newColumns(firmTable);
      if (added.length > 0) {
        const areFilled = added.map((column) => `${column} is not null`).join(' and ');
        await this.addConstraint(table, `${table}_filled`, `check (${areFilled})`);
      }
      await this.buildIndex(
        `${table}_firm_key`,
        `${table} (workspace_id, ${widen(firmTable, key.join(', '))})`,
        true,
      );
      for (const [name, { isUnique, columns, where }] of Object.entries(indexes)) {
        const definition = `${table} (workspace_id, ${widen(firmTable, columns)})`;
        await this.buildIndex(`${name}_firm`, where ? `${definition} where ${where}` : definition, isUnique);
      }
    }
  }
}

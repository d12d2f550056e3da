import { firmTables, referenceName, widen } from './firm-keys.ts';
import { OnlineMigration } from './online-migration.ts';

/** Adds the references between tables of a firm that contain the firm, beside the old ones. */
export class FirmReferences extends OnlineMigration {
  override async up(): Promise<void> {
    for (const firmTable of firmTables) {
      const { table, references = [] } = firmTable;
      for (const reference of references) {
        const { column, onDelete } = reference;
        const target = firmTables.find((other) => other.table === reference.table)!;
        // A deletion must not empty the firm too.
        const action = onDelete === 'set null' ? `set null (${column})` : onDelete;
        await this.addConstraint(
          table,
          referenceName(firmTable, reference),
          `foreign key (workspace_id, ${widen(firmTable, column)})
            references ${target.table} (workspace_id, ${widen(target, 'id')}) on delete ${action}`,
        );
      }
    }
  }
}

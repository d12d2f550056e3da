import { OnlineMigration } from './online-migration.ts';

/** The index of a firm's traders in the order in which they were added. */
export class ListOfTraders extends OnlineMigration {
  override async up(): Promise<void> {
    await this.buildIndex(
      'memberships_traders',
      "memberships (workspace_id, created_at, user_id) where role = 'trader' and active",
      false,
    );
  }
}

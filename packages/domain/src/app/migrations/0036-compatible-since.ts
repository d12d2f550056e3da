import { Migration } from '@mikro-orm/migrations';

/**
 * The oldest version that can work on the schema, for processes that do not know its latest migrations (docs/decisions/0015), and
 * no more `live_events`: only processes that do not know 0027 use it.
 */
export class CompatibleSince extends Migration {
  override up(): void {
    this.addSql(`
      -- The name of a migration. A process that knows it can work on this schema, even if it does not know later ones.
      alter table installation add compatible_since text collate "C" not null default '0031-search-lists';
      drop table live_events, live_horizon;
      drop sequence live_positions;
      drop function place_live_event`);
  }
}

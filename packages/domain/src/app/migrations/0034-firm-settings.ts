import { Migration } from '@mikro-orm/migrations';

/** The language and the time zone of a firm, and for how many days it keeps its audit log: null for the default. From where changes were made. */
export class FirmSettings extends Migration {
  override up(): void {
    this.addSql(`
      alter table workspaces
        add column language text not null default 'en',
        add column timezone text not null default 'UTC',
        add column audit_days integer`);
    this.addSql(`
      -- The network from which a change was made; null for what no call has changed.
      alter table audit_events add column network text`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** How much a firm's files may take. */
export class StorageLimits extends Migration {
  override up(): void {
    this.addSql(`
      alter table workspaces
        -- In bytes; null without a limit.
        add column storage_limit bigint,
        -- The last share of it, in percent, of which the firm was told; 0 while the files take less.
        add column storage_warned smallint not null default 0`);
  }
}

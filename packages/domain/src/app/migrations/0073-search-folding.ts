import { Migration } from '@mikro-orm/migrations';

/**
 * Which version of the folding the texts of a firm have (`FOLDING` in `tickets/search-text.ts`). The indexer folds those of an earlier
 * version again. Texts that a gateway of the previous version stores afterwards are folded when they are indexed.
 */
export class SearchFolding extends Migration {
  override up(): void {
    this.addSql('alter table search_progress add column folding integer not null default 0');
    this.addSql(
      'insert into search_progress (workspace_id) select id from workspaces on conflict do nothing',
    );
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Moves the latest postings of each word out of the dictionary (docs/decisions/0030). A word's row was written again for almost
 * every text that contains the word, and each time its trigrams were added to the index again.
 *
 * `search_words.postings` is then at least about half of the real number. Searches of the previous version fail, as they do since 0029. Only indexing waits during the migration.
 */
export class SearchLists extends Migration {
  override up(): void {
    this.addSql('lock table search_words in share row exclusive mode');
    this.addSql(`
      insert into search_postings (workspace_id, key, segment, tickets)
      select workspace_id, key, segments, tail from search_words where tail <> ''`);
    this.addSql('alter table search_words drop column tail');
    this.addSql('alter table search_words drop column segments');
  }
}

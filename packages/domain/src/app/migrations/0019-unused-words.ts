import { Migration } from '@mikro-orm/migrations';

/**
 * Words that no text contains any more. A word is marked first and deleted a day later: by then, every transaction that found the
 * word before it was marked has ended, and its text shows that the word is used. Later transactions ignore marked
 * words and add them again.
 */
export class UnusedWords extends Migration {
  override up(): void {
    this.addSql(`
      alter table search_words add unused_since timestamptz(3);

      create or replace function learn_added_words() returns trigger language plpgsql as $$
      begin
        insert into search_words (workspace_id, key, word)
        select distinct added.workspace_id, hashtextextended(token, added.workspace_id), token
        from added, unnest(string_to_array(added.search_text, ' ')) as token
        where not exists (select from search_words
          where key = hashtextextended(token, added.workspace_id) and unused_since is null);
        return null;
      end $$;

      create or replace function learn_changed_words() returns trigger language plpgsql as $$
      begin
        insert into search_words (workspace_id, key, word)
        select distinct new.workspace_id, hashtextextended(token, new.workspace_id), token
        from unnest(string_to_array(new.search_text, ' ')) as token
        where not exists (select from search_words
          where key = hashtextextended(token, new.workspace_id) and unused_since is null);
        return null;
      end $$;
    `);
  }
}

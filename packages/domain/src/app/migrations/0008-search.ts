import { Migration } from '@mikro-orm/migrations';

/**
 * The dictionary of each firm's words, and the tickets that contain each word (docs/decisions/0030). A text is stored as pending and
 * searched as it is, until a job has added its ticket to the postings of its words.
 */
export class Search extends Migration {
  override up(): void {
    this.addSql(`
      -- The sequences of one to three characters in a word, each prefixed with the firm.
      -- The cost tells the planner to use the index below, and not to compute the sequences of all words.
      create function search_grams(workspace integer, word text) returns text[]
        language plpgsql immutable strict parallel safe cost 10000 as $$
      declare
        letters text[] := string_to_array(word, null);
        size integer := cardinality(letters);
        firm text := workspace || ':';
        grams text[] := '{}';
      begin
        for i in 1..size loop
          grams := grams || (firm || letters[i]);
          if i < size then grams := grams || (firm || letters[i] || letters[i + 1]); end if;
          if i < size - 1 then grams := grams || (firm || letters[i] || letters[i + 1] || letters[i + 2]); end if;
        end loop;
        return grams;
      end $$;

      create table search_progress (
        workspace_id integer primary key references workspaces on delete cascade,
        -- How many tickets of the firm are numbered. The process that adds to the postings holds the lock of the row.
        tickets integer not null default 0,
        -- Which version of the folding the texts of the firm have (FOLDING in tickets/search/search-text.ts).
        folding integer not null default 0
      );
      insert into search_progress (workspace_id) select id from workspaces;

      -- The key is a hash, because words can be longer than an index entry.
      create table search_words (
        workspace_id integer not null references workspaces on delete cascade,
        key bigint not null,
        word text not null,
        -- At least about half of the number of tickets in all postings.
        postings integer not null,
        -- A word that no text contains any more is marked first, and deleted a day later: by then, every transaction that found it
        -- before it was marked has ended.
        unused_since timestamptz(3),
        primary key (workspace_id, key)
      ) with (fillfactor = 80);
      -- The words that contain a sequence of characters. No pending list, because every search would read it.
      create index search_words_grams on search_words using gin (search_grams(workspace_id, word)) with (fastupdate = off);
      create index search_words_unused on search_words (workspace_id, unused_since) where unused_since is not null;

      -- The numbers of the tickets that contain a word, in segments.
      create table search_postings (
        workspace_id integer not null,
        key bigint not null,
        segment integer not null,
        tickets bytea not null,
        primary key (workspace_id, key, segment),
        foreign key (workspace_id, key) references search_words on delete cascade
      );
      alter table search_postings alter column tickets set storage main;
    `);
  }
}

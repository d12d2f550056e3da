import { Migration } from '@mikro-orm/migrations';

/**
 * Search by ticket, without triggers (docs/decisions/0030). A text is stored as pending and searched as it is, until a job has
 * added the ticket to the postings of its words (`tickets/search-index.ts`). After this migration all texts are pending:
 * `pnpm ops search index` indexes them at once.
 *
 * The previous version reads and writes tickets and messages as before, but its searches (`q`) fail.
 */
export class SearchPostings extends Migration {
  override up(): void {
    this.addSql(`
      drop trigger if exists learn_added_words on tickets;
      drop trigger if exists learn_changed_words on tickets;
      drop trigger if exists learn_added_words on ticket_messages;
      drop trigger if exists learn_changed_words on ticket_messages;
      drop function if exists learn_added_words();
      drop function if exists learn_changed_words();
      drop index if exists tickets_search;
      drop index if exists ticket_messages_search;
      drop function if exists search_keys(integer, text);
      drop table search_words;

      -- Consecutive in the firm; null until the ticket is indexed for search.
      alter table tickets add search_number integer;
      -- Whether the search text is not yet in the postings. Whoever changes the text sets it.
      alter table tickets add search_pending boolean not null default true;
      alter table ticket_messages add search_pending boolean not null default true;

      -- How many tickets of the firm are numbered. Its lock is held by the process that adds to the postings.
      create table search_progress (
        workspace_id integer primary key references workspaces on delete cascade,
        tickets integer not null default 0
      );

      -- The firm's words. The key is a hash, because words can be longer than an index entry.
      create table search_words (
        workspace_id integer not null references workspaces on delete cascade,
        key bigint not null,
        word text not null,
        -- The number of tickets in all postings. A ticket that is in several of them counts several times.
        postings integer not null,
        -- The latest postings, and the number of full ones in search_postings.
        tail bytea not null,
        segments integer not null default 0,
        unused_since timestamptz(3),
        primary key (workspace_id, key)
      ) with (fillfactor = 80);
      -- The words that contain a sequence of characters. No pending list, because every search would read it.
      create index search_words_grams on search_words using gin (search_grams(workspace_id, word)) with (fastupdate = off);
      create index search_words_unused on search_words (workspace_id, unused_since) where unused_since is not null;

      create table search_postings (
        workspace_id integer not null,
        key bigint not null,
        segment integer not null,
        tickets bytea not null,
        primary key (workspace_id, key, segment),
        foreign key (workspace_id, key) references search_words on delete cascade
      );
      alter table search_words alter column tail set storage main;
      alter table search_postings alter column tickets set storage main;
    `);
  }
}

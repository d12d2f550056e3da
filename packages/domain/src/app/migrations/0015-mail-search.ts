import { fillSearchTexts } from '../../mail/search/fill-search-texts.ts';
import { distributeNewTable } from './new-firm-table.ts';
import { OnlineMigration } from './online-migration.ts';

/**
 * The search of mail, with the tables that the search of tickets has (0008). Mail that exists gets its search text; a job adds the texts to
 * the postings. A process of the previous version stores none, which the job corrects.
 */
export class MailSearch extends OnlineMigration {
  override async up(): Promise<void> {
    await this.query(`
      alter table mail_messages
        -- Folded lines: the sender, the recipients, the subject, the names of the files, the text (mail/search/mail-search-text.ts).
        add column if not exists search_text text,
        -- Whether the text is not yet in the postings. Whoever changes the text sets it.
        add column if not exists search_pending boolean not null default true,
        add column if not exists search_number integer`);
    await this.#createTables();
    await this.buildIndex(
      'mail_messages_search_pending',
      'mail_messages (workspace_id, id) where search_pending',
      false,
    );
    await this.buildIndex('mail_messages_search_number', 'mail_messages (workspace_id, search_number)', true);
    const newest = 'mail_messages (mailbox_id, folder, message_at desc, id desc)';
    await this.buildIndex('mail_messages_unread', `${newest} where not is_read`, false);
    await this.buildIndex('mail_messages_with_files', `${newest} where attachments <> '[]'`, false);
    const firms = await this.query<{ id: number }>('select id from workspaces order by id');
    for (const [n, { id }] of firms.entries()) {
      await fillSearchTexts((statement) => this.query(statement), id);
      this.report(`making the search texts of mail: ${n + 1} of ${firms.length} firms`);
    }
  }

  async #createTables(): Promise<void> {
    await this.query(`
      create table if not exists mail_search_progress (
        workspace_id integer primary key,
        messages integer not null default 0,
        folding integer not null default 0
      )`);
    await this.query(`
      create table if not exists mail_search_words (
        workspace_id integer not null,
        key bigint not null,
        word text not null,
        postings integer not null,
        unused_since timestamptz(3),
        primary key (workspace_id, key)
      ) with (fillfactor = 80)`);
    await this.query(`
      create table if not exists mail_search_postings (
        workspace_id integer not null,
        key bigint not null,
        segment integer not null,
        messages bytea not null,
        primary key (workspace_id, key, segment)
      )`);
    await this.query('alter table mail_search_postings alter column messages set storage main');
    await this.query(distributeNewTable('mail_search_progress'));
    await this.query(distributeNewTable('mail_search_words'));
    await this.query(distributeNewTable('mail_search_postings'));
    for (const table of ['mail_search_progress', 'mail_search_words'])
      await this.addConstraint(
        table,
        `${table}_workspace_id_fkey`,
        'foreign key (workspace_id) references workspaces on delete cascade',
      );
    await this.addConstraint(
      'mail_search_postings',
      'mail_search_postings_in_mail_search_words',
      'foreign key (workspace_id, key) references mail_search_words on delete cascade',
    );
    await this.query(`
      create index if not exists mail_search_words_grams on mail_search_words
        using gin (search_grams(workspace_id, word)) with (fastupdate = off)`);
    await this.query(`
      create index if not exists mail_search_words_unused on mail_search_words (workspace_id, unused_since)
        where unused_since is not null`);
  }
}

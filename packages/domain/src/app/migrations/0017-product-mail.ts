import { Migration } from '@mikro-orm/migrations';

/** Mail that the product writes, without an author, and the firm's wording of it. */
export class ProductMail extends Migration {
  override up(): void {
    this.addSql(`
      -- By kind and language.
      alter table workspaces add column mail_templates jsonb not null default '{}'`);
    this.addSql(`
      alter table outgoing_messages
        -- Null for mail that the product writes.
        alter column author_id drop not null,
        -- The id of what the product writes about.
        add column about text collate "C",
        -- It is not sent later.
        add column send_until timestamptz(3),
        -- Whether no person has written it.
        add column is_automatic boolean not null default false`);
    this.addSql(
      'create index outgoing_messages_about on outgoing_messages (workspace_id, about) where about is not null',
    );
  }
}

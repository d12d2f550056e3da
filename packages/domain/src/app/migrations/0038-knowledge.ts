import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/** What a firm's assistant knows, how it answers, and what it has used by day. */
export class Knowledge extends Migration {
  override up(): void {
    this.addSql(`
      create table knowledge_articles (
        workspace_id integer not null,
        id text collate "C" not null,
        title text not null,
        text text not null,
        -- The keys of the distinct words of both.
        words text[] not null,
        updated_at timestamptz(3) not null,
        primary key (workspace_id, id)
      );
    `);
    this.addSql(distributeNewTable('knowledge_articles'));
    this.addSql(`
      -- Tone, rules, languages and when it hands over; null if the firm has set none.
      alter table workspaces add column assistant_guide jsonb`);
    this.addSql(`
      -- The replies of each day of the month.
      alter table assistant_usage add column days jsonb not null default '{}'`);
    this.addSql(`
      -- The articles on which the reply is based.
      alter table assistant_runs add column articles jsonb`);
    this.addSql(`
      create index assistant_runs_articles on assistant_runs (workspace_id, ticket_id, id) where articles is not null`);
  }
}

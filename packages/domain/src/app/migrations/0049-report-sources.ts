import { OnlineMigration } from './online-migration.ts';

/** The articles from which the assistant replied, and indexes of the tickets that are open, and of those with a macro or an article. */
export class ReportSources extends OnlineMigration {
  override async up(): Promise<void> {
    await this.query(`
      -- The articles on which a reply of the assistant is based.
      alter table ticket_messages add column if not exists article_ids text[]`);
    await this.query(`
      update ticket_messages m set article_ids = array(select a ->> 'id' from jsonb_array_elements(r.articles) a)
      from assistant_runs r
      where r.workspace_id = m.workspace_id and r.message_id = m.id and r.state = 'done' and r.articles is not null
        and m.article_ids is null`);
    await this.query('alter table report_days drop constraint if exists report_days_dimension_check');
    await this.addConstraint(
      'report_days',
      'report_days_dimension',
      `check (dimension = any ('{all,tag,language,agent,macro,article}'))`,
    );
    await this.buildIndex(
      'ticket_messages_macros',
      'ticket_messages using gin (workspace_id, macro_ids) where macro_ids is not null',
      false,
    );
    await this.buildIndex(
      'ticket_messages_articles',
      'ticket_messages using gin (workspace_id, article_ids) where article_ids is not null',
      false,
    );
    await this.buildIndex(
      'tickets_open_since',
      'tickets (workspace_id, created_at, team_id, assignee_id) where queue_rank <= 5',
      false,
    );
  }
}

import { OnlineMigration } from './online-migration.ts';

/** The articles from which the assistant replied, as figures of reports, and the age of open tickets by an index. */
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
      'tickets_open_since',
      'tickets (workspace_id, created_at, team_id, assignee_id) where queue_rank <= 5',
      false,
    );
  }
}

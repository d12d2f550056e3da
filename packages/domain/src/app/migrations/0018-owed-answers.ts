import { Migration } from '@mikro-orm/migrations';

/** Marks commands that replaced an answer to the trader: when one fails, the answer is requested again. */
export class OwedAnswers extends Migration {
  override up(): void {
    this.addSql('alter table assistant_runs add owes_answer boolean not null default false');
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Which commands took the place of an answer to the trader, so that their failure gives the assistant its turn again. */
export class OwedAnswers extends Migration {
  override up(): void {
    this.addSql('alter table assistant_runs add owes_answer boolean not null default false');
  }
}

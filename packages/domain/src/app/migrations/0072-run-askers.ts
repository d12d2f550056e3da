import { Migration } from '@mikro-orm/migrations';

/** The account that gave a command to the assistant; null for an answer to the trader, and for commands of the previous version. */
export class RunAskers extends Migration {
  override up(): void {
    this.addSql('alter table assistant_runs add column asked_by text collate "C"');
  }
}

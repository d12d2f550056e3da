import { distributeNewTable } from './new-firm-table.ts';
import { OnlineMigration } from './online-migration.ts';

/** What the platform says about traders, and an index that finds the mail from an address. */
export class TraderProfiles extends OnlineMigration {
  override async up(): Promise<void> {
    await this.execute(`
      create table if not exists trader_profiles (
        workspace_id integer not null,
        user_id text collate "C" not null,
        country text,
        language text,
        timezone text,
        verification text,
        data jsonb not null,
        layout jsonb not null,
        updated_at timestamptz(3) not null,
        primary key (workspace_id, user_id)
      )`);
    await this.execute(distributeNewTable('trader_profiles'));
    await this.execute('alter table trader_profiles drop constraint if exists trader_profiles_user_fkey');
    await this.execute(
      'alter table trader_profiles add constraint trader_profiles_user_fkey foreign key (user_id) references users (id)',
    );
    await this.buildIndex(
      'mail_messages_by_sender',
      'mail_messages (workspace_id, lower(from_email), message_at desc)',
      false,
    );
  }
}

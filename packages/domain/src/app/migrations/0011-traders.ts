import { Migration } from '@mikro-orm/migrations';

/** What the platform says about traders, and the pre-registrations of affiliates. */
export class Traders extends Migration {
  override up(): void {
    this.addSql(`
      create table trader_profiles (
        workspace_id integer not null,
        user_id text collate "C" not null,
        country text,
        language text,
        timezone text,
        verification text,
        data jsonb not null,
        -- How the console shows the data.
        layout jsonb not null,
        updated_at timestamptz(3) not null,
        primary key (workspace_id, user_id),
        constraint trader_profiles_user_fkey foreign key (user_id) references users
      );

      create table affiliate_pre_registrations (
        workspace_id integer not null references workspaces on delete cascade,
        id text collate "C" not null,
        email text not null,
        referral_code text not null,
        referral_url text not null,
        status text not null check (status in ('pending', 'claimed', 'revoked', 'expired')),
        source text not null,
        metadata jsonb not null default '{}',
        created_at timestamptz(3) not null,
        expires_at timestamptz(3),
        claimed_at timestamptz(3),
        last_sent_at timestamptz(3) not null,
        primary key (workspace_id, id)
      );
      -- The list, newest first: all, those of a status, or those of an address.
      create index affiliate_pre_registrations_created
        on affiliate_pre_registrations (workspace_id, created_at desc, id desc);
      create index affiliate_pre_registrations_status
        on affiliate_pre_registrations (workspace_id, status, created_at desc, id desc);
      create index affiliate_pre_registrations_email
        on affiliate_pre_registrations (workspace_id, lower(email), created_at desc, id desc);
      -- Whether a code is reserved already.
      create index affiliate_pre_registrations_code on affiliate_pre_registrations (workspace_id, lower(referral_code));
      -- The job that stores the expiry, and the list of pre-registrations that have expired since it ran.
      create index affiliate_pre_registrations_expiry on affiliate_pre_registrations (expires_at) where status = 'pending';
    `);
  }
}

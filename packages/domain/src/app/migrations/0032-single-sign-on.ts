import { Migration } from '@mikro-orm/migrations';

/** Single sign-on: the OpenID provider of a firm, the domains that it has proved to own, and the accounts at the provider. */
export class SingleSignOn extends Migration {
  override up(): void {
    this.addSql(`
      create table sign_in_providers (
        workspace_id integer primary key references workspaces on delete cascade,
        issuer text not null,
        client_id text not null,
        client_secret bytea not null,
        is_required boolean not null default false,
        -- The one administrator who may still sign in without the provider.
        break_glass_user_id text collate "C" references users on delete set null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`
      create table sign_in_domains (
        workspace_id integer not null references workspaces on delete cascade,
        domain text collate "C" not null,
        proof text not null,
        created_at timestamptz(3) not null,
        verified_at timestamptz(3),
        primary key (workspace_id, domain)
      )`);
    // A domain leads to one firm.
    this.addSql(
      'create unique index sign_in_domains_verified on sign_in_domains (domain) where verified_at is not null',
    );
    this.addSql(`
      create table provider_accounts (
        workspace_id integer not null references workspaces on delete cascade,
        issuer text not null,
        subject text not null,
        user_id text collate "C" not null references users on delete cascade,
        created_at timestamptz(3) not null,
        primary key (workspace_id, issuer, subject)
      )`);
    this.addSql('create index provider_accounts_user on provider_accounts (user_id)');
  }
}

import { Migration } from '@mikro-orm/migrations';

/** How sessions were opened, second factors and passkeys of accounts, and the challenges of sign-ins. */
export class SignIn extends Migration {
  override up(): void {
    this.addSql(`
      alter table tokens
        add column signed_in_by text,
        -- When the person last proved who holds the session.
        add column verified_at timestamptz(3)`);
    this.addSql(`
      alter table tokens add constraint tokens_signed_in_by_check
        check (signed_in_by in ('password', 'code', 'passkey', 'provider'))`);
    this.addSql(`
      create table second_factors (
        user_id text collate "C" primary key references users on delete cascade,
        secret bytea not null,
        created_at timestamptz(3) not null,
        -- Null until a code has shown that the app has the secret.
        confirmed_at timestamptz(3),
        -- The time step of the last code that was accepted: none is accepted twice.
        last_step bigint not null
      )`);
    this.addSql(`
      create table recovery_codes (
        user_id text collate "C" not null references users on delete cascade,
        code_hash bytea not null,
        primary key (user_id, code_hash)
      )`);
    this.addSql(`
      create table passkeys (
        id uuid primary key,
        user_id text collate "C" not null references users on delete cascade,
        credential_id text collate "C" not null unique,
        public_key bytea not null,
        sign_count bigint not null,
        transports text[] not null,
        name text not null,
        created_at timestamptz(3) not null,
        last_used_at timestamptz(3)
      )`);
    this.addSql('create index passkeys_user on passkeys (user_id)');
    this.addSql(`
      create table sign_in_challenges (
        id bytea primary key,
        kind text not null,
        user_id text collate "C" references users on delete cascade,
        content jsonb not null,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null
      )`);
    this.addSql(
      'create index sign_in_challenges_user on sign_in_challenges (user_id) where user_id is not null',
    );
    this.addSql('create index sign_in_challenges_expires on sign_in_challenges (expires_at)');
  }
}

import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { migrate, pendingMigrations } from '../../platform/migrate.ts';
import { runMigrations } from '../../platform/run-migrations.ts';
import { createDatabase } from '../../testing/index.ts';
import { closeServices, createServices } from '../services.ts';
import { migrations } from './index.ts';

/** The migrations of the first release. */
const FIRST_VERSION = 10;

test('migrates a filled database of the first version, with valid indexes', async () => {
  const name = `upgrade_${randomUUID().replaceAll('-', '')}`;
  const services = await createServices({ databaseUrl: await createDatabase(inject('postgresUrl'), name) });
  try {
    await runMigrations(services, migrations.slice(0, FIRST_VERSION));
    await services.pool.query(`
      insert into workspaces (slug, name, created_at) values ('northgate', 'Northgate', now());
      insert into users (id, email, name, created_at)
        select 'usr_' || n, 'user' || n || '@x.example', 'User', now() from generate_series(1, 100) as n;
      insert into tokens (id, user_id, workspace_id, kind, environment, secret_hash, scopes, created_at)
        select 'key_' || n, 'usr_' || n, 2, 'device', 'live', '', '{}', now() from generate_series(1, 100) as n;
      insert into devices (token_id, app, environment, device_token, created_at, last_seen_at)
        select 'key_' || n, 'mail', 'sandbox', 'token' || n, now(), now() from generate_series(1, 100) as n;
      insert into push_outbox (token_id, app, type, subject, due_at, expires_at, created_at)
        select 'key_' || n, 'mail', 'test', 'one', now(), now(), now() from generate_series(1, 100) as n;
      insert into notifications (id, workspace_id, user_id, kind, title, action_url, created_at)
        select gen_random_uuid(), 2, 'usr_1', 'payout_requested', 'A payout', '/', now() from generate_series(1, 100);
      insert into tickets (id, workspace_id, trader_id, subject, status, last_message_at, trader_wrote_at, created_at, search_text)
        select 'tkt_' || lpad(n::text, 6, '0'), 2, 'usr_' || n, 's', 'open', now(), now(), now(), 'word' || n
        from generate_series(1, 100) as n;
      insert into tags (workspace_id, name, color, created_at) values (2, 'vip', '#000000', now());
      insert into ticket_tags (ticket_id, tag_id) select id, (select min(tags.id) from tags) from tickets;
      insert into teams (workspace_id, name, created_at) values (2, 'Payouts', now());
      insert into team_members (team_id, user_id) select (select min(teams.id) from teams), id from users;
      insert into assistant_runs (workspace_id, ticket_id, kind, status_before, last_message_at, created_at)
        select 2, id, 'answer', 'open', now(), now() from tickets;
    `);
    expect(await migrate(services)).toEqual(migrations.slice(FIRST_VERSION).map(({ name }) => name));
    expect(await pendingMigrations(services)).toEqual([]);
    const { rows } = await services.pool.query(
      'select indexrelid::regclass from pg_index where not indisvalid',
    );
    expect(rows).toEqual([]);
  } finally {
    await closeServices(services);
  }
});

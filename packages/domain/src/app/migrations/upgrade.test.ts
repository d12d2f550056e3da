import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { expect, inject, test } from 'vitest';
import { avatarHash } from '../../access/avatar.ts';
import { migrate, schemaState } from '../../platform/migrate.ts';
import { runMigrations } from '../../platform/run-migrations.ts';
import { createDatabase, TestLog } from '../../testing/index.ts';
import { closeServices, createServices } from '../services.ts';
import { migrations } from './index.ts';

/** The migrations of the first release. */
const FIRST_VERSION = 10;
/** The migrations of the version before the firm was in every key. */
const WITHOUT_FIRM_KEYS = 20;
/** The migrations up to the columns of the firm, which are empty. */
const WITHOUT_FILLED_COLUMNS = 22;
/** The migrations up to the hashes of avatars, which are empty. */
const WITHOUT_FILLED_HASHES = 39;
const MESSAGES = 20_000;

/** Ends the connection of a migration until it fails. Between two attempts to lock a row, it would connect again. */
async function interrupt(pool: Pool, migrating: Promise<unknown>): Promise<void> {
  let error: unknown = null;
  migrating.catch((reason: unknown) => {
    error = reason;
  });
  const end = () =>
    pool.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'firmdesk migration'`);
  await expect.poll(() => end().then(() => error), { timeout: 60_000 }).toBeInstanceOf(Error);
}

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
      update tokens set environment = 'test' where id = 'key_1';
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
    expect((await schemaState(services)).pending).toEqual([]);
    const { rows } = await services.pool.query(
      'select indexrelid::regclass from pg_index where not indisvalid',
    );
    expect(rows).toEqual([]);
    const moved = await services.pool.query(`
      select w.slug, w.twin_of, d.workspace_id = t.workspace_id as has_device, count(*)::int as tokens
      from tokens t join workspaces w on w.id = t.workspace_id join devices d on d.token_id = t.id
      group by 1, 2, 3 order by w.slug`);
    expect(moved.rows).toEqual([
      { slug: 'northgate', twin_of: null, has_device: true, tokens: 99 },
      { slug: 'northgate.test', twin_of: 2, has_device: true, tokens: 1 },
    ]);
  } finally {
    await closeServices(services);
  }
});

test('gives the firm to the keys of a filled database while calls read and write, also after an interruption', async () => {
  const name = `upgrade_${randomUUID().replaceAll('-', '')}`;
  const databaseUrl = await createDatabase(inject('postgresUrl'), name);
  const log = new TestLog();
  const services = await createServices({ databaseUrl, log });
  const { pool } = services;
  /** Writes a message, an event and a tag of a ticket as the previous version does. */
  const write = async (n: number) => {
    await pool.query(`
      with thread as (insert into mail_threads (mailbox_id, created_at) values (1, now()) returning id)
      insert into mail_messages (id, mailbox_id, thread_id, folder, from_email, to_recipients, cc_recipients, bcc_recipients,
        subject, body, snippet, message_at, created_at)
      select 'msg_new' || ${n}, 1, id, 'inbox', 'a@x.example', '[]', '[]', '[]', 's', 'b', 'b', now(), now() from thread`);
    await pool.query(`
      with event as (
        insert into events (calendar_id, title, local_start, local_end, timezone, span_start, created_at, updated_at)
        values (1, 'New ${n}', '', '', 'UTC', now(), now(), now()) returning id)
      insert into event_reminders (event_id, user_id, minutes_before, channel, done_until)
      select id, 'usr_1', 5, 'push', now() from event`);
  };
  let reads = 0;
  let isReading = true;
  const read = async () => {
    const client = await pool.connect();
    try {
      await client.query(`set statement_timeout = '10s'`);
      while (isReading) {
        await client.query(`
          select m.id from mail_messages m join mailboxes b on b.id = m.mailbox_id where m.folder = 'inbox' limit 10`);
        await client.query(`
          select t.id from tickets t left join ticket_tags g on g.ticket_id = t.id where t.workspace_id = 2 limit 10`);
        reads++;
      }
    } finally {
      client.release(true);
    }
  };
  try {
    await runMigrations(services, migrations.slice(0, WITHOUT_FIRM_KEYS));
    await pool.query(`
      insert into workspaces (slug, name, created_at) values ('northgate', 'Northgate', now()), ('two', 'Two', now());
      insert into users (id, email, name, created_at)
        select 'usr_' || n, 'user' || n || '@x.example', 'User', now() from generate_series(1, 10) as n;
      insert into mailboxes (workspace_id, email, name, created_at) values (2, 'Desk@x.example', 'Desk', now()),
        (3, 'other@x.example', 'Other', now());
      insert into mailbox_members (mailbox_id, user_id) values (1, 'usr_1'), (2, 'usr_2');
      insert into mail_threads (mailbox_id, created_at) select 1 + n % 2, now() from generate_series(1, ${MESSAGES}) as n;
      insert into mail_messages (id, mailbox_id, thread_id, folder, from_email, to_recipients, cc_recipients, bcc_recipients,
          subject, body, snippet, message_at, created_at)
        select 'msg_' || n, 1 + n % 2, n, 'inbox', 'a@x.example', '[]', '[]', '[]', 's', repeat('text ', 80), 'b', now(), now()
        from generate_series(1, ${MESSAGES}) as n;
      insert into calendars (workspace_id, owner_id, name, created_at) values (2, 'usr_1', 'Diary', now());
      insert into events (calendar_id, title, local_start, local_end, timezone, span_start, created_at, updated_at)
        select 1, 'Event', '', '', 'UTC', now(), now(), now() from generate_series(1, 1000);
      insert into event_reminders (event_id, user_id, minutes_before, channel, done_until)
        select id, 'usr_1', 5, 'push', now() from events;
      insert into tags (workspace_id, name, color, created_at) values (2, 'Payout', '#112233', now());
      insert into tickets (id, workspace_id, trader_id, subject, status, last_message_at, trader_wrote_at, created_at, search_text)
        select 'tkt_' || lpad(n::text, 6, '0'), 2, 'usr_1', 's', 'open', now(), now(), now(), 'word' || n
        from generate_series(1, 100) as n;
      insert into ticket_tags (ticket_id, tag_id) select id, 1 from tickets;`);
    const reader = read();
    await runMigrations(services, migrations.slice(0, WITHOUT_FILLED_COLUMNS));
    const blocker = await pool.connect();
    await blocker.query('set idle_in_transaction_session_timeout = 0');
    await blocker.query('begin');
    await blocker.query(`select from mail_messages where id = 'msg_${MESSAGES}' for update`);
    const interrupted = runMigrations(services, migrations);
    interrupted.catch(() => {});
    // The last batch waits for the locked row.
    const filled = `select count(*)::int as filled from mail_messages where workspace_id is not null`;
    await expect
      .poll(async () => (await pool.query(filled).catch(() => ({ rows: [{ filled: 0 }] }))).rows[0].filled)
      .toBeGreaterThan(0);
    await write(1);
    await interrupt(pool, interrupted);
    await blocker.query('commit');
    blocker.release(true);
    const { rows: between } = await pool.query(filled);
    expect(between[0].filled).toBeLessThan(MESSAGES);
    await write(2);
    await runMigrations(services, migrations);
    isReading = false;
    await reader;
    expect(log.lines).toContainEqual({ level: 'info', message: 'filling mail_messages: 100 %', fields: {} });
    expect(reads).toBeGreaterThan(0);
    const wrong = await pool.query(`
      select m.id from mail_messages m join mailboxes b on b.id = m.mailbox_id where m.workspace_id <> b.workspace_id
      union all select e.id::text from events e where e.workspace_id <> 2`);
    expect(wrong.rows).toEqual([]);
    const { rows } = await pool.query(`
      select (select count(*)::int from mail_messages) as messages, (select count(*)::int from event_reminders) as reminders,
        (select count(*)::int from mail_messages where id like 'msg_new%' and workspace_id = 2) as written,
        (select array_agg(address order by address) from mailbox_addresses) as addresses,
        nextval('mail_threads_id_seq') > (select max(id) from mail_threads) as continues`);
    expect(rows).toEqual([
      {
        messages: MESSAGES + 2,
        reminders: 1002,
        written: 2,
        addresses: ['desk@x.example', 'other@x.example'],
        continues: true,
      },
    ]);
  } finally {
    isReading = false;
    await closeServices(services);
  }
});

test('fills the hashes of avatars, and the rest after an interruption', async () => {
  const name = `upgrade_${randomUUID().replaceAll('-', '')}`;
  const services = await createServices({ databaseUrl: await createDatabase(inject('postgresUrl'), name) });
  const { pool } = services;
  const picture = (n: number) => `DATA:image/svg+xml,<svg>é${n}</svg>`;
  try {
    await runMigrations(services, migrations.slice(0, WITHOUT_FILLED_HASHES));
    await pool.query(`
      insert into users (id, email, name, avatar_url, created_at)
        select 'usr_' || lpad(n::text, 5, '0'), 'user' || n || '@x.example', 'User', case n % 3
          when 0 then 'DATA:image/svg+xml,<svg>é' || n || '</svg>' when 1 then 'https://x.example/' || n end, now()
        from generate_series(1, 2500) as n`);
    const blocker = await pool.connect();
    await blocker.query('set idle_in_transaction_session_timeout = 0');
    await blocker.query('begin');
    await blocker.query(`select from users where id = 'usr_02400' for update`);
    const interrupted = runMigrations(services, migrations);
    interrupted.catch(() => {});
    const filled = async () => {
      const { rows } = await pool.query<{ id: string; avatar_hash: string }>(
        'select id, avatar_hash from users where avatar_hash is not null order by id',
      );
      return rows;
    };
    // The third batch waits for the locked row.
    await expect.poll(async () => (await filled().catch(() => [])).length, { timeout: 60_000 }).toBe(666);
    // A process of the previous version knows no hashes.
    await pool.query(
      `insert into users (id, email, name, avatar_url, created_at) values ('usr_00000', 'n@x.example', 'N', 'data:,', now())`,
    );
    await interrupt(pool, interrupted);
    await blocker.query('commit');
    blocker.release(true);
    await runMigrations(services, migrations);
    expect(await filled()).toEqual([
      { id: 'usr_00000', avatar_hash: avatarHash('data:,') },
      ...Array.from({ length: 833 }, (_, i) => ({
        id: `usr_${String(3 * (i + 1)).padStart(5, '0')}`,
        avatar_hash: avatarHash(picture(3 * (i + 1))),
      })),
    ]);
  } finally {
    await closeServices(services);
  }
});

test('takes the names of accounts out of the titles of notifications, and links off the site out of their links', async () => {
  const name = `titles_${randomUUID().replaceAll('-', '')}`;
  const services = await createServices({ databaseUrl: await createDatabase(inject('postgresUrl'), name) });
  const without = migrations.filter(({ name }) => name !== '0070-notification-persons');
  const [first, second] = ['tkt_01hzzzzzzzzzzzzzzzzz00000a', 'tkt_01hzzzzzzzzzzzzzzzzz00000b'];
  try {
    await runMigrations(services, without);
    await services.pool.query(`
      insert into workspaces (id, slug, name, created_at) values (100, 'northgate', 'Northgate', now());
      insert into users (id, email, name, created_at) values
        ('usr_ada', 'ada@x.example', 'Ada Able', now()), ('usr_tina', 'tina@x.example', 'Tina Trader', now());
      insert into tickets (workspace_id, id, trader_id, subject, status, created_at, last_message_at, trader_wrote_at, search_text)
        select 100, id, 'usr_tina', 'Payout', 'open', now(), now(), now(), '' from unnest(array['${first}', '${second}']) as id;
      insert into ticket_messages (workspace_id, id, ticket_id, from_kind, author_id, author, body, internal, created_at, search_text) values
        (100, 'tmsg_01hzzzzzzzzzzzzzzzzz00000a', '${first}', 'admin', 'usr_ada', 'Ada Able', 'Look', true, '2026-01-02T03:04:05Z', '');
      insert into notifications (workspace_id, id, user_id, kind, title, action_url, created_at)
        select 100, gen_random_uuid(), 'usr_ada', 'ticket_awaiting_admin', title, url, '2026-01-02T03:04:05Z' from (values
          ('Ada Able mentioned you in ticket #00000A', '/tickets/${first}'),
          ('Greg Gone mentioned you in ticket #00000B', '/tickets/${second}'),
          ('Tina Trader wrote in ticket #00000B', '/tickets/${second}'),
          ('Tina Old wrote in ticket #00000A', '/tickets/${first}'),
          ('A payout', '/%2e//evil.test'), ('A flag', E'/\\t/evil.test'), ('An alert', '//evil.test')
        ) as given (title, url)`);
    await runMigrations(services, migrations);
    const { rows } = await services.pool.query(
      'select person_id, title, action_url from notifications order by title',
    );
    expect(rows.map(({ person_id, title, action_url }) => [person_id, title, action_url])).toEqual([
      [null, 'A flag', '/notifications'],
      [null, 'A payout', '/notifications'],
      [null, 'An alert', '/notifications'],
      [null, 'The trader wrote in ticket #00000A', `/tickets/${first}`],
      [null, 'You were mentioned in ticket #00000B', `/tickets/${second}`],
      ['usr_ada', 'mentioned you in ticket #00000A', `/tickets/${first}`],
      ['usr_tina', 'wrote in ticket #00000B', `/tickets/${second}`],
    ]);
  } finally {
    await closeServices(services);
  }
});

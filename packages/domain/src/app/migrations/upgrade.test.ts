import { randomUUID } from 'node:crypto';
import { createDatabase, createMailMessage, MessageSizes, migrateAsLater } from '@firmdesk/testing';
import { createMailUser, openTestGateway } from '@firmdesk/testing/gateway';
import type { Pool } from 'pg';
import { expect, inject, test } from 'vitest';
import { migrate, schemaState } from '../../platform/database/migrations/migrate.ts';
import { startWorkers } from '../jobs.ts';
import { closeServices, createServices } from '../services.ts';
import { migrations } from './index.ts';

const MESSAGES = 2_500;
const later = [{ name: '9001-message-sizes', class: MessageSizes }];

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

test('a later migration runs while a gateway of the baseline serves calls, and continues after an interruption', async () => {
  await using gateway = await openTestGateway(inject('postgresUrl'));
  const { pool } = gateway.services;
  const { token, mailbox } = await createMailUser(gateway);
  const { id } = await createMailMessage(gateway.services, { mailbox });
  await pool.query(
    `insert into mail_messages (workspace_id, id, mailbox_id, thread_id, folder, from_email, to_recipients, cc_recipients,
       bcc_recipients, subject, body, snippet, message_at, created_at)
     select workspace_id, 'msg_0' || lpad(n::text, 6, '0'), mailbox_id, thread_id, folder, from_email, '[]', '[]', '[]', 's',
       repeat('x', n), 's', now(), now()
     from mail_messages, generate_series(1, ${MESSAGES}) as n where id = $1`,
    [id],
  );
  const save = () =>
    gateway.request('POST /v1/me/mail/drafts', { token, body: { address_id: mailbox.id, subject: 'New' } });
  const list = () => gateway.rpc('mail.list', { token, body: { address_id: mailbox.id, folder: 'inbox' } });
  const statuses: number[] = [];
  let isCalling = true;
  const calling = (async () => {
    while (isCalling) statuses.push((await save()).status, (await list()).status);
  })();
  const filled = async () => {
    const { rows } = await pool.query<{ filled: number }>(
      `select count(*)::integer as filled from mail_messages where id like 'msg\\_000%' and size = octet_length(body)`,
    );
    return rows[0]!.filled;
  };
  try {
    // The last batch waits until the test has interrupted it.
    await pool.query(`
      create function wait_for_test() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(7);
        return new;
      end $$;
      create trigger wait_for_test before update on mail_messages for each row
        when (new.id = 'msg_0002400') execute function wait_for_test()`);
    const blocker = await pool.connect();
    await blocker.query('select pg_advisory_lock(7)');
    const interrupted = migrateAsLater(gateway.databaseUrl, later);
    interrupted.catch(() => {});
    await expect.poll(() => filled().catch(() => 0), { timeout: 60_000 }).toBeGreaterThan(0);
    await interrupt(pool, interrupted);
    await blocker.query('select pg_advisory_unlock(7)');
    blocker.release();
    expect(await filled()).toBeLessThan(MESSAGES);
    expect(await migrateAsLater(gateway.databaseUrl, later)).toEqual(['9001-message-sizes']);
    expect(await filled()).toBe(MESSAGES);
  } finally {
    isCalling = false;
    await calling;
  }
  const { rows } = await pool.query(`
    select (select indisvalid from pg_index where indexrelid = 'mail_messages_size'::regclass) as index,
      (select convalidated from pg_constraint where conname = 'mail_messages_size_check') as checked`);
  expect(rows).toEqual([{ index: true, checked: true }]);
  expect(statuses.length).toBeGreaterThan(0);
  expect(statuses.filter((status) => status >= 300)).toEqual([]);

  // The gateway of the baseline works on, and another one can start.
  expect((await save()).status).toBeLessThan(300);
  expect((await gateway.request('GET /readyz')).status).toBe(200);
  const started = await createServices({ databaseUrl: gateway.databaseUrl, poolSizes: { main: 1 } });
  expect(await migrate(started)).toEqual([]);
  expect(await schemaState(started)).toEqual({
    pending: [],
    later: ['9001-message-sizes'],
    isCompatible: true,
  });
  await closeServices(started);
});

test('a database of the baseline keeps its SLA policies, sandboxes and delayed sends under their new names', async () => {
  const databaseUrl = await createDatabase(
    inject('postgresUrl'),
    `baseline_${randomUUID().replaceAll('-', '')}`,
  );
  const services = await createServices({ databaseUrl });
  const { pool } = services;
  const baseline = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === '0013-names'),
  );
  await migrate({ ...services, migrations: baseline });
  const policy = { targets: { urgent: { first_response_minutes: 30 } }, warn_minutes: 15, hours: null };
  await pool.query(
    `insert into workspaces (id, slug, name, service_targets, created_at) values (100, 'north', 'North', $1, now())`,
    [policy],
  );
  await pool.query(`
    insert into workspaces (id, slug, name, twin_of, created_at) values (101, 'north.test', 'North', 100, now());
    insert into users (id, email, name, created_at) values ('usr_t', 't@example.com', 'T', now()), ('usr_a', 'a@example.com', 'Ada', now());
    insert into memberships (workspace_id, user_id, role, permissions, created_at)
      values (100, 'usr_a', 'admin', '{view_tickets,manage_tickets}', now());
    insert into tickets (workspace_id, id, trader_id, subject, status, last_message_at, trader_wrote_at, created_at, search_text)
      values (100, 'tkt_1', 'usr_t', 'Payout', 'awaiting_admin', now(), now(), now(), '');
    insert into held_replies (workspace_id, id, ticket_id, author_id, author, body, created_at)
      values (100, 'tmsg_1', 'tkt_1', 'usr_a', 'Ada', 'Paid on Monday.', now() - interval '1 minute'),
        (100, 'tmsg_2', 'tkt_1', 'usr_a', 'Ada', 'Paid on Tuesday.', now() - interval '1 minute');
    -- One is requested, the other is in the queue already.
    insert into job_requests (workspace_id, task, payload, run_at)
      values (100, 'tickets.send_held', '{"workspace":100,"ticket":"tkt_1","id":"tmsg_1"}', now());
    select graphile_worker.add_job('tickets.send_held', '{"workspace":100,"ticket":"tkt_1","id":"tmsg_2"}')`);

  await migrate(services);
  const { rows: firms } = await pool.query(
    `select slug, sla_policy, sandbox_of from workspaces where id >= 100 order by id`,
  );
  expect(firms).toEqual([
    { slug: 'north', sla_policy: policy, sandbox_of: null },
    { slug: 'north.test', sla_policy: null, sandbox_of: 100 },
  ]);
  const { rows: old } = await pool.query(`
    select name from (
      select relname as name from pg_class union all select conname from pg_constraint union all
      select attname from pg_attribute where attrelid in (select oid from pg_class where relkind = 'r') union all select task_identifier from graphile_worker.jobs union all select task from job_requests) names
    where name ~ 'held|twin_of|service_target'`);
  expect(old).toEqual([]);
  await expect(pool.query(`delete from workspaces where slug = 'north'`)).rejects.toThrow(
    /workspaces_sandbox_of_fkey/,
  );

  const worker = await startWorkers(services);
  const sent = async () => (await pool.query('select id from ticket_messages order by id')).rows;
  await expect.poll(sent, { timeout: 30_000 }).toEqual([{ id: 'tmsg_1' }, { id: 'tmsg_2' }]);
  expect((await pool.query('select from delayed_sends')).rows).toEqual([]);
  await worker.stop();
  await closeServices(services);
});

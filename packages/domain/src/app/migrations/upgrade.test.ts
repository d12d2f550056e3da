import type { Pool } from 'pg';
import { expect, inject, test } from 'vitest';
import { createMailMessage } from '../../mail/testing.ts';
import { migrate, schemaState } from '../../platform/database/migrate.ts';
import { createMailUser, openTestGateway } from '../../testing/gateway.ts';
import { migrateAsLater } from '../../testing/later-version.ts';
import { MessageSizes } from '../../testing/message-sizes.ts';
import { closeServices, createServices } from '../services.ts';

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

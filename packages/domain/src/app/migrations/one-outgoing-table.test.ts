import { randomUUID } from 'node:crypto';
import { createDatabase } from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { runSending } from '../../mail/sending/testing.ts';
import { migrate } from '../../platform/database/migrations/migrate.ts';
import { closeServices, createServices } from '../services.ts';
import { migrations } from './index.ts';

const NAME = '0045-one-outgoing-table';

test('system mails that wait during the upgrade are sent once after it, and what was sent stays known', async () => {
  const name = `outgoing_${randomUUID().replaceAll('-', '')}`;
  const services = await createServices({ databaseUrl: await createDatabase(inject('postgresUrl'), name) });
  const { pool } = services;
  const before = migrations.slice(
    0,
    migrations.findIndex((each) => each.name === NAME),
  );
  await migrate({ ...services, migrations: before });
  await pool.query(`
    insert into workspaces (id, slug, name, created_at) values (100, 'north', 'North', now());
    insert into users (id, email, name, created_at) values ('usr_a', 'a@north.example', 'Ada', now());
    insert into memberships (workspace_id, user_id, role, permissions, created_at) values (100, 'usr_a', 'admin', '{}', now());
    insert into mailboxes (workspace_id, id, email, name, created_at, absence)
      values (100, 9, 'a@north.example', 'Ada', now(),
        '{"user_id":"usr_a","is_on":true,"subject":"","text":"Away","starts_at":null,"ends_at":null}');
    insert into mail_threads (workspace_id, id, mailbox_id, created_at) values (100, 9, 9, now());
    insert into mail_messages (workspace_id, id, alias, mailbox_id, thread_id, folder, from_email, to_recipients, cc_recipients, bcc_recipients,
        subject, body, snippet, message_at, created_at)
      values (100, 'msg_1', 77, 9, 9, 'sent', 'a@north.example', '[]', '[]', '[]', '', '', '', now(), now());
    insert into outgoing_messages (workspace_id, message_id, author_id, send_at, started_at) values (100, 'msg_1', 'usr_a', now(), now());
    insert into outgoing_recipients (workspace_id, message_id, position, email, state) values (100, 'msg_1', 1, 'ben@out.example', 'sent');
    insert into system_mails (workspace_id, id, user_id, kind, subject, content, created_at, expires_at, attempts, state, detail)
    select 100, ('00000000-0000-0000-0000-00000000000' || n)::uuid, 'usr_a', 'absence', 'absence 9 p' || n,
      json_build_object('mailbox_id', 9, 'to', json_build_object('email', 'p' || n || '@out.example', 'name', null), 'subject', 'Hi',
        'message_id', n || '@out.example'),
      now(), now() + interval '1 day', case n when 2 then 3 else 0 end, case n when 3 then 'sent' else 'queued' end,
      case n when 3 then '250 Ok' end
    from generate_series(1, 3) n;
    -- One is requested, the other was tried and is in the queue already.
    insert into job_requests (workspace_id, task, payload, run_at)
      values (100, 'mail.send_system', '{"workspace":100,"id":"00000000-0000-0000-0000-000000000001","attempt":0}', now());
    select graphile_worker.add_job('mail.send_system',
      '{"workspace":100,"id":"00000000-0000-0000-0000-000000000002","attempt":3}')`);

  expect(await migrate(services)).toContain(NAME);
  const jobs = await pool.query(`
    select from graphile_worker.jobs where task_identifier = 'mail.send_system'
    union all select from job_requests where task = 'mail.send_system'`);
  expect(jobs.rows).toEqual([]);
  const sent: string[] = [];
  services.mail = {
    domains: ['north.example'],
    server: {
      async send({ to }) {
        sent.push(to);
        return { state: 'sent', detail: '250 Ok' };
      },
      async check() {},
      async close() {},
    },
  };
  for (let i = 0; i < 2; i++) await runSending(services);
  expect(sent.sort()).toEqual(['p1@out.example', 'p2@out.example']);
  const { rows } = await pool.query(`
    select o.id, o.kind, o.about, o.alias::integer, r.state, r.detail from outgoing_messages o
    join outgoing_recipients r on r.workspace_id = o.workspace_id and r.message_id = o.id order by o.about nulls first`);
  expect(rows).toMatchObject([
    { id: 'msg_1', kind: null, alias: 77, state: 'sent' },
    ...[1, 2, 3].map((n) => ({ kind: 'absence', about: `absence 9 p${n}`, state: 'sent', detail: '250 Ok' })),
  ]);
  await pool.query('delete from mail_messages');
  expect((await pool.query('select from outgoing_messages where kind is null')).rows).toEqual([]);
  await closeServices(services);
});

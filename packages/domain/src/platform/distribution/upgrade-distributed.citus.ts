import { createClusterDatabase, dropDatabase, MessageSizes, unique } from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { migrations } from '../../app/migrations/index.ts';
import { placement } from '../../app/placement.ts';
import { closeServices, createServices } from '../../app/services.ts';
import { firmTables } from '../../app/tables.ts';
import { runMigrations } from '../database/migrations/run-migrations.ts';
import { distribute } from './distribute.ts';

/** The last migration of the baseline. */
const BASELINE = '0012';
/** A table of the baseline that a later migration renames. */
const RENAMED = 'held_replies';
const ONE_OUTGOING_TABLE = '0045';

test('an upgrade of a distributed installation distributes each new table of firms, and runs beside calls', async () => {
  const coordinator = inject('postgresUrl');
  const name = unique('upgraded');
  const services = await createServices({
    databaseUrl: await createClusterDatabase(coordinator, name),
    poolSizes: { main: 2 },
  });
  try {
    const rowsOf = async <Row>(text: string, values: unknown[] = []) =>
      (await services.pool.query<Row & Record<string, unknown>>(text, values)).rows;
    await runMigrations(
      services,
      migrations.filter(({ name }) => name.slice(0, 4) <= BASELINE),
    );
    await rowsOf(`insert into workspaces (slug, name, created_at) values ('north', 'North', now())`);
    const [firm] = await rowsOf<{ id: number }>(`select id from workspaces where slug = 'north'`);
    await rowsOf(
      `insert into mailboxes (workspace_id, id, email, name, created_at) values ($1, 1, 'a@x.example', 'A', now())`,
      [firm!.id],
    );
    await rowsOf(
      `insert into mail_threads (workspace_id, id, mailbox_id, created_at) values ($1, 1, 1, now())`,
      [firm!.id],
    );
    await rowsOf(
      `insert into mail_messages (workspace_id, id, mailbox_id, thread_id, folder, from_email, to_recipients, cc_recipients,
         bcc_recipients, subject, body, snippet, message_at, created_at)
       select $1, 'msg_' || n, 1, 1, 'inbox', 'a@x.example', '[]', '[]', '[]', 's', repeat('x', n), 's', now(), now()
       from generate_series(1, 1500) as n`,
      [firm!.id],
    );
    const existing = await rowsOf<{ name: string }>(
      'select name from unnest($1::text[]) with ordinality as t (name, place) where to_regclass(name) is not null order by place',
      [[...firmTables, RENAMED]],
    );
    await distribute(services.databaseUrl, {
      placement: { ...placement, firms: existing.map(({ name }) => name) },
      shards: 4,
      onProgress: () => {},
    });

    await runMigrations(
      services,
      migrations.filter(({ name }) => name.slice(0, 4) < ONE_OUTGOING_TABLE),
    );
    await rowsOf(
      `insert into users (id, email, name, created_at) values ('usr_a', 'a@x.example', 'A', now())`,
    );
    await rowsOf(
      `insert into system_mails (workspace_id, id, user_id, kind, subject, content, created_at, expires_at)
       values ($1, gen_random_uuid(), 'usr_a', 'absence', 'a', '{}', now(), now() + interval '1 day')`,
      [firm!.id],
    );
    await rowsOf(
      `insert into audit_events (workspace_id, created_at, actor_kind, action, target_type, target_id)
       select $1, now() - n * interval '60 days', 'system', 'team.created', 'team', 't' from generate_series(0, 9) as n`,
      [firm!.id],
    );
    await runMigrations(services, [...migrations, { name: '9001-message-sizes', class: MessageSizes }]);
    const distributed = await rowsOf<{ name: string }>(`
      select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      where p.partmethod = 'h' and p.colocationid = (
        select colocationid from pg_dist_partition where logicalrelid = 'tickets'::regclass)`);
    expect(distributed.map(({ name }) => name).sort()).toEqual([...firmTables].sort());
    expect(
      await rowsOf(
        'select count(*)::integer as filled from mail_messages where workspace_id = $1 and size = octet_length(body)',
        [firm!.id],
      ),
    ).toEqual([{ filled: 1500 }]);
    expect(
      await rowsOf(
        `select o.kind, r.state from outgoing_messages o
         join outgoing_recipients r on r.workspace_id = o.workspace_id and r.message_id = o.id where o.workspace_id = $1`,
        [firm!.id],
      ),
    ).toEqual([{ kind: 'absence', state: 'queued' }]);
    expect(await rowsOf('select task from job_requests where workspace_id = $1', [firm!.id])).toEqual([
      { task: 'mail.send' },
    ]);
    // Nothing of the last 90 days.
    const expired = (most: number) =>
      rowsOf<{ deleted: number }>('select expire_audit_events($1, now(), $2) as deleted', [firm!.id, most]);
    expect([await expired(5), await expired(5)]).toEqual([[{ deleted: 5 }], [{ deleted: 3 }]]);
    await expect(rowsOf('select delete_audit_events($1, 9)', [firm!.id])).rejects.toThrow('has not begun');
    await rowsOf('update workspaces set deletion_started_at = now() where id = $1', [firm!.id]);
    await rowsOf(
      `insert into audit_events (workspace_id, created_at, actor_kind, action, target_type, target_id, after)
       select p.id, now(), 'system', 'firm.deletion_started', 'firm', 'north', jsonb_build_object('firm', $1::integer)
       from workspaces p where p.slug = 'platform'`,
      [firm!.id],
    );
    expect(await rowsOf('select delete_audit_events($1, 9) as deleted', [firm!.id])).toEqual([
      { deleted: 2 },
    ]);
  } finally {
    await closeServices(services);
    await dropDatabase(coordinator, name);
  }
});

import { closeServices, createServices, indexPendingTexts, type Services } from '@firmdesk/domain';
import { cloneDatabase, type TestDatabase } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { importSeed } from '../import/import-seed.ts';
import { fullSeed } from '../testing/full-seed.ts';
import { smallSeed } from '../testing/small-seed.ts';
import { exportFirm } from './export-firm.ts';
import { exportedTables, tablesNotExported } from './exported-tables.ts';

const opened: { services: Services; database: TestDatabase }[] = [];
async function openInstallation(): Promise<Services> {
  const database = await cloneDatabase(inject('postgresUrl'));
  const services = await createServices({ databaseUrl: database.url });
  opened.push({ services, database });
  return services;
}
afterAll(async () => {
  for (const { services, database } of opened) {
    await closeServices(services);
    await database[Symbol.asyncDispose]();
  }
});

let source: Services;
beforeAll(async () => {
  source = await openInstallation();
  await importSeed(source, fullSeed);
});

async function exported(services: Services, slug: string) {
  let text = '';
  const { counts, leftOut } = await exportFirm(services, slug, async (piece) => {
    text += piece;
  });
  return { file: JSON.parse(text), counts, leftOut };
}

test('an export that is imported elsewhere gives the same export', async () => {
  const first = await exported(source, 'north');
  expect(first.leftOut).toEqual([]);
  for (const [list, count] of Object.entries(first.counts)) expect(count, list).toBeGreaterThan(0);
  const target = await openInstallation();
  await importSeed(target, first.file);
  expect((await exported(target, 'north')).file).toEqual(first.file);
  expect(await countRows(target)).toEqual(await countRows(source));
  const wakes = await target.pool.query(
    `select task from job_requests where task like '%.wake' order by task`,
  );
  expect(wakes.rows.map(({ task }) => task)).toEqual(['mail.wake', 'tickets.wake']);
  const found = await indexPendingTexts(target, { workspace: 'north' });
  expect(found[0]!.indexed).toBeGreaterThan(0);
});

/** Counts the rows of the firm in each table that an export has. */
async function countRows({ pool }: Services): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of Object.keys(exportedTables)) {
    const { rows } = await pool.query<{ n: number }>(
      `select count(*)::integer as n from ${table}
       where ${table === 'workspaces' ? 'id' : 'workspace_id'} = (select id from workspaces where slug = 'north')`,
    );
    counts[table] = rows[0]!.n;
  }
  return counts;
}

test('every table with rows of a firm is exported, or named with the reason', async () => {
  const { rows } = await source.pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
  );
  const listed = [...Object.keys(exportedTables), ...Object.keys(tablesNotExported)];
  expect(listed.sort()).toEqual(['workspaces', ...rows.map(({ name }) => name)].sort());
  for (const [table, count] of Object.entries(await countRows(source)))
    expect(count, table).toBeGreaterThan(0);
});

test('an endpoint of a webhook gets a new secret, and the report says so; an automatic answer without its author is left out', async () => {
  const { file } = await exported(source, 'north');
  expect(JSON.stringify(file)).not.toContain('secret');
  const target = await openInstallation();
  const { reports } = await importSeed(target, file);
  expect(reports.find(({ path }) => path === 'webhooks[0]')?.messages).toEqual([
    expect.stringContaining('has a new secret'),
  ]);
  const secrets = async ({ pool }: Services) =>
    (await pool.query('select secret from webhook_endpoints')).rows.map(({ secret }) =>
      secret.toString('hex'),
    );
  expect(await secrets(target)).not.toEqual(await secrets(source));
  const automation = await target.pool.query(`select ticket_automation from workspaces where slug = 'north'`);
  expect(automation.rows[0].ticket_automation).toMatchObject({ on: ['waiting'] });
  await target.pool.query('delete from mailbox_members');
  expect((await exported(target, 'north')).file.mailboxes[0]).not.toHaveProperty('absence');
});

test('exports macros with the tags and agents that the firm still has', async () => {
  const services = await openInstallation();
  const { ids } = await importSeed(services, smallSeed);
  const anna = ids.users['anna']!;
  const macros = async () => (await exported(services, 'north')).file.macros;
  const [paid, mine] = await macros();
  expect(paid).toMatchObject({
    id: 'mac_imported1',
    team: String(ids.teams['risk']),
    texts: smallSeed.macros[0]!.texts,
    actions: { add_tags: [String(ids.tags['vip'])], status: 'resolved', priority: 'low', assignee: anna },
    used: 3,
  });
  expect(mine).toMatchObject({ name: 'Another look', actions: { assignee: 'me' } });
  await services.pool.query(`update tags set deleted_at = now() where name = 'VIP'`);
  await services.pool.query(`update memberships set active = false where user_id = $1`, [anna]);
  expect((await macros())[0].actions).toMatchObject({ add_tags: [], status: 'resolved', assignee: null });
});

test('exports one firm only, with the accounts that its rows name', async () => {
  const { file } = await exported(source, 'north');
  expect(file.firms.map(({ slug }: { slug: string }) => slug)).toEqual(['north']);
  const emails = file.users.map(({ email }: { email: string }) => email).sort();
  // Iris and Jon are staff who share a calendar or write on tickets, Gone is a former trader.
  expect(emails).toEqual(
    [
      'Anna@north.example',
      'ben@example.net',
      'gone@example.net',
      'iris@firmdesk.example',
      'jon@firmdesk.example',
    ].sort(),
  );
  const ben = file.users.find(({ email }: { email: string }) => email === 'ben@example.net');
  // What the platform says about a trader is imported and exported with the membership.
  expect(ben.memberships).toMatchObject([
    { profile: { country: 'DK', language: null, verification: 'verified', data: { level: 3 }, layout: [] } },
  ]);
  expect(JSON.stringify(file)).not.toMatch(/south|password|\$argon2/);
});

test('lists records that an import file cannot contain, and keeps a message with an invalid sender', async () => {
  const services = await openInstallation();
  await importSeed(services, smallSeed);
  await services.pool.query(
    `update mail_messages set from_email = 'not an address' where id = 'msg_imported1'`,
  );
  await services.pool.query(`update notifications set kind = 'unknown_kind' where title = 'A ticket waits'`);
  const { file, leftOut, counts } = await exported(services, 'north');
  expect(leftOut).toEqual([
    { list: 'notifications', key: expect.any(String), reason: expect.stringContaining('kind') },
  ]);
  expect([counts['notifications'], file.notifications]).toEqual([0, []]);
  expect(file.messages.find(({ id }: { id: string }) => id === 'msg_imported1').from).toEqual({
    email: 'unknown@sender.invalid',
    name: 'Ben Ørn',
  });
});

test('leaves out what names a record that is left out, so that the file can be imported', async () => {
  const services = await openInstallation();
  await importSeed(services, fullSeed);
  await services.pool.query(`update ticket_messages set image_name = '' where id = 'tmsg_imported1'`);
  const { file, leftOut } = await exported(services, 'north');
  const payout = leftOut[0]!.key;
  expect(leftOut).toEqual([
    { list: 'tickets', key: payout, reason: expect.stringContaining('image_name') },
    { list: 'ticket_links', key: 'north', reason: `ticket: the ticket "${payout}" is left out` },
    { list: 'ticket_merges', key: 'north', reason: `into: the ticket "${payout}" is left out` },
  ]);
  expect([file.ticket_links, file.ticket_merges]).toEqual([[], []]);
  await importSeed(await openInstallation(), file);
});

test('keeps at most a page in memory, and stops when the file cannot be written', async () => {
  const services = await openInstallation();
  await importSeed(services, smallSeed);
  const { rows } = await services.pool.query(
    `select workspace_id, mailbox_id, thread_id from mail_messages limit 1`,
  );
  const { workspace_id, mailbox_id, thread_id } = rows[0];
  const count = 40;
  await services.pool.query(
    `insert into mail_messages (id, workspace_id, mailbox_id, thread_id, folder, from_email, to_recipients, cc_recipients,
       bcc_recipients, subject, body, snippet, message_at, created_at)
     select 'msg_large' || lpad(n::text, 6, '0'), $1, $2, $3, 'archive', 'a@b.example', '[]', '[]', '[]', 's',
       repeat('x', 1000000), '', now(), now() from generate_series(1, $4) as n`,
    [workspace_id, mailbox_id, thread_id, count],
  );
  let longest = 0;
  await exportFirm(services, 'north', async (text) => {
    longest = Math.max(longest, text.length);
  });
  expect(longest).toBeGreaterThan(1_000_000);
  expect(longest).toBeLessThan(6_000_000);
  await expect(
    exportFirm(services, 'north', async () => {
      throw new Error('No space left.');
    }),
  ).rejects.toThrow('No space left.');
  await expect(exportFirm(services, 'none', async () => {})).rejects.toThrow('There is no workspace none.');
});

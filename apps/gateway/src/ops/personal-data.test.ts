import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PLATFORM } from '@firmdesk/contract';
import { addTestDataFor, indexPendingTexts } from '@firmdesk/domain';
import { importSeed } from '@firmdesk/seed';
import { createToken, createUser, createWorkspace, unique } from '@firmdesk/testing';
import { registerPhone, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeAll, expect, test } from 'vitest';
import { personalRows } from '../../../../packages/domain/src/app/accounts/personal-rows.ts';
import { firmTables } from '../../../../packages/domain/src/app/tables.ts';
import { runDelayedSend } from '../../../../packages/domain/src/tickets/messages/delayed-sends.ts';
import { smallSeed } from '../../../../packages/seed/src/testing/small-seed.ts';
import { suiteCommands } from './testing/suite-commands.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const { folder, ops, result, killAtLock } = await suiteCommands(gateway);
let anna: { id: string; email: string };
let token: { id: string; text: string };
beforeAll(async () => {
  await importSeed(services, smallSeed);
  [anna] = await sql(`select id, email from users where email = 'Anna@north.example'`);
  token = await createToken(services, { user: anna, workspace: 'north', kind: 'device' });
  await registerPhone(gateway, anna, 'north', 'mail');
  await indexPendingTexts(services, { workspace: 'north' });
});
// biome-ignore lint/suspicious/noExplicitAny: rows of any table
const sql = async (text: string, values: unknown[] = []): Promise<any[]> =>
  (await services.pool.query(text, values)).rows;

test('every reference from a firm’s table to an account is listed with what an erasure does', async () => {
  const columns = await sql(
    `select c.relname || '.' || a.attname as name from pg_constraint f
     join pg_class c on c.oid = f.conrelid and c.relname = any($1)
     join pg_attribute a on a.attrelid = c.oid and a.attnum = any(f.conkey)
     where f.contype = 'f' and f.confrelid = 'users'::regclass and a.attname <> 'workspace_id' order by 1`,
    [firmTables],
  );
  const listed = personalRows.map(({ table, column }) => `${table}.${column}`);
  expect(columns.map(({ name }) => name)).toEqual(listed.sort());
});

test('exports all data of a person as NDJSON, without secrets and internal notes of others', async () => {
  const file = join(folder, 'anna.ndjson');
  const { exported } = await result('user', 'export', anna.email, file);
  const text = await readFile(file, 'utf8');
  const records = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(Object.values<number>(exported).reduce((sum, count) => sum + count, 0)).toBe(records.length);
  expect(exported).toMatchObject({ account: 1, membership: 2, token: 4, device: 2, event: 3 });
  for (const { table, column } of personalRows.filter(({ table }) => table !== 'unsent_reminders'))
    if (`${table}.${column}` in exported) expect(exported[`${table}.${column}`]).toBeGreaterThan(0);
  expect(exported).toMatchObject({
    'ticket_messages.author_id': 1,
    'notifications.user_id': 1,
    'tickets.assignee_id': 1,
  });
  expect(records[0]).toMatchObject({ type: 'account', id: anna.id, email: anna.email });
  expect(text).not.toMatch(/argon2|_hash|search_text/);

  const trader = join(folder, 'ben.ndjson');
  const ofTrader = (await result('user', 'export', 'ben@example.net', trader)).exported;
  // Two messages of his, one of the assistant; not the internal command.
  expect(ofTrader).toMatchObject({ 'tickets.trader_id': 2, conversation: 3 });
  expect(await readFile(trader, 'utf8')).not.toContain('/ai Be kind');
  expect(await result('audit', 'list', '--firm', PLATFORM, '--target', anna.id)).toMatchObject([
    { action: 'user.exported', actor_kind: 'operator' },
  ]);
});

test('erases a person, also after a kill: nothing names the account any more, and tickets stay', async () => {
  const unconfirmed = await ops('user', 'erase', anna.email);
  expect([unconfirmed.code, unconfirmed.stderr]).toEqual([1, expect.stringContaining('Add --yes')]);
  const counted = await result('user', 'erase', anna.email, '--dry-run');
  expect(counted).toMatchObject({
    dry_run: true,
    rows: { users: 1, tokens: 4, notifications: 1, event_reminders: 1 },
  });
  expect((await gateway.request('GET /v1/ping', { token: token.text })).status).toBe(200);

  const [{ id: north }] = await sql(`select id from workspaces where slug = 'north'`);
  // Copies of her name: a delayed send, and an event that a client could still receive.
  const [{ id: ticket }] = await sql('select id from tickets where workspace_id = $1 limit 1', [north]);
  await sql(
    `insert into delayed_sends (workspace_id, id, ticket_id, author_id, author, body, created_at)
     values ($1, 'tmsg_delayed', $2, $3, 'Anna Ek', 'Paid on Monday.', now())`,
    [north, ticket, anna.id],
  );
  await sql(
    `insert into unsent_replies (workspace_id, id, ticket_id, author_id, author, text, image_url, image_name, attachments, reason,
       written_at, unsent_at)
     values ($1, 'tmsg_unsent', $2, $3, 'Anna Ek', 'Soon.', '', '', $4, 'dismissed', now(), now())`,
    [north, ticket, anna.id, JSON.stringify([{ id: 'att_unsent', name: 'Passport of Anna Ek.pdf' }])],
  );
  await sql(
    `insert into attachments (workspace_id, id, ticket_id, uploader_id, part_of, name, type, size, created_at, uploaded_at)
     values ($1, 'att_unsent', $2, $3, 'tmsg_unsent', 'Passport of Anna Ek.pdf', 'application/pdf', 5, now(), now())`,
    [north, ticket, anna.id],
  );
  await sql(
    `insert into ended_invitations (workspace_id, user_id, uid, sender_email, sequence, ended_at)
     select $1, user_id, 'standup', lower($2), 0, now() from memberships where workspace_id = $1 and user_id <> $3 limit 1`,
    [north, anna.email, anna.id],
  );
  await sql(
    `insert into event_log (workspace_id, subject, type, body, created_at)
     values ($1, $2, 'message.created', '{"message": {"author": "Anna Ek"}}', now())`,
    [north, ticket],
  );
  const lock = { text: 'select from ticket_messages where workspace_id = $1 for update', values: [north] };
  await killAtLock(lock, 'user', 'erase', anna.email, '--yes');
  expect(await sql('select from tokens where user_id = $1', [anna.id])).toEqual([]);
  expect((await sql('select email from users where id = $1', [anna.id]))[0].email).toBe(anna.email);
  expect((await gateway.request('GET /v1/ping', { token: token.text })).body.error.code).toBe(
    'invalid_token',
  );

  const { rows } = await result('user', 'erase', anna.email, '--yes', '--actor', 'ines');
  expect(rows.users).toBe(1);
  const [user] = await sql('select * from users where id = $1', [anna.id]);
  expect(user).toMatchObject({
    ...{ name: 'Former user', email: 'former-user@erased.invalid', password_hash: null, avatar_url: null },
    ...{ language: 'en', timezone: 'UTC', deleted_at: expect.anything() },
  });
  for (const { table, column } of personalRows.filter(({ erasure }) => erasure !== 'keep'))
    expect(await sql(`select from ${table} where ${column} = $1`, [anna.id]), table).toEqual([]);
  expect(await sql('select author, body from ticket_messages where author_id = $1', [anna.id])).toEqual([
    { author: 'Former user', body: '/ai Be kind' },
  ]);
  await runDelayedSend(services, { workspace: north, ticket, id: 'tmsg_delayed' });
  expect(await sql(`select author from unsent_replies where id = 'tmsg_delayed'`)).toEqual([
    { author: 'Former user' },
  ]);
  expect(await sql(`select author, text, attachments from unsent_replies where id = 'tmsg_unsent'`)).toEqual([
    { author: 'Former user', text: 'Soon.', attachments: [expect.objectContaining({ deleted: true })] },
  ]);
  // The team shares her calendar, so it stays.
  expect(await sql('select name from calendars where owner_id = $1', [anna.id])).toEqual([{ name: 'Team' }]);
  expect(await sql(`select title, organizer_email from events where title = 'Standup'`)).toEqual([
    { title: 'Standup', organizer_email: 'former-user@erased.invalid' },
  ]);
  // Tables of firms, except mail, which is the firm's correspondence and keeps the addresses on it.
  for (const table of [
    ...firmTables.filter((name) => name !== 'mail_messages'),
    'users',
    'tokens',
    'devices',
  ]) {
    const found = await sql(
      `select from ${table} t where t::text ilike '%anna@north.example%' or t::text like '%Anna Ek%'`,
    );
    expect(found, table).toEqual([]);
  }
  expect(await sql('select active from memberships where user_id = $1', [anna.id])).toEqual([
    { active: false },
    { active: false },
  ]);
  const again = await ops('user', 'erase', anna.email, '--yes');
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('There is no account')]);
  expect(
    await result('audit', 'list', '--target', anna.id, '--firm', PLATFORM, '--limit', '1'),
  ).toMatchObject([{ action: 'user.erased', actor: 'ines' }]);
});

test('erases a trader: the ticket shows a former user, and a search no longer finds the name', async () => {
  await result('user', 'erase', 'ben@example.net', '--yes');
  await indexPendingTexts(services, { workspace: 'north' });
  const found = await sql(
    `select search_text from tickets where trader_id = 'usr_oldben' and search_text ~ '(ben|example.net|orn)'`,
  );
  expect(found).toEqual([]);
  expect(await sql(`select author from ticket_messages where author_id = 'usr_oldben' group by 1`)).toEqual([
    { author: 'Former user' },
  ]);
});

test('an erased account is not named in the test data that was made for it', async () => {
  const firm = await createWorkspace(services);
  const name = unique('Zelda Quist');
  const user = await createUser(services, { firm, permissions: ['view_tickets'], name });
  const { text } = await createToken(services, { user, workspace: firm.slug, environment: 'test' });
  expect(await addTestDataFor(services, text)).not.toBeNull();
  await result('user', 'erase', user.email, '--yes');
  for (const table of firmTables)
    expect(
      await sql(`select from ${table} t where position(lower($1) in lower(t::text)) > 0 or t::text like $2`, [
        user.email.split('@')[0],
        `%${name}%`,
      ]),
      table,
    ).toEqual([]);
});

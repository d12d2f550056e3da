import { PLATFORM } from '@firmdesk/contract';
import {
  deliverMail,
  indexPendingTexts,
  resumeFirm,
  startWorkers,
  suspendFirm,
  withTransaction,
} from '@firmdesk/domain';
import { importSeed } from '@firmdesk/seed';
import {
  createMailbox,
  createStaff,
  createTicket,
  createToken,
  createUser,
  createWorkspace,
} from '@firmdesk/testing';
import { openSocket, registerPhone, suitePushGateway } from '@firmdesk/testing/gateway';
import { expect, test, vi } from 'vitest';
import { firmTables } from '../../../../../packages/domain/src/app/tables.ts';
import { moveRequestedJobs } from '../../../../../packages/domain/src/platform/jobs/job-forwarder.ts';
import { smallSeed } from '../../../../../packages/seed/src/testing/small-seed.ts';
import { suiteCommands } from '../testing/suite-commands.ts';

const gateway = await suitePushGateway();
const { services } = gateway;
const { ops, result, killAtLock } = await suiteCommands(gateway);
const WAIT = { timeout: 120_000, interval: 50 };
const PASSWORD = 'correct horse battery';
const codeOf = async (target: string, token: string, workspace?: string) => {
  const answer = await gateway.request(target, { token, ...(workspace && { workspace }) });
  return answer.body.error?.code ?? null;
};
const sql = async (text: string, values: unknown[] = []) => (await services.pool.query(text, values)).rows;

/** A firm with an administrator, a mailbox, and a phone that gets its pushes. */
async function createDesk() {
  const firm = await createWorkspace(services);
  const admin = await createUser(services, { firm, permissions: ['view_tickets'], password: PASSWORD });
  const { text: token } = await createToken(services, { user: admin, workspace: firm.slug });
  const mailbox = await createMailbox(services, { firm, reads: [admin] });
  const phone = await registerPhone(gateway, admin, firm.slug, 'mail');
  const deliver = (subject: string) =>
    deliverMail(services, {
      raw: Buffer.from(`From: x@y.example\r\nTo: ${mailbox.email}\r\nSubject: ${subject}\r\n\r\nHello`),
      mailbox: mailbox.email,
      folder: 'inbox',
    });
  const pushes = () =>
    gateway.apns.received.filter(({ deviceToken }) => deviceToken === phone.deviceToken).length;
  return { firm, admin, token, deliver, pushes };
}

test('suspends a firm: refuses calls, ends streams, lets jobs and pushes wait; resuming continues them', async () => {
  const [desk, other] = [await createDesk(), await createDesk()];
  const { firm, admin, token } = desk;
  const staff = await createToken(services, {
    user: await createStaff(services, 'all'),
    workspace: PLATFORM,
  });
  const trader = await createUser(services, { firm, role: 'trader' });
  const ticket = await createTicket(services, { firm, trader });
  const sockets = [
    await openSocket(gateway.url, { params: { token } }),
    await openSocket(gateway.url, { params: { token: staff.text, workspace: firm.slug } }),
  ];
  for (const socket of sockets) await socket.call('subscription', 'tickets.stream', { ticket });
  const untouched = await openSocket(gateway.url, { params: { token: other.token } });
  await untouched.call('query', 'ping', {});
  // A job that is already in the queue when the firm is suspended, and one that is not.
  await desk.deliver('queued');
  await moveRequestedJobs(services.firmServers);

  expect(await result('firm', 'suspend', firm.slug)).toEqual({ slug: firm.slug, state: 'suspended' });
  for (const socket of sockets) expect((await socket.closed)[0]).toBe(1012);
  const refused = await openSocket(gateway.url, { params: { token } });
  expect(await refused.closed).toEqual([1013, 'workspace_not_permitted']);
  for (const target of ['GET /v1/ping', 'GET /v1/admin/tickets', 'GET /v1/me/calendar/events'])
    expect(await codeOf(target, token), target).toBe('workspace_not_permitted');
  expect(await codeOf('GET /v1/admin/tickets', staff.text, firm.slug)).toBe('workspace_not_permitted');
  expect(await codeOf('GET /v1/admin/tickets', staff.text, other.firm.slug)).toBe(null);
  const signIn = await gateway.request('POST /v1/sessions', {
    body: { email: admin.email, password: PASSWORD },
  });
  expect([signIn.status, signIn.body.error.code]).toEqual([403, 'workspace_not_permitted']);
  expect(await codeOf('GET /v1/ping', other.token)).toBe(null);
  await untouched.call('query', 'ping', {});
  untouched.ws.terminate();

  await desk.deliver('while suspended');
  await other.deliver('elsewhere');
  const worker = await startWorkers(services);
  try {
    await vi.waitFor(() => expect(other.pushes()).toBe(1), WAIT);
    await vi.waitFor(async () => {
      const waiting = await sql('select task from job_requests where workspace_id = $1', [firm.id]);
      expect(waiting.filter(({ task }) => task === 'push.mail')).toHaveLength(2);
    }, WAIT);
    expect(desk.pushes()).toBe(0);
    expect(
      (await result('firm', 'list')).find(({ slug }: { slug: string }) => slug === firm.slug).state,
    ).toBe('suspended');
    await result('firm', 'suspend', firm.slug, '--resume', '--actor', 'ines');
    await vi.waitFor(() => expect(desk.pushes()).toBe(2), WAIT);
  } finally {
    await worker.stop();
  }
  expect(await codeOf('GET /v1/ping', token)).toBe(null);
  const back = await openSocket(gateway.url, { params: { token } });
  await back.call('query', 'ping', {});
  back.ws.terminate();
  expect(await result('audit', 'list', '--firm', firm.slug, '--target', firm.slug)).toMatchObject([
    { action: 'firm.resumed', actor: 'ines' },
    { action: 'firm.suspended' },
    { action: 'firm.read_by_staff', after: { data: 'tickets' } },
    { action: 'firm.added' },
  ]);
  const change = (change: typeof suspendFirm, slug: string) =>
    withTransaction(services, (ctx) => change(ctx, slug));
  await expect(change(resumeFirm, firm.slug)).rejects.toThrow('must be a suspended firm');
  await expect(change(suspendFirm, PLATFORM)).rejects.toThrow('must be a firm');
  const unknown = await ops('firm', 'suspend', 'no-such-firm');
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no workspace no-such-firm')]);
});

/** Counts a firm's rows in each table of firms, and in the shared tables that name a firm. */
async function countRows(firm: number): Promise<Record<string, number>> {
  const columns = await sql(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
  );
  const names: string[] = columns.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...firmTables]));
  const counts: Record<string, number> = {};
  for (const name of names)
    counts[name] = (await sql(`select count(*)::int as n from ${name} where workspace_id = $1`, [firm]))[0].n;
  return counts;
}

test('deletes a suspended firm in batches, also after a kill, leaves no row of it and no row of another', async () => {
  await importSeed(services, smallSeed);
  const [north, south] = await sql(
    `select id from workspaces where slug in ('north', 'south') order by slug`,
  );
  const [anna] = await sql(`select id from users where email = 'Anna@north.example'`);
  // What neither an import nor this test's calls write.
  await sql(
    `insert into notification_mutes (workspace_id, user_id, kind) values ($1, $2, 'payout_requested')`,
    [north.id, anna.id],
  );
  await sql(
    `insert into unsent_reminders (workspace_id, event_id, user_id, minutes_before, channel, starts_at, reason, created_at)
     select workspace_id, id, $2, 5, 'email', now(), 'too_late', now() from events where workspace_id = $1 limit 1`,
    [north.id, anna.id],
  );
  await sql(
    `insert into push_outbox (token_id, app, type, subject, due_at, expires_at, created_at)
     select id, 'mail', 'test', 'x', now(), now(), now() from tokens where workspace_id = $1 and kind = 'device'`,
    [north.id],
  );
  await sql(
    `insert into assistant_runs (workspace_id, ticket_id, kind, state, status_before, last_message_at, created_at, ended_at)
     select workspace_id, id, 'answer', 'done', 'open', now(), now(), now() from tickets where workspace_id = $1`,
    [north.id],
  );
  await sql(`insert into event_log_heads (workspace_id, position) values ($1, 0) on conflict do nothing`, [
    north.id,
  ]);
  await sql(
    `insert into event_log (workspace_id, subject, type, body, created_at) values ($1, 'tkt_a', 'x', '{}', now())`,
    [north.id],
  );
  await sql(
    `insert into job_requests (workspace_id, task, payload, run_at) values ($1, 'push.mail', '{}', now())`,
    [north.id],
  );
  await sql(
    `insert into assistant_usage (workspace_id, month, used) values ($1, now(), 1) on conflict do nothing`,
    [north.id],
  );
  await sql(
    `insert into delayed_sends (workspace_id, id, ticket_id, author_id, author, body, created_at)
     select workspace_id, 'tmsg_delayed', id, $2, 'Anna', 'Paid.', now() from tickets where workspace_id = $1 limit 1`,
    [north.id, anna.id],
  );
  await sql(
    `insert into unsent_replies (workspace_id, id, ticket_id, author_id, author, text, image_url, image_name, attachments, reason,
       written_at, unsent_at)
     select workspace_id, 'tmsg_unsent', id, $2, 'Anna', 'Paid.', '', '', '[]', 'dismissed', now(), now() from tickets
     where workspace_id = $1 limit 1`,
    [north.id, anna.id],
  );
  await sql(
    `insert into ticket_links (workspace_id, ticket_id, other_id, created_at)
     select workspace_id, min(id), max(id), now() from tickets where workspace_id = $1 group by 1`,
    [north.id],
  );
  await sql(
    `insert into attachments (workspace_id, id, ticket_id, uploader_id, name, type, size, created_at, uploaded_at)
     select workspace_id, 'att_north', id, $2, 'payout.pdf', 'application/pdf', 5, now(), now()
     from tickets where workspace_id = $1 limit 1`,
    [north.id, anna.id],
  );
  await sql(
    `insert into trader_profiles (workspace_id, user_id, data, layout, updated_at) values ($1, $2, '{}', '[]', now())`,
    [north.id, anna.id],
  );
  await sql(
    `insert into macros (workspace_id, id, position, name, name_key, texts, tag_ids, assigns_author, created_at)
     values ($1, 'mac_paid', 1, 'Paid', 'paid', '[]', '{}', false, now())`,
    [north.id],
  );
  await sql(
    `insert into bulk_changes (workspace_id, id, user_id, action, tickets, created_at)
     values ($1, 'blk_north1', $2, '{"set": "priority", "priority": "high"}', 1, now())`,
    [north.id, anna.id],
  );
  await sql(
    `insert into bulk_change_batches (workspace_id, bulk_change_id, position, tickets) values ($1, 'blk_north1', 0, '{tkt_a}')`,
    [north.id],
  );
  await sql(
    `insert into ticket_views (workspace_id, id, user_id, name, search, created_at) values ($1, 'view_north1', $2, 'Mine', '{}', now())`,
    [north.id, anna.id],
  );
  await sql(
    `insert into ticket_view_orders (workspace_id, user_id, views) values ($1, $2, '{view_north1}')`,
    [north.id, anna.id],
  );
  await sql('insert into agent_availability (workspace_id, user_id, available) values ($1, $2, false)', [
    north.id,
    anna.id,
  ]);
  await sql(
    `insert into assignment_turns (workspace_id, team_id, user_id, turn)
     select workspace_id, id, $2, 1 from teams where workspace_id = $1 limit 1`,
    [north.id, anna.id],
  );
  await sql(
    `insert into waiting_assignments (workspace_id, ticket_id, team_id)
     select t.workspace_id, t.id, m.id from tickets t join teams m on m.workspace_id = t.workspace_id
     where t.workspace_id = $1 limit 1`,
    [north.id],
  );
  await sql(
    `insert into ticket_rules (workspace_id, id, position, name, is_on, trigger, conditions, actions, stops, author_id, created_at)
     values ($1, 'rule_late1', 1, 'Late', false, '{}', '{}', '[]', false, $2, now())`,
    [north.id, anna.id],
  );
  await sql(
    `insert into rule_events (workspace_id, ticket_id, kind, body, chain, due_at)
     select workspace_id, id, 'waiting', '{}', '{}', now() + interval '1 day' from tickets where workspace_id = $1 limit 1`,
    [north.id],
  );
  await sql('insert into rule_usage (workspace_id, hour, effects) values ($1, now(), 1)', [north.id]);
  await sql(
    `insert into ticket_followers (workspace_id, ticket_id, user_id, created_at)
     select workspace_id, id, $2, now() from tickets where workspace_id = $1 limit 1`,
    [north.id, anna.id],
  );
  await sql(
    `insert into reply_drafts (workspace_id, user_id, ticket_id, mode, text, image_url, image_name, version, updated_at)
     select workspace_id, $2, id, 'reply', 'Paid', '', '', 'a', now() from tickets where workspace_id = $1 limit 1`,
    [north.id, anna.id],
  );
  await sql(
    `insert into mail_thread_tags (workspace_id, thread_id, tag_id)
     select t.workspace_id, t.id, g.id from mail_threads t join tags g on g.workspace_id = t.workspace_id
     where t.workspace_id = $1 limit 1`,
    [north.id],
  );
  await sql(
    `insert into outgoing_messages (workspace_id, id, message_id, author_id, send_at)
     select workspace_id, id, id, $2, now() from mail_messages where workspace_id = $1 limit 1`,
    [north.id, anna.id],
  );
  await sql(
    `insert into outgoing_recipients (workspace_id, message_id, position, email)
     select workspace_id, id, 0, 'olga@org.test' from outgoing_messages where workspace_id = $1`,
    [north.id],
  );
  await sql(`insert into mail_usage (workspace_id, user_id, day, sent) values ($1, $2, now(), 1)`, [
    north.id,
    anna.id,
  ]);
  await sql(
    `insert into outgoing_messages (workspace_id, id, user_id, kind, about, content, send_at, send_until)
     values ($1, 'reminder', $2, 'event_reminder', 'event', '{}', now(), now())`,
    [north.id, anna.id],
  );
  await sql(
    `insert into invites (workspace_id, id, email, permissions, invited_by, created_at, expires_at)
     values ($1, 'inv_olga', 'olga@org.test', '{}', $2, now(), now())`,
    [north.id, anna.id],
  );
  await sql(
    `insert into data_requests (workspace_id, id, kind, person_id, requested_by, created_at)
     values ($1, 'dreq_north1', 'export_person', $2, $2, now())`,
    [north.id, anna.id],
  );
  await sql(
    `insert into sign_in_providers (workspace_id, issuer, client_id, client_secret, updated_at)
     values ($1, 'https://id.north.test', 'desk', '', now())`,
    [north.id],
  );
  await sql(
    `insert into sign_in_domains (workspace_id, domain, proof, created_at) values ($1, 'north.test', 'a', now())`,
    [north.id],
  );
  await sql(
    `insert into provider_accounts (workspace_id, issuer, subject, user_id, created_at)
     values ($1, 'https://id.north.test', 'anna', $2, now())`,
    [north.id, anna.id],
  );
  await sql(
    `insert into report_days (workspace_id, dimension, team, day, value, created, hours, first_responses, resolutions, reply_times,
       first_response_met, first_response_missed, resolution_met, resolution_missed, ended, ended_by_assistant, ended_after_handover,
       assistant_answers, replies, uses, scores)
     values ($1, 'all', -1, '2026-01-01', '', 0, '{}', '{}', '{}', '{}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '{}')`,
    [north.id],
  );
  await sql(
    `insert into report_progress (workspace_id, settings, counted_at, recounted_at) values ($1, '{}', now(), now())`,
    [north.id],
  );
  await sql(
    'insert into ticket_ratings (workspace_id, ticket_id) select workspace_id, id from tickets where workspace_id = $1 limit 1',
    [north.id],
  );
  await sql(
    `insert into webhook_endpoints (workspace_id, id, url, description, events, secret, created_at)
     values ($1, 'whe_north1', 'https://north.test', '', '{}', '', now())`,
    [north.id],
  );
  await sql(
    `insert into webhook_events (workspace_id, id, type, subject, person, data, is_dispatched, created_at)
     values ($1, 'evt_north1', 'ticket.created', 'tkt_a', '', '{}', true, now())`,
    [north.id],
  );
  await sql(
    `insert into webhook_deliveries (workspace_id, id, endpoint_id, event_id, position, type, subject, created_at, started_at, due_at)
     select workspace_id, 'whd_north1', 'whe_north1', id, position, type, subject, now(), now(), now()
     from webhook_events where workspace_id = $1`,
    [north.id],
  );
  await sql(
    `insert into knowledge_articles (workspace_id, id, title, text, words, updated_at)
     values ($1, 'art_north1', 'Payouts', 'On Monday', '{}', now())`,
    [north.id],
  );
  await sql(
    `insert into ended_invitations (workspace_id, user_id, uid, sender_email, sequence, ended_at)
     values ($1, $2, 'a', 'olga@org.test', 0, now())`,
    [north.id, anna.id],
  );
  await indexPendingTexts(services, { workspace: 'north' });
  const refused = await ops('firm', 'delete', 'north', '--yes');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('suspend it first')]);
  await result('firm', 'suspend', 'north');
  const unconfirmed = await ops('firm', 'delete', 'north');
  expect([unconfirmed.code, unconfirmed.stderr]).toEqual([1, expect.stringContaining('Add --yes')]);
  const full = await countRows(north.id);
  expect(Object.keys(full).filter((table) => full[table] === 0)).toEqual(['staff_firms']);
  const elsewhere = await countRows(south.id);

  // A lock stops the deletion in the middle, so that the kill hits it there.
  const lock = { text: 'select from tickets where workspace_id = $1 for update', values: [north.id] };
  await killAtLock(lock, 'firm', 'delete', 'north', '--yes');
  const half = await countRows(north.id);
  expect([half['tokens'], half['ticket_messages'], half['memberships']]).toEqual([0, 0, full['memberships']]);
  const list = await result('firm', 'list');
  expect(list.find(({ slug }: { slug: string }) => slug === 'north').state).toBe('deleting');
  const resumed = await ops('firm', 'suspend', 'north', '--resume');
  expect([resumed.code, resumed.stderr]).toEqual([1, expect.stringContaining('deletion has not begun')]);

  const { deleted } = await result('firm', 'delete', 'north', '--yes', '--actor', 'ines');
  // The server may have finished the statement of the killed process. It cannot have begun later ones.
  expect(deleted.mailboxes).toBeGreaterThan(0);
  const left = await countRows(north.id);
  expect(Object.values(left).every((rows) => rows === 0)).toBe(true);
  expect(
    await sql('select from push_outbox o where not exists (select from tokens t where t.id = o.token_id)'),
  ).toEqual([]);
  expect(await sql(`select from workspaces where slug = 'north'`)).toEqual([]);
  expect(await countRows(south.id)).toEqual(elsewhere);
  // Anna is a member of south, Ben the trader of a ticket there.
  expect(
    await sql(`select email from users where email in ('Anna@north.example', 'ben@example.net') order by 1`),
  ).toEqual([{ email: 'Anna@north.example' }, { email: 'ben@example.net' }]);
  const again = await ops('firm', 'delete', 'north', '--yes');
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('There is no workspace north')]);
  expect(await result('audit', 'list', '--firm', PLATFORM, '--target', 'north')).toMatchObject([
    { action: 'firm.deleted', actor: 'ines' },
    { action: 'firm.deletion_started' },
  ]);
});

test('erases the accounts that only the deleted firm knew', async () => {
  const { firm, admin, token } = await createDesk();
  await result('firm', 'suspend', firm.slug);
  await result('firm', 'delete', firm.slug, '--yes');
  expect(
    await sql(
      'select name, email, password_hash, deleted_at is not null as deleted from users where id = $1',
      [admin.id],
    ),
  ).toEqual([
    { name: 'Former user', email: 'former-user@erased.invalid', password_hash: null, deleted: true },
  ]);
  expect(await codeOf('GET /v1/ping', token)).toBe('invalid_token');
});

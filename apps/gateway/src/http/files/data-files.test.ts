/** What a firm asks for with stored data: exports, erasures, and its own deletion. */
import { dataFilePath, FIRM_DELETION_DAYS, permissions, scopes } from '@firmdesk/contract';
import { startWorkers } from '@firmdesk/domain';
import { exportFirm } from '@firmdesk/seed';
import {
  createMailbox,
  createStaff,
  createTicket,
  createToken,
  createUser,
  createWorkspace,
  dismiss,
  type TestUser,
} from '@firmdesk/testing';
import { type Firm, notificationsOf, suiteGateway } from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eraseAccount } from '../../../../../packages/domain/src/app/accounts/erase-account.ts';
import { deleteDueFirms } from '../../../../../packages/domain/src/app/firms/schedule-deletion.ts';
import { retentions } from '../../../../../packages/domain/src/app/retention.ts';

const gateway = await suiteGateway();
const { services } = gateway;
services.exportFirm = exportFirm;
const WAIT = { timeout: 60_000, interval: 100 };
const DAY_MS = 86_400_000;
let worker: Awaited<ReturnType<typeof startWorkers>>;
beforeAll(async () => {
  worker = await startWorkers(services);
});
afterAll(() => worker.stop());

let firm: Firm;
let admin: TestUser;
let token: string;
const sessionOf = async (user: TestUser, workspace: string) =>
  (await createToken(services, { user, workspace, kind: 'device', scopes: [...scopes] })).text;
beforeEach(async () => {
  firm = await createWorkspace(services);
  admin = await createUser(services, { firm, permissions: [...permissions] });
  token = await sessionOf(admin, firm.slug);
});

const rpc = (procedure: string, body: object = {}, as = token) =>
  gateway.rpc(`firm.data.${procedure}`, { token: as, body });
const call = async (procedure: string, body: object = {}, as = token) => {
  const answer = await rpc(procedure, body, as);
  expect(answer.code, answer.text).toBeNull();
  return answer.data;
};
const download = (id: string, as = token, slug = firm.slug) =>
  fetch(`${gateway.url}${dataFilePath(slug, id)}`, { headers: { authorization: `Bearer ${as}` } });
/** Waits for the end of a request, as its list shows it. */
const finished = async (list: string, id: string) => {
  const find = async () => (await call(list)).data.find((one: { id: string }) => one.id === id);
  await expect.poll(async () => (await find())?.finished_at ?? null, WAIT).not.toBeNull();
  return find();
};
// biome-ignore lint/suspicious/noExplicitAny: rows of any table
const sql = async (text: string, values: unknown[] = []): Promise<any[]> =>
  (await services.pool.query(text, values)).rows;
const dismissed = () => dismiss(services, admin);
const lessPermitted = () =>
  sql(`update memberships set permissions = array_remove(permissions, 'view_tickets') where user_id = $1`, [
    admin.id,
  ]);
const actionsOf = async (firmId: number) =>
  (await sql('select action from audit_events where workspace_id = $1 order by id', [firmId])).map(
    ({ action }) => action,
  );

describe('the export of a person', () => {
  test('has what this firm stores, and nothing of another; its file needs the permission and the firm, and ends', async () => {
    const other = await createWorkspace(services);
    const trader = await createUser(services, { firm, role: 'trader', name: 'Tam Trader' });
    await sql(
      `insert into memberships (workspace_id, user_id, role, active, permissions, created_at) values ($1, $2, 'trader', true, '{}', now())`,
      [other.id, trader.id],
    );
    await createTicket(services, { firm, trader, messages: [{ body: 'Where is my payout?' }] });
    await createTicket(services, { firm: other, trader, messages: [{ body: 'A secret of the other firm' }] });
    const { id } = await call('person.export', { id: trader.id });
    expect(await call('person.export', { id: trader.id })).toMatchObject({ id });
    const done = await finished('person.requests', id);
    expect(done).toMatchObject({
      kind: 'export_person',
      state: 'done',
      person: { id: trader.id, name: 'Tam Trader' },
      requested_by: { id: admin.id },
      counts: { account: 1, conversation: 1 },
    });
    const file = await download(id);
    expect([file.status, file.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringContaining('attachment; filename="usr_'),
    ]);
    const text = await file.text();
    expect(Buffer.byteLength(text)).toBe(done.file.size);
    expect(text).toContain('Where is my payout?');
    expect(text).not.toMatch(/secret of the other firm|password|_hash/);
    expect(text).not.toContain(other.slug);

    const colleague = await createUser(services, { firm, permissions: ['manage_settings', 'view_tickets'] });
    const asColleague = await sessionOf(colleague, firm.slug);
    const answerTo = async (of: string) => {
      const answer = await download(of, asColleague);
      return [answer.status, ((await answer.json()) as { error: object }).error];
    };
    expect(await answerTo(id)).toEqual(await answerTo(`${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`));
    const stranger = await createUser(services, { firm: other, permissions: [...permissions] });
    const elsewhere = await sessionOf(stranger, other.slug);
    expect((await download(id, elsewhere, other.slug)).status).toBe(404);
    expect((await download(id, elsewhere)).status).toBe(403);
    expect(await rpc('person.export', { id: trader.id }, elsewhere)).toMatchObject({ code: null });
    expect(await rpc('person.export', { id: admin.id }, elsewhere)).toMatchObject({
      code: 'resource_not_found',
    });
    await sql(`update tokens set verified_at = now() - interval '1 day' where workspace_id = $1`, [firm.id]);
    expect(await rpc('person.export', { id: trader.id })).toMatchObject({ code: 'fresh_sign_in_required' });
    const stale = await download(id);
    expect([stale.status, await stale.json()]).toMatchObject([
      403,
      { error: { code: 'fresh_sign_in_required' } },
    ]);
    await sql('update tokens set verified_at = now() where workspace_id = $1', [firm.id]);
    expect(await actionsOf(firm.id)).toEqual(
      expect.arrayContaining(['user.exported', 'user.export_downloaded']),
    );

    await retentions
      .find(({ kind }) => kind === 'data_requests')!
      .prune(services, new Date(services.clock.now().getTime() + DAY_MS), 1_000);
    expect((await download(id)).status).toBe(404);
    expect(await call('person.requests')).toEqual({ data: [] });
  });
});

test.each([
  ['export', 'exports'],
  ['person.export', 'person.requests'],
])('%s replaces the file of the export before', async (name, list) => {
  const [one, other] = [
    await createUser(services, { firm, role: 'trader' }),
    await createUser(services, { firm, role: 'trader' }),
  ];
  const exported = async (person: TestUser) => {
    const { id } = await call(name, name === 'export' ? {} : { id: person.id });
    await finished(list, id);
    return id;
  };
  const [first, second] = [await exported(one), await exported(one)];
  expect([(await download(first)).status, (await download(second)).status]).toEqual([404, 200]);
  const { data } = await call(list);
  const withFile = data.filter(({ file }: { file: object | null }) => file !== null);
  expect([data.length, withFile.map(({ id }: { id: string }) => id)]).toEqual([2, [second]]);
  if (name === 'export') return;
  await exported(other);
  expect((await download(second)).status, 'of another person').toBe(200);
});

describe('an export', () => {
  test('is made for, and read by, those only who may see what is in it', async () => {
    const trader = await createUser(services, { firm, role: 'trader', name: 'Tam Trader' });
    const asWith = async (...held: (typeof permissions)[number][]) =>
      sessionOf(await createUser(services, { firm, permissions: held }), firm.slug);
    const ofPeople = await asWith('manage_members');
    const ofSettings = await asWith('manage_settings');
    const lead = await asWith('manage_members', 'view_tickets', 'view_affiliates');
    const almost = await asWith(...permissions.slice(1));
    const peer = await createUser(services, { firm, permissions: [] });
    const former = await createUser(services, { firm, permissions: ['view_payouts'] });
    await dismiss(services, former);
    for (const [procedure, as, input] of [
      ['person.export', ofPeople, { id: trader.id }],
      // No permission covers the calendars, the drafts and the mail of colleagues: who exports them holds all.
      ['person.export', lead, { id: admin.id }],
      ['person.export', lead, { id: peer.id }],
      ['person.export', lead, { id: former.id }],
      ['export', ofSettings, {}],
      ['export', almost, {}],
    ] as const)
      expect(await rpc(procedure, input, as), procedure).toMatchObject({ code: 'forbidden' });
    const person = await call('person.export', { id: trader.id }, lead);
    await finished('person.requests', person.id);
    const colleague = await call('person.export', { id: former.id });
    await finished('person.requests', colleague.id);
    const whole = await call('export');
    await finished('exports', whole.id);
    expect((await download(person.id, ofPeople)).status).toBe(404);
    expect((await download(person.id, lead)).status).toBe(200);
    expect((await download(colleague.id, lead)).status).toBe(404);
    for (const as of [ofSettings, almost]) expect((await download(whole.id, as)).status).toBe(404);
    // The lists offer the files that the caller can read, and no others.
    const offered = async (list: string, as: string) =>
      (await call(list, {}, as)).data.flatMap(({ id, file }: { id: string; file: object | null }) =>
        file === null ? [] : [id],
      );
    expect(await offered('person.requests', ofPeople)).toEqual([]);
    expect(await offered('person.requests', lead)).toEqual([person.id]);
    expect((await offered('person.requests', token)).sort()).toEqual([person.id, colleague.id].sort());
    expect(await offered('exports', ofSettings)).toEqual([]);
    expect(await offered('exports', token)).toEqual([whole.id]);
  });

  test('of oneself needs no more than that of a trader', async () => {
    const lead = await createUser(services, {
      firm,
      permissions: ['manage_members', 'view_tickets', 'view_affiliates'],
    });
    const asLead = await sessionOf(lead, firm.slug);
    const { id } = await call('person.export', { id: lead.id }, asLead);
    await finished('person.requests', id);
    expect((await call('person.requests', {}, asLead)).data).toMatchObject([{ id, file: {} }]);
    expect((await download(id, asLead)).status).toBe(200);
  });

  test('and an erasure do not run for a person who holds more by then than who asked', async () => {
    const held = ['manage_members', 'view_tickets', 'view_affiliates'] as const;
    const asLead = await sessionOf(await createUser(services, { firm, permissions: [...held] }), firm.slug);
    const peer = await createUser(services, { firm, role: 'trader' });
    const setRole = (role: string, held: string) =>
      sql('update memberships set role = $2, permissions = $3 where user_id = $1', [peer.id, role, held]);
    for (const [name, body] of [
      ['person.export', { id: peer.id }],
      ['person.erase', { id: peer.id, email: peer.email }],
    ] as const) {
      await setRole('trader', '{}');
      await worker.stop();
      const { id } = await call(name, body, asLead);
      await setRole('admin', '{view_tickets,manage_settings}');
      worker = await startWorkers(services);
      expect(await finished('person.requests', id), name).toMatchObject({ state: 'failed' });
    }
  });

  test('tells nobody where pushes to a device go', async () => {
    const member = await createUser(services, { firm, permissions: [] });
    const { id: session } = await createToken(services, {
      user: member,
      workspace: firm.slug,
      kind: 'device',
    });
    await sql(
      `insert into devices (token_id, app, user_id, workspace_id, environment, device_token, created_at, last_seen_at)
       values ($1, 'mail', $2, $3, 'production', 'abcdef0123456789', now(), now())`,
      [session, member.id, firm.id],
    );
    const { id } = await call('person.export', { id: member.id });
    expect(await finished('person.requests', id)).toMatchObject({ counts: { device: 1 } });
    expect(await (await download(id)).text()).not.toContain('abcdef0123456789');
  });
});

describe('the erasure of a person', () => {
  /** A ticket with a message of the trader, as the platform delivers it. */
  const write = async (at: Firm, trader: TestUser) => {
    const ticket = await createTicket(services, {
      firm: at,
      trader,
      messages: [{ body: 'Where is my payout?' }],
    });
    await sql('update ticket_messages set author_id = $3 where workspace_id = $1 and ticket_id = $2', [
      at.id,
      ticket,
      trader.id,
    ]);
    return ticket;
  };
  const erase = async (person: TestUser) => {
    const { id } = await call('person.erase', { id: person.id, email: person.email.toUpperCase() });
    return finished('person.requests', id);
  };

  test('shows first what goes and what stays, needs the address, and leaves nothing of the account', async () => {
    const trader = await createUser(services, { firm, role: 'trader', name: 'Tam Trader' });
    const ticket = await write(firm, trader);
    const exported = await call('person.export', { id: trader.id });
    await finished('person.requests', exported.id);
    const preview = await call('person.previewErasure', { id: trader.id });
    expect(preview).toMatchObject({ id: trader.id, name: 'Tam Trader', email: trader.email });
    expect(preview.changes).toEqual(
      expect.arrayContaining([
        { table: 'tickets', effect: 'kept', rows: 1 },
        { table: 'ticket_messages', effect: 'kept', rows: null },
      ]),
    );
    expect(await rpc('person.erase', { id: trader.id, email: 'tam@x.example' })).toMatchObject({
      code: 'validation_failed',
    });
    expect(await rpc('person.erase', { id: admin.id, email: admin.email })).toMatchObject({
      code: 'validation_failed',
    });
    const done = await erase(trader);
    expect(done).toMatchObject({ kind: 'erase_person', state: 'done', counts: { users: 1 } });
    expect(done.person.name).toBe('Former user');
    const [row] = await sql(
      'select u.name, u.email, u.deleted_at is not null as deleted, t.search_text from tickets t join users u on u.id = t.trader_id where t.workspace_id = $1 and t.id = $2',
      [firm.id, ticket],
    );
    expect(row).toMatchObject({ name: 'Former user', deleted: true });
    expect(row.search_text).not.toContain('tam');
    // The file would outlive the person.
    expect((await download(exported.id)).status).toBe(404);
    expect(await actionsOf(firm.id)).toEqual(
      expect.arrayContaining(['user.erasure_requested', 'user.erased']),
    );
  });

  test('leaves an account that another firm has, and looks the same as for one that none has', async () => {
    const other = await createWorkspace(services);
    const [shared, own] = [
      await createUser(services, { firm, role: 'trader', name: 'Tam Trader' }),
      await createUser(services, { firm, role: 'trader', name: 'Tom Trader' }),
    ];
    await sql(
      `insert into memberships (workspace_id, user_id, role, active, permissions, created_at) values ($1, $2, 'trader', true, '{}', now())`,
      [other.id, shared.id],
    );
    await write(firm, shared);
    await write(firm, own);
    const there = await write(other, shared);
    const sessionThere = await createToken(services, { user: shared, workspace: other.slug, kind: 'device' });
    const [first, second] = [await erase(shared), await erase(own)];
    expect(first.counts).toEqual(second.counts);
    expect(first.person.name).toBe('Former user');
    for (const person of [shared, own])
      expect(await rpc('person.previewErasure', { id: person.id })).toMatchObject({
        code: 'resource_not_found',
      });
    expect(
      await sql(`select from tickets where workspace_id = $1 and trader_id = $2`, [firm.id, shared.id]),
    ).toEqual([]);
    const names = await sql(
      `select distinct u.name, m.author from ticket_messages m join tickets t on t.workspace_id = m.workspace_id and t.id = m.ticket_id
       join users u on u.id = t.trader_id where m.workspace_id = $1`,
      [firm.id],
    );
    expect(names).toEqual([{ name: 'Former user', author: 'Former user' }]);
    expect(
      await sql(
        'select u.name, u.deactivated_at from tickets t join users u on u.id = t.trader_id where t.workspace_id = $1 and t.id = $2',
        [other.id, there],
      ),
    ).toEqual([{ name: 'Tam Trader', deactivated_at: null }]);
    expect((await gateway.request('GET /v1/ping', { token: sessionThere.text })).status).toBe(200);
  });

  test.each([['in this firm only'], ['in another firm, too']])(
    'is done if the worker was killed after its last commit: an account %s',
    async (where) => {
      const trader = await createUser(services, { firm, role: 'trader', name: 'Tam Trader' });
      if (where !== 'in this firm only')
        await sql(
          `insert into memberships (workspace_id, user_id, role, active, permissions, created_at) values ($1, $2, 'trader', true, '{}', now())`,
          [(await createWorkspace(services)).id, trader.id],
        );
      await write(firm, trader);
      await worker.stop();
      const { id } = await call('person.erase', { id: trader.id, email: trader.email });
      const actor = { kind: 'account', id: admin.id } as const;
      await eraseAccount(services, trader.id, { actor, firm: firm.slug });
      worker = await startWorkers(services);
      expect(await finished('person.requests', id)).toMatchObject({
        state: 'done',
        problem: null,
        person: { name: 'Former user' },
      });
      expect((await actionsOf(firm.id)).filter((action) => action === 'user.erased')).toHaveLength(1);
    },
  );

  test('is refused for a member who holds more than the caller, and ends when the caller loses the permission', async () => {
    const lead = await createUser(services, { firm, permissions: ['manage_members'] });
    const asLead = await sessionOf(lead, firm.slug);
    expect(await rpc('person.erase', { id: admin.id, email: admin.email }, asLead)).toMatchObject({
      code: 'forbidden',
    });
    await worker.stop();
    const trader = await createUser(services, { firm, role: 'trader', name: 'Tam Trader' });
    const { id } = await call('person.erase', { id: trader.id, email: trader.email }, asLead);
    await sql(`update memberships set permissions = '{}' where workspace_id = $1 and user_id = $2`, [
      firm.id,
      lead.id,
    ]);
    worker = await startWorkers(services);
    expect(await finished('person.requests', id)).toMatchObject({
      state: 'failed',
      problem: 'Who asked for it may no longer do so.',
      person: { name: 'Tam Trader' },
    });
  });
});

describe('the firm', () => {
  test('tells those who change its settings, and nobody else, that a colleague exports it', async () => {
    const colleague = await createUser(services, { firm, permissions: ['manage_settings'] });
    await createUser(services, { firm, permissions: ['manage_members', 'view_tickets'] });
    await call('export');
    expect(await notificationsOf(gateway, firm)).toEqual([
      { user_id: colleague.id, title: expect.stringMatching(/. exports this firm$/) },
    ]);
  });

  test('is exported as an import file', async () => {
    await createMailbox(services, { firm, reads: [admin] });
    const trader = await createUser(services, { firm, role: 'trader', name: 'Tam Trader' });
    await createTicket(services, { firm, trader, messages: [{ body: 'Where is my payout?' }] });
    const erasure = await call('person.erase', { id: trader.id, email: trader.email });
    await finished('person.requests', erasure.id);
    const { id } = await call('export');
    const done = await finished('exports', id);
    expect(done).toMatchObject({ kind: 'export_firm', state: 'done', counts: { firms: 1, mailboxes: 1 } });
    const file = await download(id);
    expect(await file.json()).toMatchObject({ firms: [{ slug: firm.slug }] });
    expect(await actionsOf(firm.id)).toEqual(
      expect.arrayContaining(['firm.exported', 'firm.export_downloaded']),
    );
    const colleague = await createUser(services, { firm, permissions: ['manage_members'] });
    expect((await download(id, await sessionOf(colleague, firm.slug))).status).toBe(404);
  });

  test('works for seven days after its deletion was asked for, everybody who can cancel is told, and then it is deleted', async () => {
    const colleague = await createUser(services, { firm, permissions: ['manage_settings'] });
    const asColleague = await sessionOf(colleague, firm.slug);
    const [{ name }] = await sql('select name from workspaces where id = $1', [firm.id]);
    expect(await rpc('scheduleDeletion', { name }, asColleague)).toMatchObject({ code: 'forbidden' });
    expect(await rpc('scheduleDeletion', { name: 'Another firm' })).toMatchObject({
      code: 'validation_failed',
    });
    const scheduled = await call('scheduleDeletion', { name });
    expect(scheduled).toMatchObject({ requested_by: { id: admin.id } });
    expect(Date.parse(scheduled.due_at) - services.clock.now().getTime()).toBe(FIRM_DELETION_DAYS * DAY_MS);
    expect(await call('scheduleDeletion', { name })).toEqual(scheduled);
    expect(await notificationsOf(gateway, firm)).toMatchObject([{ user_id: colleague.id }]);
    const mails = async () =>
      (
        await sql(
          `select user_id from outgoing_messages where workspace_id = $1 and kind = 'firm_deletion'`,
          [firm.id],
        )
      ).map(({ user_id }) => user_id);
    expect((await mails()).sort()).toEqual([admin.id, colleague.id].sort());
    const staffToken = await sessionOf(await createStaff(services, 'all'), 'platform');
    const listed = await gateway.rpc('staff.firms.list', { token: staffToken, body: { q: firm.slug } });
    expect(listed.data.data).toMatchObject([{ state: 'served', deletion_due_at: scheduled.due_at }]);

    gateway.clock.advance(FIRM_DELETION_DAYS * DAY_MS - 1_000);
    await deleteDueFirms(services);
    expect(await call('deletion', {}, asColleague)).toEqual(scheduled);
    expect(await call('cancelDeletion', {}, asColleague)).toMatchObject({ due_at: null, requested_by: null });
    gateway.clock.advance(2_000);
    await deleteDueFirms(services);
    expect((await gateway.request('GET /v1/ping', { token })).status).toBe(200);
    token = await sessionOf(admin, firm.slug);
    await call('scheduleDeletion', { name });
    gateway.clock.advance(FIRM_DELETION_DAYS * DAY_MS);
    await deleteDueFirms(services);
    expect(await sql('select from workspaces where id = $1', [firm.id])).toEqual([]);
    expect((await gateway.request('GET /v1/ping', { token })).status).toBe(401);
    expect(
      await sql(`select action from audit_events where target_id = $1 and action = 'firm.deleted'`, [
        firm.slug,
      ]),
    ).toHaveLength(1);
  });

  test.each([
    ['was dismissed', dismissed],
    ['no longer holds every permission', lessPermitted],
  ])('is not deleted for somebody who %s; their colleagues are told', async (_, changed) => {
    const colleague = await createUser(services, { firm, permissions: ['manage_settings'] });
    const asColleague = await sessionOf(colleague, firm.slug);
    const [{ name }] = await sql('select name from workspaces where id = $1', [firm.id]);
    await call('scheduleDeletion', { name });
    await changed();
    gateway.clock.advance(FIRM_DELETION_DAYS * DAY_MS);
    await deleteDueFirms(services);
    expect(await call('deletion', {}, asColleague)).toMatchObject({ due_at: null, requested_by: null });
    const told = (await notificationsOf(gateway, firm)).map(({ user_id }) => user_id);
    expect(told.filter((id) => id === colleague.id)).toHaveLength(2);
    expect(await actionsOf(firm.id)).toContain('firm.deletion_cancelled');
  });
});

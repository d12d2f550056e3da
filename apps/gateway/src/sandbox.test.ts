/** Test tokens act in the sandbox of their firm: with its own rows, and without calls to Apple or a language model. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type Permission, PLATFORM, permissions } from '@firmdesk/contract';
import {
  addTestDataFor,
  createModelAssistant,
  dismissMember,
  issueKey,
  listWorkspaces,
  startWorkers,
  type TestData,
  withTransaction,
} from '@firmdesk/domain';
import {
  createStaff,
  createTicket,
  createToken,
  createUser,
  createWorkspace,
  startFakeOpenAiServer,
  type TestUser,
} from '@firmdesk/testing';
import type { Firm } from '@firmdesk/testing/gateway';
import {
  createTestProvider,
  createUserWithPassword,
  followTicket,
  openApnsServer,
  openSocket,
  PASSWORD,
  suiteGateway,
} from '@firmdesk/testing/gateway';
import { afterAll, describe, expect, test, vi } from 'vitest';

const apns = await openApnsServer();
const model = await startFakeOpenAiServer();
model.behave({ kind: 'reply', words: ['It is', ' on its way.'] });
const gateway = await suiteGateway({
  push: createTestProvider(apns, { requestTimeoutMs: 30_000 }),
  assistant: createModelAssistant({ baseUrl: model.baseUrl, apiKey: null, model: 'stand-in' }),
});
const { services } = gateway;
const worker = await startWorkers(services);
afterAll(async () => {
  await worker.stop();
  await apns[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});
const SOON = { timeout: 60_000, interval: 50 };

interface Tester {
  firm: Firm;
  user: TestUser;
  /** Keys of the account for the firm. */
  live: string;
  test: string;
  data: TestData;
}

/** Creates an administrator of a new firm with a live key, and a test key with test data. */
async function createTester(held: readonly Permission[] = permissions): Promise<Tester> {
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm, permissions: [...held] });
  const keyOf = async (environment: 'live' | 'test') =>
    (await createToken(services, { user, workspace: firm.slug, environment })).text;
  const testKey = await keyOf('test');
  const data = await addTestDataFor(services, testKey);
  return { firm, user, live: await keyOf('live'), test: testKey, data: data! };
}

const sandboxesOf = async ({ id }: Firm) =>
  (await services.pool.query<{ id: number }>('select id from workspaces where sandbox_of = $1', [id])).rows;
const idsIn = (answer: { body: { data: { id: string | number }[] } }) =>
  answer.body.data.map(({ id }) => id).sort();

describe('a test token', () => {
  test('is of the environment `test`, and names its firm as a live one does', async () => {
    const { firm, test: token, live } = await createTester();
    expect(token).toMatch(/^fd_test_/);
    const ping = async (sent: string) => (await gateway.request('GET /v1/ping', { token: sent })).body.data;
    const tenant = { name: firm.name, slug: firm.slug };
    expect(await ping(token)).toMatchObject({ environment: 'test', tenant });
    expect(await ping(live)).toMatchObject({ environment: 'live', tenant });
    for (const workspace of [firm.slug, `${firm.slug}.test`])
      expect((await gateway.request('GET /v1/admin/tickets', { token, workspace })).status).toBe(200);
  });

  test('sees the rows of the sandbox and none of the firm; a live token the reverse', async () => {
    const { firm, user, live, test: token, data } = await createTester();
    const ticket = await createTicket(services, { firm, trader: user });
    const tickets = (sent: string) => gateway.request('GET /v1/admin/tickets', { token: sent });
    expect(idsIn(await tickets(live))).toEqual([ticket]);
    expect(idsIn(await tickets(token))).toEqual([...data.tickets].sort());

    const draft = (sent: string) =>
      gateway.request('POST /v1/me/mail/drafts', { token: sent, body: { address_id: data.address_id } });
    expect((await draft(token)).status).toBe(200);
    expect((await draft(live)).body.error.code).toBe('resource_not_found');
    const restore = (sent: string) =>
      gateway.request(`POST /v1/me/mail/messages/${data.messages[2]}/restore`, { token: sent, body: {} });
    expect((await restore(live)).body.error.code).toBe('resource_not_found');
    expect((await restore(token)).body.data.folder).toBe('inbox');
    const ask = (sent: string, id: string) =>
      gateway.request(`POST /v1/admin/tickets/${id}/ai`, {
        token: sent,
        body: { instruction: 'Thank them.' },
      });
    expect((await ask(live, data.tickets[0]!)).body.error.code).toBe('resource_not_found');
    expect((await ask(token, ticket)).body.error.code).toBe('resource_not_found');

    const window = 'GET /v1/me/calendar/events?from=2000-01-01&until=2000-01-02';
    expect((await gateway.request(window, { token })).status).toBe(200);
    const liveEvents = await gateway.request('GET /v1/me/calendar/events', { token: live });
    expect(liveEvents.body.error.code).toBe('calendar_not_permitted');
    const events = idsIn(await gateway.request('GET /v1/me/calendar/events', { token }));
    expect([...new Set(events)]).toEqual([...data.events].sort());
    const reservations = (sent: string) =>
      gateway.request('GET /v1/affiliates/pre-registrations', { token: sent });
    expect(idsIn(await reservations(token))).toEqual([data.pre_registration]);
    expect(idsIn(await reservations(live))).toEqual([]);
  });

  test('cannot be made a live token, nor the reverse, by changing its text', async () => {
    const { test: token } = await createTester();
    const answer = await gateway.request('GET /v1/ping', { token: token.replace('fd_test_', 'fd_live_') });
    expect(answer.body.error.code).toBe('invalid_token');
  });

  test('loses its rights with the membership in the firm, and its sockets close', async () => {
    const { firm, user, test: token } = await createTester();
    const setPermissions = (held: string) =>
      services.pool.query('update memberships set permissions = $2 where user_id = $1', [user.id, held]);
    const list = () => gateway.request('GET /v1/admin/tickets', { token });
    await setPermissions('{view_payouts}');
    expect((await list()).body.error.code).toBe('forbidden');
    await setPermissions('{view_tickets}');
    expect((await list()).status).toBe(200);
    const socket = await openSocket(gateway.url, { params: { token } });
    expect(await socket.call('query', 'ping')).toMatchObject({ data: {} });
    await withTransaction(services, (ctx) => dismissMember(ctx, { email: user.email, workspace: firm.slug }));
    expect((await list()).body.error.code).toBe('revoked_token');
    await socket.closed;
  });

  test('of staff acts in the sandboxes of the firms in which they may act, and names them by the firm', async () => {
    const [firm, foreign] = [await createWorkspace(services), await createWorkspace(services)];
    const staff = await createStaff(services, [firm]);
    const { text: token } = await createToken(services, {
      user: staff,
      workspace: PLATFORM,
      environment: 'test',
    });
    const list = (workspace: string) => gateway.request('GET /v1/admin/tickets', { token, workspace });
    expect((await list(firm.slug)).body.data).toEqual([]);
    expect(await sandboxesOf(firm)).toHaveLength(1);
    expect((await list(foreign.slug)).body.error.code).toBe('workspace_not_permitted');
    const ping = await gateway.request('GET /v1/ping', { token });
    expect(ping.body.data).toMatchObject({ environment: 'test', tenant: { slug: PLATFORM } });
  });
});

describe('a live token', () => {
  test('cannot name a sandbox, in a header or as the workspace of a sign-in', async () => {
    const { firm, live, user } = await createTester();
    await services.pool.query('update users set password_hash = null where id = $1', [user.id]);
    const staff = await createStaff(services, 'all');
    const { text: staffKey } = await createToken(services, { user: staff, workspace: PLATFORM });
    const workspace = `${firm.slug}.test`;
    for (const token of [live, staffKey]) {
      const answer = await gateway.request('GET /v1/admin/tickets', { token, workspace });
      expect(answer.body.error.code).toBe('workspace_not_permitted');
      const socket = await openSocket(gateway.url, { params: { token, workspace } });
      expect(await socket.call('query', 'tickets.list')).toMatchObject({ code: 'workspace_not_permitted' });
      socket.ws.close();
    }
    const { user: other } = await createUserWithPassword(gateway);
    const signIn = { email: other.email, password: PASSWORD, workspace };
    expect((await gateway.request('POST /v1/sessions', { body: signIn })).body.error.code).toBe(
      'validation_failed',
    );
    const account = await gateway.rpc('account.get', { token: staffKey });
    expect(account.data.workspaces.filter(({ slug }: Firm) => slug.endsWith('.test'))).toEqual([]);
  });

  test('cannot be issued for a sandbox, which has no members of its own', async () => {
    const { firm, user } = await createTester();
    const workspace = `${firm.slug}.test`;
    const issue = withTransaction(services, (ctx) =>
      issueKey(ctx, { email: user.email, workspace, scopes: [], environment: 'live' }),
    );
    await expect(issue).rejects.toMatchObject({ apiCode: 'validation_failed' });
    const dismissed = withTransaction(services, (ctx) =>
      dismissMember(ctx, { email: user.email, workspace }),
    );
    await expect(dismissed).rejects.toMatchObject({ apiCode: 'validation_failed' });
    const listed = await withTransaction(services, listWorkspaces);
    expect(listed.find(({ slug }) => slug === workspace)).toMatchObject({
      sandbox_of: firm.slug,
      members: 1,
    });
  });
});

test('pushes of a sandbox are recorded for its token, and none reaches Apple or another environment', async () => {
  const { firm, user, live, test: token, data } = await createTester();
  const phones = { live: randomBytes(32).toString('hex'), test: randomBytes(32).toString('hex') };
  for (const [environment, sent] of [
    ['live', live],
    ['test', token],
  ] as const) {
    const body = { app: 'admin', environment: 'production', token: phones[environment] };
    expect((await gateway.request('POST /v1/me/devices', { token: sent, body })).status).toBe(201);
  }
  const notify = async (sent: string, title: string) => {
    const body = { workspace: firm.slug, kind: 'risk_flag_raised', title, action_url: '/', to: [user.email] };
    expect((await gateway.rpc('notifications.notify', { token: sent, body })).code).toBe(null);
  };
  const recorded = async (sent: string) =>
    (await gateway.request('GET /v1/me/devices/pushes', { token: sent })).body.data;
  await notify(token, 'In the sandbox');
  await notify(live, 'In the firm');
  expect((await gateway.rpc('devices.pushTest', { token, body: {} })).data.devices).toBe(1);
  await vi.waitFor(async () => {
    expect(apns.received.filter(({ deviceToken }) => deviceToken === phones.live)).toHaveLength(1);
    // The messages of the test data are pushed too, if their job runs after the registration.
    const types = (await recorded(token)).map(({ payload }: { payload: { type: string } }) => payload.type);
    expect(types).toEqual(expect.arrayContaining(['admin.notification', 'test']));
  }, SOON);
  expect(apns.received.filter(({ deviceToken }) => deviceToken === phones.test)).toEqual([]);
  expect(await recorded(token)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        object: 'recorded_push',
        app: 'admin',
        dropped: null,
        payload: expect.objectContaining({
          type: 'admin.notification',
          workspace: firm.slug,
          aps: expect.objectContaining({ alert: expect.objectContaining({ title: 'In the sandbox' }) }),
        }),
      }),
    ]),
  );
  expect(await recorded(live)).toEqual([]);
  expect(data.tickets).toHaveLength(2);
});

test('the demo assistant answers in a sandbox, streams, stops, and uses nothing of the firm', async () => {
  const { firm, test: token, live, user, data } = await createTester();
  const [answered, waiting] = data.tickets as [string, string];
  const tickets = async () => (await gateway.request('GET /v1/admin/tickets', { token })).body.data;
  const statusOf = async (id: string) =>
    (await tickets()).find((ticket: { id: string }) => ticket.id === id).status;
  await vi.waitFor(async () => expect(await statusOf(answered)).toBe('awaiting_trader'), SOON);
  expect(await statusOf(waiting)).toBe('awaiting_admin');

  const ask = (sent: string, id: string) =>
    gateway.request(`POST /v1/admin/tickets/${id}/ai`, { token: sent, body: { instruction: 'Thank them.' } });
  using viewer = await followTicket({ url: gateway.url, token, ticket: waiting });
  expect((await ask(token, waiting)).status).toBe(201);
  await vi.waitFor(
    () => expect(viewer.types().filter((type) => type === 'text_delta').length).toBeGreaterThan(2),
    SOON,
  );
  const stop = { ticket: waiting, body: 'I will do it myself.', key: randomUUID() };
  expect((await gateway.rpc('tickets.reply', { token, body: stop })).code).toBe(null);
  await vi.waitFor(() => {
    const notes = viewer.messages().filter(({ event }) => event === 'ai_command_failed');
    expect(notes).toHaveLength(1);
  }, SOON);

  expect(model.requests).toEqual([]);
  const used = async () =>
    (
      await services.pool.query(
        'select w.sandbox_of is not null as is_test, u.used from assistant_usage u join workspaces w on w.id = u.workspace_id where $1 in (w.id, w.sandbox_of)',
        [firm.id],
      )
    ).rows;
  expect(await used()).toEqual([{ is_test: true, used: 2 }]);
  const ticket = await createTicket(services, { firm, trader: user, status: 'awaiting_admin' });
  expect((await ask(live, ticket)).status).toBe(201);
  await vi.waitFor(() => expect(model.requests).toHaveLength(1), SOON);
});

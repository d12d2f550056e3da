import { randomUUID } from 'node:crypto';
import { type Notification, type NotifyInput, PLATFORM } from '@firmdesk/contract';
import { createStaff, createUser, createWorkspace, type TestUser } from '@firmdesk/testing';
import {
  commonCases,
  createUserWithToken,
  type Firm,
  suiteGateway,
  tokenOf,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { notify, withTransaction } from '../index.ts';

const READ = 'POST /v1/me/notifications/read';
const gateway = await suiteGateway();
let firm: Firm;
let me: TestUser;
let token: string;

beforeEach(async () => {
  ({ firm, user: me, token } = await createUserWithToken(gateway, { permissions: ['view_risk'] }));
});

/** Raises a notification for a user, a second after the previous one. */
async function raise(user: TestUser, over: Partial<NotifyInput> = {}): Promise<string> {
  gateway.clock.advance(1000);
  const raised = await withTransaction(gateway.services, (ctx) =>
    notify(ctx, {
      workspace: firm.slug,
      kind: 'risk_flag_raised',
      title: 'Two accounts, one card',
      action_url: '/risk/flags/1',
      to: [user.email],
      ...over,
    }),
  );
  return raised.notifications[0]!.id;
}
const raiseMany = async (user: TestUser, count: number) => {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await raise(user));
  return ids;
};
const read = (body: unknown, as = token) => gateway.request(READ, { token: as, body });
const list = (body: object, as = token) => gateway.rpc('notifications.list', { token: as, body });
const listed = async (unread = false, as = token) =>
  (await list({ unread }, as)).data.data.map(({ id }: Notification) => id);

commonCases(gateway, READ, async () => ({ body: { all: true } }));

describe('marking', () => {
  test('ids: returns the number of marked and of remaining unread notifications', async () => {
    const [first, second, third] = await raiseMany(me, 3);
    const answer = await read({ ids: [first, second] });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: { object: 'notifications_read', marked: 2, unread: 1 },
      meta: { request_id: expect.stringMatching(/^req_/) },
    });
    expect(await listed(true)).toEqual([third]);
  });

  test('counts unknown, repeated, upper-case and read ids at most once', async () => {
    const [first] = await raiseMany(me, 2);
    const ids = [first, first, first!.toUpperCase(), randomUUID(), '00000000-0000-0000-0000-000000000000'];
    expect((await read({ ids })).body.data).toMatchObject({ marked: 1, unread: 1 });
    expect((await read({ ids })).body.data).toMatchObject({ marked: 0, unread: 1 });
  });

  test('all: overrides ids, and leaves later notifications unread', async () => {
    const [first] = await raiseMany(me, 3);
    expect((await read({ all: true, ids: [first] })).body.data).toMatchObject({ marked: 3, unread: 0 });
    await raise(me);
    expect((await read({ all: false, ids: [first] })).body.data).toMatchObject({ marked: 0, unread: 1 });
    expect((await read({ all: true })).body.data).toMatchObject({ marked: 1, unread: 0 });
    expect((await read({ all: true })).body.data).toMatchObject({ marked: 0, unread: 0 });
  });

  test('all: marks a notification that a node with a clock ahead created', async () => {
    await raise(me);
    const ahead = new Date(gateway.clock.now().getTime() + 120_000);
    await withTransaction(gateway.services, (ctx) =>
      notify(
        { ...ctx, now: ahead },
        {
          workspace: firm.slug,
          kind: 'risk_flag_raised',
          title: 'Dated ahead',
          action_url: '/risk/flags/2',
          to: [me.email],
        },
      ),
    );
    expect((await read({ all: true })).body.data).toMatchObject({ marked: 2, unread: 0 });
  });

  test('`read_at` is the time when it was first marked', async () => {
    const id = await raise(me);
    await read({ ids: [id] });
    const readAt = gateway.clock.now().toISOString();
    gateway.clock.advance(1000);
    await read({ all: true });
    expect((await list({})).data.data).toEqual([
      {
        object: 'notification',
        reason: null,
        id,
        kind: 'risk_flag_raised',
        title: 'Two accounts, one card',
        body: null,
        action_url: '/risk/flags/1',
        created_at: readAt,
        read_at: readAt,
      },
    ]);
  });

  test('replays the response of a repeated key', async () => {
    const [first] = await raiseMany(me, 2);
    const key = randomUUID();
    const once = await gateway.request(READ, { token, key, body: { ids: [first] } });
    const again = await gateway.request(READ, { token, key, body: { all: true } });
    expect(again.text).toBe(once.text);
    expect(await listed(true)).toHaveLength(1);
  });

  test('accepts 200 ids and rejects 201, duplicates included', async () => {
    const id = await raise(me);
    expect((await read({ ids: Array(200).fill(id) })).body.data).toMatchObject({ marked: 1 });
    const refused = await read({ ids: Array(201).fill(id) });
    expect([refused.status, refused.body.error.code]).toEqual([422, 'validation_failed']);
  });

  test('concurrent calls mark each notification once, without a deadlock', async () => {
    const ids = await raiseMany(me, 40);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        read(i % 3 === 0 ? { all: true } : { ids: i % 2 ? ids : ids.toReversed() }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(answers.reduce((sum, { body }) => sum + body.data.marked, 0)).toBe(40);
    expect(await listed(true)).toEqual([]);
  });
});

describe('isolation', () => {
  test('ignores notifications of other accounts and other workspaces', async () => {
    const colleague = await createUser(gateway.services, { firm, permissions: ['view_risk'] });
    const theirs = await raise(colleague);
    const elsewhere = await createWorkspace(gateway.services);
    const myElsewhereToken = await tokenOf(gateway, me, elsewhere.slug);
    const mine = await raise(me);
    expect((await read({ ids: [theirs] })).body.data).toMatchObject({ marked: 0, unread: 1 });
    expect((await read({ ids: [mine, theirs] }, myElsewhereToken)).body.data).toMatchObject({
      marked: 0,
      unread: 0,
    });
    expect((await read({ all: true }, myElsewhereToken)).body.data).toMatchObject({ marked: 0, unread: 0 });
    expect(await listed(true)).toEqual([mine]);
    expect(await listed(false, myElsewhereToken)).toEqual([]);
    for (const cursor of [theirs, randomUUID(), 'x', '']) {
      expect((await list({ starting_after: cursor })).code).toBe('invalid_cursor');
    }
  });
});

describe('errors', () => {
  test('400 nothing_to_mark without ids and without all', async () => {
    for (const body of [undefined, {}, { ids: [] }, { all: false }, { all: false, ids: [] }]) {
      const answer = await read(body);
      expect([body, answer.status, answer.body.error.code]).toEqual([body, 400, 'nothing_to_mark']);
    }
  });

  test('422 validation_failed for wrong types; ids are checked even if `all` is true', async () => {
    await raise(me);
    const id = randomUUID();
    const bodies = [
      ...[null, '', 'true', 'false', 0, 1, [], {}].map((all) => ({ all })),
      ...[null, '', id, 0, true, {}, [null], [1], [''], ['x'], [id, 'x'], [[id]], [`{${id}}`]].map((ids) => ({
        ids,
      })),
      { all: true, ids: ['x'] },
      { all: true, ids: null },
    ];
    for (const body of bodies) {
      const answer = await read(body);
      expect([body, answer.status, answer.body.error?.code]).toEqual([body, 422, 'validation_failed']);
    }
    expect(await listed(true)).toHaveLength(1);
  });

  test('checks the scope before the idempotency key, and the key before the body', async () => {
    const weak = await tokenOf(gateway, me, firm.slug, ['notifications:read']);
    const unscoped = await gateway.request(READ, { token: weak, key: null, body: 'x' });
    expect([unscoped.status, unscoped.body.error.code]).toEqual([403, 'insufficient_scope']);
    const keyless = await gateway.request(READ, { token, key: null, body: 'x' });
    expect([keyless.status, keyless.body.error.code]).toEqual([400, 'missing_idempotency_key']);
    expect((await gateway.request(READ, { body: {} })).body.error.code).toBe('invalid_token');
  });
});

describe('notify', () => {
  const input = (over: Partial<NotifyInput> = {}): NotifyInput => ({
    workspace: firm.slug,
    kind: 'risk_flag_raised',
    title: 'A flag',
    action_url: '/risk',
    ...over,
  });
  const notifyAs = (as: string, over: object = {}) =>
    gateway.rpc('notifications.notify', { token: as, body: { ...input(), ...over } });

  test('a platform token may name any workspace, a firm’s token only its own', async () => {
    const staff = await createStaff(gateway.services, 'all');
    const platform = await tokenOf(gateway, staff, PLATFORM, ['platform:write']);
    expect((await notifyAs(platform)).data.notifications).toEqual([
      { id: expect.any(String), user_id: me.id },
    ]);
    expect((await notifyAs(token)).data.notifications).toHaveLength(1);
    const other = await createWorkspace(gateway.services);
    expect((await notifyAs(token, { workspace: other.slug })).code).toBe('workspace_not_permitted');
    expect((await notifyAs(token, { workspace: 'no-such-firm' })).code).toBe('workspace_not_permitted');
    expect((await notifyAs(token, { workspace: PLATFORM })).code).toBe('workspace_not_permitted');
    expect((await notifyAs(platform, { workspace: 'no-such-firm' })).code).toBe('workspace_not_permitted');
    const unscoped = await tokenOf(gateway, me, firm.slug, ['admin:write', 'notifications:write']);
    expect((await notifyAs(unscoped)).code).toBe('insufficient_scope');
    expect((await gateway.rpc('notifications.unread', { token })).data.unread).toBe(2);
  });

  test('rejects accounts of other firms with the same error as unknown ones', async () => {
    const outsider = await createUser(gateway.services, { firm: await createWorkspace(gateway.services) });
    const errorsOf = async (email: string, field: 'to' | 'actor') =>
      (await notifyAs(token, { [field]: field === 'to' ? [email] : email })).fields;
    for (const field of ['to', 'actor'] as const) {
      const path = field === 'to' ? 'to[0]' : 'actor';
      expect(await errorsOf(outsider.email, field)).toEqual([
        { path, message: `"${path}" must be the email of an account in ${firm.slug}.` },
      ]);
      expect(await errorsOf(outsider.email, field)).toEqual(await errorsOf('nobody@example.com', field));
    }
  });

  test('rejects malformed input, naming the field', async () => {
    const cases: Partial<Record<keyof NotifyInput, unknown[]>> = {
      workspace: ['', 'No Slug', null, 1],
      kind: ['', 'unknown', null],
      title: ['', 'x'.repeat(201), '\0', null, 1],
      body: ['x'.repeat(2001), '\ud800', null],
      action_url: [
        ...['', 'risk', '//evil.example', '/\\evil.example', 'https://evil.example', '/\0', null],
        ...['/\t/evil.example', '/\n/evil.example', '/\\/evil.example', '/.//evil.example', '/ü', '/a b'],
      ],
      actor: ['', 'x', null],
      to: [[], ['x'], 'a@example.com', Array(101).fill('a@example.com'), null],
    };
    for (const [field, values] of Object.entries(cases)) {
      for (const value of values) {
        const { code, fields } = await notifyAs(token, { [field]: value });
        expect([field, value, code]).toEqual([field, value, 'validation_failed']);
        expect(fields![0]!.path).toMatch(new RegExp(`^${field}`));
      }
    }
  });
});

/** What the audit trail has about sign-ins, passwords, macros and the assistant's settings. */
import { PLATFORM } from '@firmdesk/contract';
import { createToken } from '@firmdesk/testing';
import {
  createUserWithPassword,
  createUserWithToken,
  PASSWORD,
  readTrustedProxies,
  suiteGateway,
} from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';
import { eraseAccount, listAuditEvents, withTransaction } from '../index.ts';

const gateway = await suiteGateway({ trustedProxies: readTrustedProxies('1') });
const { services } = gateway;
const ADDRESS = '203.0.113.77';
const NETWORK = '203.0.113.0/24';

const signIn = (email: string, password = PASSWORD, address = ADDRESS) =>
  gateway.request('POST /v1/sessions', {
    body: { email, password },
    headers: { 'x-forwarded-for': address },
  });
/** The events about a target, without those by which the test has made it. */
const eventsOf = async (target: string) =>
  (await withTransaction(services, (ctx) => listAuditEvents(ctx, { target, limit: 100 }))).filter(
    ({ action }) => !/^(user|firm)\.added$/.test(action),
  );
const actionsOf = async (target: string) => (await eventsOf(target)).map(({ action }) => action);

test('a sign-in is in the trail of its firm, with the session and the network', async () => {
  const { user, firm } = await createUserWithPassword(gateway);
  const { id } = (await signIn(user.email)).body.data;
  await signIn(user.email, PASSWORD, '2001:db8:7:9::1');
  expect(await eventsOf(user.id)).toMatchObject([
    { action: 'user.signed_in', after: { network: '2001:db8:7::/48' } },
    {
      workspace: firm.slug,
      actor_kind: 'account',
      actor: user.id,
      action: 'user.signed_in',
      target_type: 'user',
      after: { session: id, network: NETWORK },
    },
  ]);
});

test('a wrong password is in the trail, at most ten times an hour, and without what was typed', async () => {
  const { user } = await createUserWithPassword(gateway);
  for (let n = 0; n < 12; n++) {
    expect((await signIn(user.email, `hunter${n}`)).status).toBe(401);
    const expected = Math.min(n + 1, 10);
    await expect.poll(async () => (await eventsOf(user.id)).length).toBe(expected);
  }
  gateway.clock.advance(3_600_001);
  await signIn(user.email, 'hunter12');
  await expect.poll(async () => (await eventsOf(user.id)).length).toBe(11);
  const events = await eventsOf(user.id);
  expect(events[0]).toMatchObject({
    workspace: PLATFORM,
    actor_kind: 'system',
    action: 'user.sign_in_failed',
    after: { network: NETWORK },
  });
  const text = JSON.stringify(events);
  for (const secret of ['hunter', user.email, ADDRESS]) expect(text).not.toContain(secret);
});

test('of an account that does not exist nothing is recorded', async () => {
  const refused = async () => {
    const { rows } = await services.pool.query(
      `select target_id as id from audit_events where action = 'user.sign_in_failed'`,
    );
    return new Set(rows.map(({ id }) => id));
  };
  const { user } = await createUserWithPassword(gateway);
  const before = await refused();
  expect((await signIn('nobody-at-all@example.com', 'hunter')).status).toBe(401);
  await signIn(user.email, 'hunter');
  await expect.poll(() => actionsOf(user.id)).toEqual(['user.sign_in_failed']);
  expect(await refused()).toEqual(before.add(user.id));
});

test('a change of a password is in the trail, and a refused one', async () => {
  const { user, firm } = await createUserWithPassword(gateway);
  const { text: token } = await createToken(services, { user, workspace: firm.slug, kind: 'device' });
  const change = (current_password: string) =>
    gateway.request('PUT /v1/me/password', {
      token,
      body: { current_password, new_password: 'another correct horse' },
      headers: { 'x-forwarded-for': ADDRESS },
    });
  expect((await change('wrong')).status).toBe(422);
  await expect.poll(() => actionsOf(user.id)).toEqual(['user.password_change_failed']);
  expect((await change(PASSWORD)).status).toBe(200);
  expect(await eventsOf(user.id)).toMatchObject([
    {
      workspace: PLATFORM,
      actor: user.id,
      action: 'user.password_changed',
      after: { signed_out: 0, network: NETWORK },
    },
    { action: 'user.password_change_failed' },
  ]);
});

test('an erased account leaves events that lead to no person', async () => {
  const { user } = await createUserWithPassword(gateway);
  await signIn(user.email);
  await eraseAccount(services, user.id, { actor: { kind: 'operator', id: 'ines' } });
  const events = await eventsOf(user.id);
  expect(events.map(({ action }) => action)).toContain('user.signed_in');
  const text = JSON.stringify(events);
  for (const trace of [user.email, 'Robin Example', ADDRESS]) expect(text).not.toContain(trace);
});

test('macros and settings of the assistant are in the trail, without texts', async () => {
  const { user, firm, token } = await createUserWithToken(gateway, {
    permissions: ['view_tickets', 'manage_tickets', 'manage_assistant'],
    scopes: ['admin:read', 'admin:write'],
  });
  const rpc = async (name: string, body: Record<string, unknown>) => {
    const answer = await gateway.rpc(name, { token, body });
    expect(answer.code).toBe(null);
    return answer.data;
  };
  const texts = [{ language: 'en', text: 'Dear secret client' }];
  const { id } = await rpc('macros.create', { name: 'Secret name', team: null, texts, actions: {} });
  const changed = { name: 'Secret name', team: null, texts: [{ language: 'en', text: 'Hello' }] };
  await rpc('macros.update', { id, ...changed, actions: { priority: 'high' } });
  await rpc('macros.delete', { id });
  const events = await eventsOf(id);
  expect(events).toMatchObject([
    { action: 'macro.deleted', before: { actions: { priority: 'high' } }, after: null },
    {
      action: 'macro.changed',
      before: { actions: { priority: null } },
      after: { actions: { priority: 'high' }, changed: ['texts'] },
    },
    { workspace: firm.slug, actor: user.id, action: 'macro.created', before: null, after: { team: null } },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/secret|hello/i);
  const file = { format: 'firmdesk-macros', version: 1 };
  const macro = { name: 'Secret name', team: null, texts, actions: {} };
  await rpc('macros.import', { ...file, macros: [macro] });
  await rpc('tickets.updateAssistantSettings', { monthly_allowance: 7 });
  expect(await eventsOf(firm.slug)).toMatchObject([
    { actor: user.id, action: 'firm.assistant_changed', after: { monthly_allowance: 7 } },
    { action: 'firm.macros_imported', after: { created: 1, updated: 0 } },
  ]);
});

test('events can be listed by their action', async () => {
  const { user } = await createUserWithPassword(gateway);
  await signIn(user.email);
  await signIn(user.email, 'hunter');
  await expect.poll(async () => (await eventsOf(user.id)).length).toBe(2);
  const listed = await withTransaction(services, (ctx) =>
    listAuditEvents(ctx, { target: user.id, action: 'user.signed_in', limit: 100 }),
  );
  expect(listed.map(({ action }) => action)).toEqual(['user.signed_in']);
});

import { MAX_PROFILE_LENGTH } from '@firmdesk/contract';
import { createMailbox, createMailMessage, createTicket, createUser, type TestUser } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway, type UserWithToken } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;
let agent: UserWithToken;
let platform: UserWithToken;
let trader: TestUser;

beforeEach(async () => {
  agent = await createUserWithToken(gateway, { permissions: ['view_tickets'] });
  const { firm } = agent;
  platform = await createUserWithToken(gateway, { firm, permissions: [], scopes: ['platform:write'] });
  trader = await createUser(services, { firm, role: 'trader' });
});

const layout = [
  {
    title: 'Accounts',
    list: '/accounts',
    fields: [
      { label: 'Number', value: '/number', format: 'text' },
      { label: 'Balance', value: '/balance', format: 'money', currency: '/currency' },
    ],
  },
];
const profile = () => ({
  trader: trader.id,
  country: 'DE',
  language: 'de',
  timezone: 'Europe/Berlin',
  verification: 'verified',
  data: { accounts: [{ number: 'N-1', balance: '12.50', currency: 'EUR' }] },
  layout,
});
const set = (over: object = {}, by = platform) =>
  gateway.rpc('traders.setProfile', { token: by.token, body: { ...profile(), ...over } });
const read = async (by = agent) =>
  (await gateway.rpc('traders.context', { token: by.token, body: { trader: trader.id } })).data.profile;

describe('the profile of a trader', () => {
  test('is what the platform has said last, for the agents of the firm', async () => {
    expect(await read()).toBe(null);
    const answer = await set();
    expect(answer.data).toMatchObject({ ...profile(), object: 'trader_profile' });
    expect(await read()).toEqual(answer.data);
    await set({ country: undefined, data: { level: 3 }, layout: [] });
    expect(await read()).toMatchObject({ country: null, language: 'de', data: { level: 3 }, layout: [] });
    const stranger = await createUserWithToken(gateway, { permissions: ['view_tickets'] });
    expect(await read(stranger)).toBe(null);
  });

  test('gives the language of the trader’s tickets, instead of the account', async () => {
    const ticket = await createTicket(services, { firm: agent.firm, trader });
    const language = async () =>
      (await gateway.rpc('tickets.get', { token: agent.token, body: { ticket } })).data.trader_language;
    expect(await language()).toBe('en');
    await set();
    expect(await language()).toBe('de');
  });

  test('is set only by a token of the platform, for a member of the firm', async () => {
    expect(
      (await set({}, await createUserWithToken(gateway, { firm: agent.firm, scopes: ['admin:write'] }))).code,
    ).toBe('insufficient_scope');
    const stranger = await createUserWithToken(gateway, { scopes: ['platform:write'] });
    expect((await set({}, stranger)).code).toBe('resource_not_found');
    expect(await read()).toBe(null);
  });

  test.each<[path: string, over: object]>([
    ['country', { country: 'Germany' }],
    ['timezone', { timezone: '+01:00' }],
    ['verification', { verification: 'maybe' }],
    ['data', { data: { text: 'x'.repeat(MAX_PROFILE_LENGTH) } }],
    ['data', { data: { a: [[[[[[[[1]]]]]]]] } }],
    ['data', { data: [] }],
    ['layout', { layout: Array.from({ length: 11 }, () => layout[0]) }],
    ['layout[0].fields', { layout: [{ title: 'Empty', fields: [] }] }],
    ['layout[0].fields[0].value', { layout: [{ title: 'A', fields: [{ label: 'B', value: 'number' }] }] }],
    [
      'layout[0].fields[0].format',
      { layout: [{ title: 'A', fields: [{ label: 'B', value: '/b', format: 'html' }] }] },
    ],
  ])('is rejected with a wrong %s', async (path, over) => {
    const answer = await set(over);
    expect([answer.code, answer.fields?.[0]?.path]).toEqual(['validation_failed', path]);
  });

  test.each(['constructor', 'prototype'])('is rejected with a member %s', async (name) => {
    const { status, text } = await gateway.request('POST /trpc/traders.setProfile', {
      token: platform.token,
      body: JSON.stringify({ json: { ...profile(), data: { at: [0] } } }).replace('[0]', `[{"${name}":1}]`),
    });
    expect([status, text]).toEqual([422, expect.stringContaining('"validation_failed"')]);
  });

  test('is streamed to those who see the trader', async () => {
    const { rows: before } = await services.pool.query('select from event_log where workspace_id = $1', [
      agent.firm.id,
    ]);
    await set();
    const { rows } = await services.pool.query(
      'select subject, type, body from event_log where workspace_id = $1',
      [agent.firm.id],
    );
    expect(rows.slice(before.length)).toEqual([
      { subject: trader.id, type: 'trader.profile_set', body: { trader: trader.id } },
    ]);
  });
});

test('mail from an address is that of the mailboxes that the caller may read, the newest first', async () => {
  const { firm, user } = agent;
  const own = await createMailbox(services, { firm, writes: [user] });
  const other = await createMailbox(services, { firm, writes: [platform.user] });
  const mail = async (
    mailbox: typeof own,
    subject: string,
    {
      from = trader.email.toUpperCase(),
      ...over
    }: { from?: string; folder?: 'archive' | 'trash'; messageAt?: string } = {},
  ) => {
    const { id } = await createMailMessage(services, { mailbox, ...over });
    await services.pool.query(
      'update mail_messages set subject = $3, from_email = $4 where workspace_id = $1 and id = $2',
      [firm.id, id, subject, from],
    );
  };
  await mail(own, 'First', { messageAt: '2026-01-01T00:00:00Z' });
  await mail(own, 'Second', { messageAt: '2026-01-02T00:00:00Z', folder: 'archive' });
  await mail(own, 'Deleted', { folder: 'trash' });
  await mail(own, 'Of somebody else', { from: 'else@example.com' });
  await mail(other, 'Not readable');
  const { data } = await gateway.rpc('mail.from', { token: agent.token, body: { address: trader.email } });
  expect(data.map(({ subject }: { subject: string }) => subject)).toEqual(['Second', 'First']);
});

describe('people of a firm', () => {
  const find = async (q: string, by = agent) =>
    (await gateway.rpc('traders.find', { token: by.token, body: { q } })).data.data.map(
      ({ name }: { name: string }) => name,
    );

  test('are found by any part of their name or address, traders first, those that begin with it at the top', async () => {
    const { firm } = agent;
    const person = (name: string, role: 'trader' | 'admin' = 'trader') =>
      createUser(services, { firm, role, name });
    await person('Mara Zander', 'admin');
    await person('Anna Zimmer-Zander');
    await person('Zander Kowalczyk');
    await person('Chloé 100% Zandér_');
    expect(await find('zander')).toEqual([
      'Zander Kowalczyk',
      'Anna Zimmer-Zander',
      'Chloé 100% Zandér_',
      'Mara Zander',
    ]);
    expect(await find('CHLOE zander')).toEqual(['Chloé 100% Zandér_']);
    expect(await find('100%')).toEqual(['Chloé 100% Zandér_']);
    expect(await find('zander_ %')).toEqual(['Chloé 100% Zandér_']);
    expect(await find('walcz')).toEqual(['Zander Kowalczyk']);
    expect(await find(trader.email.slice(2))).toHaveLength(1);
    const stranger = await createUserWithToken(gateway, { permissions: ['view_tickets'] });
    expect(await find('zander', stranger)).toEqual([]);
  });
});

import { type FirmMailbox, permissions } from '@firmdesk/contract';
import { createUser, type TestUser, unique } from '@firmdesk/testing';
import { createUserWithToken, type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;
services.mail = { ...services.mail, domains: ['desk.example'] };
let firm: Firm;
let user: TestUser;
let token: string;

beforeEach(async () => {
  ({ firm, user, token } = await createUserWithToken(gateway, { permissions: [...permissions] }));
});

const rpc = (procedure: string, body: object, as = token) =>
  gateway.rpc(`firm.mailboxes.${procedure}`, { token: as, body });
const call = async (procedure: string, body: object = {}, as = token) => {
  const answer = await rpc(procedure, body, as);
  expect(answer.code, answer.text).toBeNull();
  return answer.data;
};
const address = () => `${unique('help')}@desk.example`;

test('mailboxes are created, shared and given aliases, and their members read and write in them', async () => {
  const agent = await createUserWithToken(gateway, { firm, permissions: ['view_tickets'] });
  const email = address();
  const alias = address();
  const made = await call('create', { email, name: 'Help', members: [{ id: user.id, can_write: true }] });
  expect(made).toMatchObject({ email, name: 'Help', aliases: [], opens_tickets: null });
  const both = [
    { id: user.id, can_write: true },
    { id: agent.user.id, can_write: false },
  ];
  await call('update', {
    id: made.id,
    name: 'Support',
    members: both,
    aliases: [alias.toUpperCase(), email],
  });
  await call('update', { id: made.id, opens_tickets: 'anyone' });
  await call('update', { id: made.id });
  const [listed] = (await call('list')).data as FirmMailbox[];
  expect(listed).toMatchObject({ name: 'Support', aliases: [alias], opens_tickets: 'anyone' });
  expect(listed!.members.map(({ id, can_write }) => [id, can_write]).sort()).toEqual(
    [
      [user.id, true],
      [agent.user.id, false],
    ].sort(),
  );
  const seen = await gateway.rpc('mail.mailboxes', { token: agent.token, body: {} });
  expect(seen.data).toMatchObject([{ id: made.id, can_write: false }]);
  await call('update', { id: made.id, members: [{ id: user.id, can_write: true }], aliases: [] });
  expect((await gateway.rpc('mail.mailboxes', { token: agent.token, body: {} })).data).toEqual([]);
  // The alias is free again.
  await call('create', { email: alias, name: 'Other' });
  const { rows } = await services.pool.query(
    `select action, actor from audit_events where workspace_id = $1 and target_type = 'mailbox' order by id`,
    [firm.id],
  );
  const change = { action: 'mailbox.changed', actor: user.id };
  const creation = { action: 'mailbox.created', actor: user.id };
  expect(rows).toEqual([creation, change, change, change, creation]);
});

test('an address is refused in the same words if it is taken, or at a domain that is not of the firm', async () => {
  const foreign = await createUserWithToken(gateway, { permissions: [...permissions] });
  const taken = address();
  const theirs = await call('create', { email: taken, name: 'Theirs' }, foreign.token);
  const messageOf = async (email: string) => {
    const { code, text } = await rpc('create', { email, name: 'Ours' });
    expect(code).toBe('validation_failed');
    return text.replaceAll(/req_\w+/g, '');
  };
  expect(await messageOf(taken)).toBe(await messageOf('help@another-firm.example'));
  const own = await call('create', { email: address(), name: 'Ours' });
  expect((await rpc('update', { id: own.id, aliases: [taken] })).code).toBe('validation_failed');
  expect((await rpc('update', { id: theirs.id, name: 'Ours' })).code).toBe('resource_not_found');
  const trader = await createUser(services, { firm, role: 'trader' });
  for (const { id } of [trader, foreign.user])
    expect((await rpc('update', { id: own.id, members: [{ id, can_write: true }] })).code).toBe(
      'validation_failed',
    );
});

test('without configured domains, no address at a domain of an account of others tells whether it has an account', async () => {
  const { mail } = services;
  services.mail = { ...mail, domains: [] };
  onTestFinished(() => {
    services.mail = mail;
  });
  const foreign = await createUserWithToken(gateway, { permissions: [...permissions] });
  const domain = `${unique('public')}.example`;
  await services.pool.query('update users set email = $2 where id = $1', [foreign.user.id, `kim@${domain}`]);
  const answers = [];
  for (const name of ['kim', 'nobody']) {
    const { code, text } = await rpc('create', { email: `${name}@${domain}`, name: 'Probe' });
    answers.push([code, text.replaceAll(/req_\w+/g, '')]);
  }
  expect(answers[0]![0]).toBe('validation_failed');
  expect(answers[1]).toEqual(answers[0]);
  const own = `${unique('own')}.example`;
  await services.pool.query('update users set email = $2 where id = $1', [user.id, `ann@${own}`]);
  await call('create', { email: `help@${own}`, name: 'Help' });
});

test('only the account itself reads a mailbox with an address with which it signs in', async () => {
  const colleague = await createUser(services, { firm });
  const theirs = address();
  await services.pool.query('update users set email = $2 where id = $1', [colleague.id, theirs]);
  const refused = async (procedure: string, body: object, field: string) => {
    const { code, text } = await rpc(procedure, body);
    expect(code, field).toBe('validation_failed');
    expect(text).toContain(field);
    expect(text).toContain('signs in');
  };
  const self = { id: user.id, can_write: false };
  const owner = { id: colleague.id, can_write: true };
  await refused('create', { email: theirs, name: 'Spy', members: [owner, self] }, 'members[1].id');
  const own = await call('create', { email: address(), name: 'Ours', members: [self] });
  const tagged = theirs.replace('@', '+x@');
  for (const alias of [theirs, tagged])
    await refused('update', { id: own.id, aliases: [address(), alias] }, 'aliases[1]');
  const box = await call('create', { email: theirs, name: 'Theirs', members: [owner] });
  await refused('update', { id: box.id, members: [owner, self] }, 'members[1].id');
  // Mail to an address with a tag comes to the one without.
  await services.pool.query('update users set email = $2 where id = $1', [colleague.id, tagged]);
  await refused('update', { id: box.id, members: [self] }, 'members[0].id');
  // Whom an operator has made a member stays one.
  await services.pool.query(
    `insert into mailbox_members (workspace_id, mailbox_id, user_id) values ($1, $2, $3)`,
    [firm.id, box.id, user.id],
  );
  await call('update', { id: box.id, name: 'Both', members: [owner, self] });
  // One who has left signs in no more.
  await services.pool.query(`update memberships set active = false where user_id = $1`, [colleague.id]);
  await call('update', { id: own.id, members: [self] });
});

test('nobody gets the mail of accounts and mailboxes of other firms by an address of theirs', async () => {
  const foreign = await createUserWithToken(gateway, { permissions: [...permissions] });
  const called = async (account: TestUser) => {
    const email = address();
    await services.pool.query('update users set email = $2 where id = $1', [account.id, email]);
    return email;
  };
  const theirs = await called(foreign.user);
  const theirBox = address();
  await call('create', { email: theirBox, name: 'Theirs' }, foreign.token);
  const tagged = theirBox.replace('@', '+orders@');
  const both = await createUser(services, { firm });
  const bothEmail = await called(both);
  await services.pool.query(
    `insert into memberships (workspace_id, user_id, role, created_at) values ($1, $2, 'admin', now())`,
    [foreign.firm.id, both.id],
  );
  const own = await call('create', { email: address(), name: 'Ours' });
  for (const email of [theirs, theirs.replace('@', '+x@'), tagged, bothEmail]) {
    expect((await rpc('create', { email, name: 'Ours' })).code, email).toBe('validation_failed');
    expect((await rpc('update', { id: own.id, aliases: [email] })).code, email).toBe('validation_failed');
  }
  await call('create', { email: await called(user), name: 'Mine' });
});

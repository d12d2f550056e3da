import { type Permission, permissions } from '@firmdesk/contract';
import { createMailbox, createUser, startFarEnd, TestLog, type TestUser, unique } from '@firmdesk/testing';
import { createUserWithToken, type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { hasPassword, setPassword } from '../../access/accounts/users.ts';
import { suspendFirm } from '../../app/firms/suspend-firm.ts';
import { openSmtp } from '../../mail/sending/smtp.ts';
import { runSending } from '../../mail/sending/testing.ts';
import { withTransaction } from '../../platform/database/transaction.ts';

const DAY_MS = 86_400_000;
const PASSWORD = 'a long enough password';
const farEnd = await startFarEnd();
const gateway = await suiteGateway();
const { services } = gateway;
const server = openSmtp({ url: farEnd.url, password: null, dkim: null, log: new TestLog() });
services.mail = { domains: ['desk.example'], server };
afterAll(async () => {
  await server.close();
  await farEnd[Symbol.asyncDispose]();
});

let firm: Firm;
let user: TestUser;
let token: string;
let email: string;
const agent: Permission[] = ['view_tickets', 'manage_tickets'];

beforeEach(async () => {
  ({ firm, user, token } = await createUserWithToken(gateway, { permissions: [...permissions] }));
  email = `${unique('new')}@elsewhere.example`;
});

const call = (name: string, body: object = {}, as: string | null = token) =>
  gateway.rpc(name, { ...(as !== null && { token: as }), body });
const done = async (name: string, body: object = {}, as: string | null = token) => {
  const answer = await call(name, body, as);
  expect(answer.code, answer.text).toBeNull();
  return answer.data;
};
const invite = (over: object = {}) =>
  done('firm.invites.create', { email, permissions: agent, by_mail: false, ...over });
const keyIn = (text: string) => {
  const [, workspace, id, key] = /\/join\/([^/\s]+)\/(inv_\w+)#([\w-]+)/.exec(text)!;
  return { workspace, invite: id, key: key! };
};
const linkOf = async (id: string) => keyIn((await done('firm.invites.link', { id })).url);
const mailedLink = () => {
  const mail = farEnd.accepted.findLast(({ to }) => to.includes(email));
  return keyIn(mail!.raw.replaceAll(/=\r\n/g, '').replaceAll('=3D', '='));
};
const accept = (link: object, over: object = {}) =>
  call('invites.accept', { ...link, name: 'Kim New', password: PASSWORD, ...over }, null);
const listed = async (id: string) =>
  (await done('firm.invites.list')).data.find((each: { id: string }) => each.id === id);
const memberOf = async (address: string) =>
  (await done('firm.members.list')).data.find((each: { email: string }) => each.email === address);
const trail = async () => {
  const { rows } = await services.pool.query(
    `select action, actor, after from audit_events where workspace_id = $1 and (action like 'invite.%' or actor = $2) order by id`,
    [firm.id, user.id],
  );
  return rows;
};

describe('an invite', () => {
  test('is sent by mail, and makes a new person a member with a name and a password', async () => {
    const made = await invite({ by_mail: true });
    expect(made).toMatchObject({ state: 'pending', sent: 1, delivery: 'queued', permissions: agent });
    await runSending(services);
    const link = mailedLink();
    // The link that the inviting person copies is another: it does not show who reads the mail of the address.
    expect(await linkOf(made.id)).toMatchObject({
      invite: link.invite,
      key: expect.not.stringMatching(link.key),
    });
    expect(await listed(made.id)).toMatchObject({ delivery: 'sent' });
    expect(await done('invites.get', link, null)).toMatchObject({
      tenant: { slug: firm.slug },
      email,
      state: 'pending',
      has_account: false,
    });
    // What is missing or too short is said at its field, and nothing is stored.
    expect((await accept(link, { name: undefined })).text).toContain('name');
    expect((await accept(link, { password: 'short' })).text).toContain('password');
    expect((await accept(link)).code).toBeNull();
    expect(await hasPassword(services, email, PASSWORD)).toBe(true);
    expect(await memberOf(email)).toMatchObject({ name: 'Kim New', state: 'active', permissions: agent });
    expect(await listed(made.id)).toMatchObject({ state: 'accepted' });
    expect((await accept(link)).code).not.toBeNull();
    const { id } = await memberOf(email);
    expect(await trail()).toEqual([
      { action: 'invite.created', actor: user.id, after: { permissions: agent, by_mail: true } },
      { action: 'user.added', actor: user.id, after: { role: 'admin', permissions: agent } },
      { action: 'invite.accepted', actor: id, after: { user: id } },
    ]);
  });

  test('is accepted for an existing account only with its password, or signed in to it', async () => {
    const other = await createUserWithToken(gateway, { permissions: [] });
    await withTransaction(services, (ctx) => setPassword(ctx, other.user.email, PASSWORD));
    const link = await linkOf((await invite({ email: other.user.email })).id);
    // By a copied link, nobody learns whether the address has an account.
    expect(await done('invites.get', link, null)).toMatchObject({ has_account: null });
    const unknown = await linkOf((await invite()).id);
    expect(await done('invites.get', unknown, null)).toMatchObject({ has_account: null });
    for (const over of [{ name: undefined }, { password: 'short' }]) {
      const [one, other] = [await accept(link, over), await accept(unknown, over)];
      expect([one.status, one.code]).toEqual([other.status, other.code]);
    }
    expect((await accept(link, { password: 'another password' })).code).toBe('invalid_credentials');
    expect((await accept(link)).code).toBeNull();
    expect(await memberOf(other.user.email)).toMatchObject({ permissions: agent });

    // An account without a password is not taken over with one.
    const without = await createUser(services, { firm: other.firm });
    const second = await linkOf((await invite({ email: without.email })).id);
    expect((await accept(second)).code).toBe('invalid_credentials');
    expect(await hasPassword(services, without.email, PASSWORD)).toBe(false);
    expect((await call('invites.join', second)).code).toBe('forbidden');
  });

  test('of somebody signed in is accepted with the session of its address, and with no other', async () => {
    const other = await createUserWithToken(gateway, { permissions: [] });
    await withTransaction(services, (ctx) => setPassword(ctx, other.user.email, PASSWORD));
    const session = await gateway.rpc('sessions.signIn', {
      body: { email: other.user.email, password: PASSWORD },
    });
    const link = await linkOf((await invite({ email: other.user.email })).id);
    const colleague = await createUserWithToken(gateway, { firm: other.firm, permissions: [] });
    expect((await call('invites.join', link, colleague.token)).code).toBe('forbidden');
    expect((await call('invites.join', link, session.data.token)).code).toBeNull();
    expect(await memberOf(other.user.email)).toMatchObject({ state: 'active' });
  });

  test('is found with no other key, and ends by time, by revocation and with the rights of who made it', async () => {
    const first = await invite();
    const link = await linkOf(first.id);
    for (const wrong of [
      { key: '' },
      { key: `${link.key.slice(0, -2)}AA` },
      { invite: `inv_${'0'.repeat(26)}` },
      { workspace: 'no-such-firm' },
    ])
      expect((await call('invites.get', { ...link, ...wrong }, null)).code).toBe('resource_not_found');

    gateway.clock.advance(7 * DAY_MS);
    expect((await accept(link)).code).toBe('invite_ended');
    expect(await done('firm.invites.resend', { id: first.id })).toMatchObject({ state: 'pending', sent: 1 });
    expect(await done('invites.get', link, null)).toMatchObject({ state: 'pending' });
    expect(await done('firm.invites.revoke', { id: first.id })).toMatchObject({ state: 'revoked' });
    expect(await done('firm.invites.revoke', { id: first.id })).toMatchObject({ state: 'revoked' });
    expect((await accept(link)).code).toBe('invite_ended');
    expect((await call('firm.invites.resend', { id: first.id })).code).toBe('invite_ended');

    const lead = await createUserWithToken(gateway, { firm, permissions: [...agent, 'manage_members'] });
    const second = await done(
      'firm.invites.create',
      { email, permissions: agent, by_mail: false },
      lead.token,
    );
    const other = await linkOf(second.id);
    await done('firm.members.update', { id: lead.user.id, permissions: ['view_tickets', 'manage_members'] });
    expect(await listed(second.id)).toMatchObject({ state: 'withdrawn' });
    expect((await accept(other)).code).toBe('invite_ended');
    await done('firm.invites.resend', { id: second.id });
    expect((await accept(other)).code).toBeNull();
  });

  test('gives no permission that its maker lacks, for no member, once for an address, within limits', async () => {
    const lead = await createUserWithToken(gateway, {
      firm,
      permissions: ['view_tickets', 'manage_members'],
    });
    const make = (body: object, as = lead.token) =>
      call('firm.invites.create', { email, permissions: [], by_mail: false, ...body }, as);
    expect((await make({ permissions: agent })).text).toContain('manage_tickets');
    expect((await make({ email: user.email.toUpperCase() })).code).toBe('validation_failed');
    const strong = await invite();
    expect((await make({})).code).toBe('validation_failed');
    for (const procedure of ['link', 'resend', 'revoke'])
      expect(
        (await call(`firm.invites.${procedure}`, { id: strong.id }, lead.token)).code,
        procedure,
      ).toMatch(/forbidden|validation_failed/);
    for (let mails = 0; mails < 5; mails++) await done('firm.invites.resend', { id: strong.id });
    expect((await call('firm.invites.resend', { id: strong.id })).code).toBe('validation_failed');
    for (let made = 1; made < 50; made++)
      await done('firm.invites.create', { email: `${made}-${email}`, permissions: [], by_mail: false });
    expect((await make({ email: `last-${email}` }, token)).code).toBe('rate_limited');
    gateway.clock.advance(DAY_MS + 1);
    expect((await make({ email: `last-${email}` }, token)).code).toBeNull();
  });

  test('joins no account that the bearer of a copied link has made, until its owner opens a mailed one', async () => {
    // The inviting person accepts in the name of another, and keeps ways to sign in.
    expect((await accept(await linkOf((await invite()).id))).code).toBeNull();
    const signIn = (password: string) => gateway.rpc('sessions.signIn', { body: { email, password } });
    const { token: planted, user: account } = (await signIn(PASSWORD)).data;
    await services.pool.query(
      `insert into passkeys (id, user_id, credential_id, public_key, sign_count, transports, name, created_at)
       values (gen_random_uuid(), $1, $2, '', 0, '{}', 'Key', now())`,
      [account.id, unique('credential')],
    );
    await services.pool.query(
      `insert into second_factors (user_id, secret, created_at, last_step) values ($1, '', now(), 0)`,
      [account.id],
    );
    const other = await createUserWithToken(gateway, { permissions: [...permissions] });
    const made = await done('firm.invites.create', { email, permissions: agent, by_mail: true }, other.token);
    const copied = keyIn((await done('firm.invites.link', { id: made.id }, other.token)).url);
    expect((await accept(copied)).code).toBe('invalid_credentials');
    expect((await call('invites.join', copied, planted)).code).toBe('forbidden');
    await runSending(services);
    const mailed = mailedLink();
    expect((await call('invites.join', mailed, planted)).code).toBe('forbidden');
    // To the owner, the account is new.
    expect(await done('invites.get', mailed, null)).toMatchObject({ has_account: false });
    const own = 'the password of its owner';
    expect((await accept(mailed, { password: own, name: 'The Owner' })).code).toBeNull();
    const { rows: kept } = await services.pool.query(
      `select user_id from passkeys where user_id = $1 union all select user_id from second_factors where user_id = $1`,
      [account.id],
    );
    expect(kept).toEqual([]);
    expect((await gateway.request('GET /v1/ping', { token: planted })).status).toBe(401);
    expect((await signIn(PASSWORD)).code).toBe('invalid_credentials');
    expect(await hasPassword(services, email, own)).toBe(true);
    const members = (await done('firm.members.list', {}, other.token)).data;
    expect(members).toContainEqual(expect.objectContaining({ email, name: 'The Owner', state: 'active' }));

    // Proved once, it is joined with its password again.
    const third = await createUserWithToken(gateway, { permissions: [...permissions] });
    const last = await done('firm.invites.create', { email, permissions: [], by_mail: false }, third.token);
    const link = keyIn((await done('firm.invites.link', { id: last.id }, third.token)).url);
    expect((await accept(link, { password: own })).code).toBeNull();
  });

  test('is not mailed to a mailbox of the firm, which others than the invited person can read', async () => {
    await createMailbox(services, { firm, email, reads: [user] });
    const made = await invite({ by_mail: true });
    await runSending(services);
    expect(await listed(made.id)).toMatchObject({ delivery: 'not_sent' });
  });

  test('of a suspended firm is not accepted', async () => {
    const link = await linkOf((await invite()).id);
    await withTransaction(services, (ctx) => suspendFirm(ctx, firm.slug));
    expect((await accept(link)).code).toBe('workspace_not_permitted');
  });

  test('is accepted once by two who open its link', async () => {
    const link = await linkOf((await invite()).id);
    const codes = (await Promise.all([accept(link), accept(link, { name: 'Another' })])).map(
      ({ code }) => code,
    );
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(codes).not.toContain('internal_error');
  });
});

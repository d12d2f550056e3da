/** A new password by a link in a mail. */
import { createMailbox, createUser, createWorkspace, startFarEnd, TestLog } from '@firmdesk/testing';
import { createUserWithPassword, openTestGateway, signInAt, suiteGateway } from '@firmdesk/testing/gateway';
import { afterAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { deactivateAccount } from '../../access/accounts/deactivate-account.ts';
import { setPassword } from '../../access/accounts/users.ts';
import { openSmtp } from '../../mail/sending/smtp.ts';
import { runSending } from '../../mail/sending/testing.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { setPasswordForOwner } from '../set-password-for-owner.ts';
import { queueResetMail } from './reset-password.ts';

const MINUTE = 60_000;
const NEXT = 'a long one, and new';
const farEnd = await startFarEnd();
const gateway = await suiteGateway();
const { services, clock } = gateway;
const server = openSmtp({ url: farEnd.url, password: null, dkim: null, log: new TestLog() });
services.mail = { domains: ['desk.example'], server };
afterAll(async () => {
  await server.close();
  await farEnd[Symbol.asyncDispose]();
});
const signIn = signInAt(gateway);

let email: string;
let id: string;
let firm: Awaited<ReturnType<typeof createUserWithPassword>>['firm'];
beforeEach(async () => {
  const one = await createUserWithPassword(gateway);
  ({ email, id } = one.user);
  firm = one.firm;
});

const rpc = (name: string, body: object) => gateway.rpc(`sessions.${name}`, { token: null, body });
const queue = (to = email) => withTransaction(services, (ctx) => queueResetMail(ctx, to, '127.0.0.1'));
const mailsTo = (to = email) => farEnd.accepted.filter((mail) => mail.to.includes(to));
/** Returns the links in the mails that the account got, oldest first. */
const linksTo = () =>
  mailsTo().flatMap(({ raw }) => {
    const text = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    return /reset-password#([\w-]{43})/.exec(text)?.[1] ?? [];
  });
async function requestLink(): Promise<string> {
  await queue();
  await runSending(services);
  return linksTo().at(-1)!;
}
const reset = (link: string) => rpc('resetPassword', { link, new_password: NEXT });

test('a link sets a new password once, and ends every session of the account', async () => {
  const { token } = (await signIn(email)).body.data;
  const link = await requestLink();
  const other = await requestLink();
  expect((await rpc('resetPassword', { link, new_password: 'short' })).code).toBe('validation_failed');
  expect((await reset(link)).code).toBeNull();
  expect((await gateway.request('GET /v1/ping', { token })).body.error.code).toBe('revoked_token');
  expect((await signIn(email)).body.error.code).toBe('invalid_credentials');
  expect((await signIn(email, { password: NEXT })).status).toBe(201);
  for (const used of [link, other, 'x'.repeat(43)])
    expect((await reset(used)).code).toBe('challenge_expired');
  const { rows } = await services.pool.query(
    `select action, after from audit_events where target_id = $1 and action like '%reset%' order by id`,
    [id],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'user.password_reset_requested',
    'user.password_reset_requested',
    'user.password_reset',
  ]);
  expect(rows.at(-1).after).toMatchObject({ signed_out: 1 });
});

test('the owner is told of the new password, by mail too, with what to do', async () => {
  const link = await requestLink();
  await reset(link);
  await runSending(services);
  const mail = mailsTo().at(-1)!.raw.replaceAll('=\r\n', '');
  expect(mail).toMatch(/^Subject: Your password was reset by a link from a mail\r$/m);
  expect(mail).toContain('From the network: 127.0.0.0/24');
  expect(mail).toContain('If this was not you');
  expect(mail).not.toContain(link);
  await withTransaction(services, (ctx) => setPasswordForOwner(ctx, email, 'the one of the operator'));
  const { rows } = await services.pool.query(
    `select title, body from notifications where user_id = $1 and kind = 'sign_in_changed' order by created_at`,
    [id],
  );
  expect(rows.map(({ title }) => title).sort()).toEqual([
    'Your password was reset by a link from a mail',
    'Your password was set by the service',
  ]);
  expect(rows.map(({ body }) => body).join()).toContain('an operator of the service');
});

test('of two that use a link at once, one sets its password', async () => {
  const link = await requestLink();
  const codes = await Promise.all([1, 2, 3].map(async () => (await reset(link)).code));
  expect(codes.toSorted()).toEqual(['challenge_expired', 'challenge_expired', null].toSorted());
});

test('a link lives for an hour, and not beyond the account', async () => {
  const late = await requestLink();
  clock.advance(60 * MINUTE);
  expect((await reset(late)).code).toBe('challenge_expired');
  const ended = await requestLink();
  await withTransaction(services, (ctx) => deactivateAccount(ctx, email));
  expect((await reset(ended)).code).toBe('challenge_expired');
  expect((await rpc('resetPassword', { link: ended, new_password: NEXT })).code).toBe('challenge_expired');
});

test('an operator who sets the password ends the links', async () => {
  const link = await requestLink();
  await services.pool.query('update users set email_proved = false where id = $1', [id]);
  await withTransaction(services, (ctx) => setPassword(ctx, email, 'the one of the operator'));
  expect((await reset(link)).code).toBe('challenge_expired');
  // The operator answers for the address.
  expect((await signIn(email, { password: 'the one of the operator' })).status).toBe(201);
  const { rows } = await services.pool.query('select email_proved from users where id = $1', [id]);
  expect(rows).toEqual([{ email_proved: true }]);
});

test('a mailbox of another firm with the address of the account does not get the link', async () => {
  const other = await createWorkspace(services);
  const mailbox = await createMailbox(services, { firm: other, email });
  await requestLink();
  expect(mailsTo()).toHaveLength(1);
  const { rows } = await services.pool.query('select from mail_messages where mailbox_id = $1', [mailbox.id]);
  expect(rows).toEqual([]);
  await services.pool.query('delete from mailbox_addresses where address = lower($1)', [email]);
  const own = await createMailbox(services, { firm, email });
  clock.advance(1_000);
  await queue();
  await runSending(services);
  expect(mailsTo()).toHaveLength(1);
  const kept = await services.pool.query('select from mail_messages where mailbox_id = $1', [own.id]);
  expect(kept.rows).toHaveLength(1);
});

test('a mailbox that others read does not get the link', async () => {
  const colleague = await createUser(services, { firm });
  const box = await createMailbox(services, { firm, email, reads: [{ id, email }, colleague] });
  await queue();
  await runSending(services);
  const { rows } = await services.pool.query('select from mail_messages where mailbox_id = $1', [box.id]);
  expect(rows).toEqual([]);
  expect(mailsTo()).toEqual([]);
  const { rows: states } = await services.pool.query(
    `select r.state from outgoing_messages o join outgoing_recipients r on r.workspace_id = o.workspace_id and r.message_id = o.id
     where o.user_id = $1 and o.kind = 'password_reset'`,
    [id],
  );
  expect(states).toEqual([{ state: 'not_sent' }]);
});

test('removes what was set before the address of the account was proved, and only then', async () => {
  const plant = () =>
    services.pool.query(
      `insert into passkeys (id, user_id, credential_id, public_key, sign_count, transports, name, created_at)
       values (gen_random_uuid(), $1, gen_random_uuid(), '', 0, '{}', 'Key', now())`,
      [id],
    );
  const passkeys = async () =>
    (await services.pool.query('select from passkeys where user_id = $1', [id])).rows.length;
  await plant();
  await services.pool.query('update users set email_proved = false where id = $1', [id]);
  // Not even a mailbox that only the account reads shows who owns the address.
  const box = await createMailbox(services, { firm, email, reads: [{ id, email }] });
  expect((await reset(await requestLink())).code).toBeNull();
  const { rows } = await services.pool.query('select from mail_messages where mailbox_id = $1', [box.id]);
  expect(rows).toEqual([]);
  expect(await passkeys()).toBe(0);
  expect((await signIn(email, { password: NEXT })).status).toBe(201);
  await services.pool.query('delete from mailbox_addresses where address = lower($1)', [email]);
  await plant();
  clock.advance(1_000);
  const kept = await reset(await requestLink());
  expect(kept.data.passkeys).toMatchObject([{ name: 'Key' }]);
  expect(await passkeys()).toBe(1);
  clock.advance(1_000);
  const removed = await rpc('resetPassword', {
    link: await requestLink(),
    new_password: NEXT,
    remove_passkeys: true,
  });
  expect([removed.data.passkeys, await passkeys()]).toEqual([[], 0]);
});

test('the link is stored nowhere: neither in the queue nor in the log of what was sent', async () => {
  await queue();
  await runSending(services);
  const [link] = linksTo();
  const { rows: tables } = await services.pool.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  );
  for (const { name } of tables) {
    const { rows } = await services.pool.query(
      `select from "${name}" t where strpos(row_to_json(t)::text, $1) > 0`,
      [link],
    );
    expect(rows, name).toEqual([]);
  }
});

test('says the same to everybody, and mails only those who can sign in, at most five times an hour', async () => {
  const gone = await createUserWithPassword(gateway);
  await withTransaction(services, (ctx) => deactivateAccount(ctx, gone.user.email));
  const without = await createUser(services, { firm: await createWorkspace(services) });
  await services.pool.query('update memberships set active = false where user_id = $1', [without.id]);
  const unknown = 'nobody@elsewhere.example';
  const answers = [];
  for (const to of [email, gone.user.email, without.email, unknown])
    answers.push(await rpc('requestPasswordReset', { email: to }));
  for (const { code, data } of answers)
    expect({ code, data }).toEqual({ code: null, data: { object: 'password_reset_requested' } });
  await vi.waitFor(async () => {
    await runSending(services);
    expect(mailsTo()).toHaveLength(1);
  }, 10_000);
  for (let i = 0; i < 7; i++) {
    clock.advance(1_000);
    await queue();
  }
  for (const to of [gone.user.email, without.email, unknown]) await queue(to);
  await runSending(services);
  expect(mailsTo()).toHaveLength(5);
  for (const to of [gone.user.email, without.email, unknown]) expect(mailsTo(to)).toEqual([]);
  expect(mailsTo()[0]!.raw).toMatch(/^From: .*no-reply@desk\.example/m);
});

test('is written in the wording of the firm', async () => {
  await services.pool.query('update workspaces set mail_templates = $2 where id = $1', [
    firm.id,
    { password_reset: { en: { subject: 'Neues Passwort', text: '{{reset_url}}' } } },
  ]);
  await requestLink();
  expect(mailsTo()[0]!.raw).toMatch(/^Subject: Neues Passwort\r$/m);
});

test('requests are limited as passwords are, for unknown addresses too', async () => {
  await using real = await openTestGateway(inject('postgresUrl'), { limitsSignIns: true });
  const codes = [];
  for (let i = 0; i < 12; i++)
    codes.push(
      (await real.rpc('sessions.requestPasswordReset', { token: null, body: { email: 'x@y.example' } })).code,
    );
  expect(codes).toContain(null);
  expect(codes.at(-1)).toBe('rate_limited');
});

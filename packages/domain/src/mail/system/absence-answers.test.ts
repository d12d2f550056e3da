import type { MailboxSettings } from '@firmdesk/contract';
import { startFarEnd, TestLog, type TestMailbox, unique } from '@firmdesk/testing';
import { createMailUser, createUserWithToken, type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { deliverMail } from '../receiving/deliver-mail.ts';
import { receiveMail } from '../receiving/receive-mail.ts';
import { openSmtp } from '../sending/smtp.ts';
import { runSending } from '../sending/testing.ts';

const DAY_MS = 86_400_000;
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
let token: string;
let mailbox: TestMailbox;
let writer: string;

beforeEach(async () => {
  ({ firm, token, mailbox } = await createMailUser(gateway));
  writer = `${unique('ann')}@elsewhere.example`;
});

const ON = { is_on: true, subject: '', text: 'I am away <until> Monday.', starts_at: null, ends_at: null };
const call = (name: string, body: object, as = token) =>
  gateway.rpc(`mail.settings.${name}`, { token: as, body: { address_id: mailbox.id, ...body } });
const set = (absence: Partial<MailboxSettings['absence']> = {}) =>
  call('save', { signature: '', absence: { ...ON, ...absence } });

/** Delivers a message of the writer, and sends what it caused. Returns the answers that the writer got so far. */
async function write(
  headers: string[] = [],
  { from = writer, to = mailbox.email, folder = 'inbox' as 'inbox' | 'spam' } = {},
) {
  const text = [
    `From: Ann <${from}>`,
    `To: ${to}`,
    'Subject: Payout',
    `Message-ID: <${unique('m')}@x.example>`,
    ...headers,
  ];
  await deliverMail(services, {
    raw: Buffer.from(`${text.join('\r\n')}\r\n\r\nWhere is it?\r\n`),
    mailbox: mailbox.email,
    folder,
  });
  await runSending(services);
  await runSending(services);
  return farEnd.accepted.filter((mail) => mail.to.includes(from));
}

test('answers a person once a week, from the mailbox, marked as automatic, with an empty return path', async () => {
  await set({ subject: 'Away' });
  const [answer, ...more] = await write();
  expect(more).toEqual([]);
  expect(answer!.returnPath).toBe('');
  expect(answer!.raw).toMatch(/^Auto-Submitted: auto-replied\r$/m);
  expect(answer!.raw).toMatch(/^Subject: Away\r$/m);
  expect(answer!.raw).toMatch(/^In-Reply-To: <m.*@x\.example>\r$/m);
  expect(answer!.raw).toContain(`<${mailbox.email}>`);
  expect(answer!.raw).toContain('I am away &lt;until&gt; Monday.');
  gateway.clock.advance(6 * DAY_MS);
  expect(await write()).toHaveLength(1);
  gateway.clock.advance(2 * DAY_MS);
  expect(await write()).toHaveLength(2);
});

describe('does not answer', () => {
  test.each([
    ['what a program sent', 'Auto-Submitted: auto-generated'],
    ['another automatic answer', 'Auto-Submitted: auto-replied'],
    ['bulk mail', 'Precedence: bulk'],
    ['a list', 'List-Id: <all.firm.example>'],
    ['a newsletter', 'List-Unsubscribe: <https://x.example>'],
    ['who asks for no answer', 'X-Auto-Response-Suppress: OOF, DR'],
    ['mail without a return path', 'Return-Path: <>'],
    ['a report', 'Content-Type: multipart/report; boundary=b; report-type=delivery-status'],
  ])('%s', async (_, header) => {
    await set();
    expect(await write([header])).toEqual([]);
  });

  test('programs by their address, its own addresses, and mail that was not addressed to it', async () => {
    await set();
    for (const from of [`mailer-daemon@${unique('x')}.example`, `no-reply@${unique('x')}.example`])
      expect(await write([], { from })).toEqual([]);
    expect(await write([], { from: mailbox.email })).toEqual([]);
    expect(await write([], { to: 'undisclosed@x.example' })).toEqual([]);
    expect(await write([], { folder: 'spam' })).toEqual([]);
  });

  test('outside of its time, and once it is switched off or its account has left', async () => {
    const now = gateway.clock.now().getTime();
    await set({
      starts_at: new Date(now + DAY_MS).toISOString(),
      ends_at: new Date(now + 2 * DAY_MS).toISOString(),
    });
    expect(await write()).toEqual([]);
    gateway.clock.advance(3 * DAY_MS);
    expect(await write()).toEqual([]);
    await set({ is_on: false });
    expect(await write()).toEqual([]);
    await set();
    await services.pool.query('update memberships set active = false where workspace_id = $1', [firm.id]);
    expect(await write()).toEqual([]);
  });
});

test('answers who says that it was not automatic, and mail to a tagged address', async () => {
  await set();
  const to = mailbox.email.replace('@', '+orders@');
  expect(await write(['Auto-Submitted: no'], { to })).toHaveLength(1);
});

test('the settings of a mailbox are of those who write from it', async () => {
  await call('save', { signature: 'Kind regards\nAnn', absence: ON });
  expect((await call('get', {})).data).toMatchObject({ signature: 'Kind regards\nAnn', absence: ON });
  const reader = await createUserWithToken(gateway, { firm, scopes: ['mail:write', 'mail:read'] });
  const other = await createMailUser(gateway);
  for (const stranger of [reader.token, other.token]) {
    expect((await call('get', {}, stranger)).code).toBe('resource_not_found');
    expect((await call('save', { signature: '', absence: ON }, stranger)).code).toBe('resource_not_found');
  }
});

test.each([
  { text: ' ' },
  { text: 'x'.repeat(5_001) },
  { starts_at: '2026-01-02T00:00:00.000Z', ends_at: '2026-01-01T00:00:00.000Z' },
])('refuses %j', async (absence) => {
  expect((await set(absence)).code).toBe('validation_failed');
});

test('does not answer a sender that its domain disowns, and at most 200 messages a day', async () => {
  await set();
  const receive = (from: string, headers: string[] = []) =>
    receiveMail(
      services,
      {
        raw: Buffer.from(
          [
            ...headers,
            `From: ${from}`,
            `To: ${mailbox.email}`,
            `Message-ID: <${unique('m')}@x.example>`,
            '',
            'Hi',
          ].join('\r\n'),
        ),
        sender: from,
        recipients: [mailbox.email],
      },
      { spamHeader: 'x-spam-flag', trustedHosts: ['mx.desk.example'], dnsServers: null },
    );
  await receive(writer, [
    'Authentication-Results: mx.desk.example; dmarc=fail header.from=elsewhere.example',
  ]);
  const answers = async () =>
    (
      await services.pool.query(
        `select from outgoing_messages where workspace_id = $1 and kind = 'absence'`,
        [firm.id],
      )
    ).rows.length;
  expect(await answers()).toBe(0);
  await receive(writer);
  expect(await answers()).toBe(1);
  await services.pool.query(
    `insert into outgoing_messages (workspace_id, id, user_id, kind, about, content, send_at, send_until)
     select workspace_id, gen_random_uuid()::text, user_id, kind, 'absence ' || $2 || ' x' || n, content, send_at, send_until
     from outgoing_messages, generate_series(2, 200) n where workspace_id = $1`,
    [firm.id, mailbox.id],
  );
  await receive(`${unique('ben')}@elsewhere.example`);
  expect(await answers()).toBe(200);
});

import { generateKeyPairSync } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { type FarEnd, startFarEnd, TestLog, type TestMailbox, type TestUser } from '@firmdesk/testing';
import { createMailUser, type Firm, notificationsOf, suiteGateway } from '@firmdesk/testing/gateway';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { readSmtpUrl } from './read-smtp-url.ts';
import { openSmtp } from './smtp.ts';

import { runSending } from './testing.ts';

const farEnd = await startFarEnd();
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const dkim = { privateKey, selector: 's1', domains: ['desk.example', 'example.com'] as [string, string] };
const gateway = await suiteGateway();
const { services } = gateway;
const open = (url: string, more: Partial<Parameters<typeof openSmtp>[0]> = {}) =>
  openSmtp({ url, password: null, dkim, log: new TestLog(), ...more });
const server = open(farEnd.url, { timeouts: { silenceMs: 1_000 } });
services.mail = { domains: ['desk.example'], server };
afterAll(async () => {
  await server.close();
  await farEnd[Symbol.asyncDispose]();
});

let firm: Firm;
let me: TestUser;
let token: string;
let mailbox: TestMailbox;
let address: string;
let other: Awaited<ReturnType<typeof createMailUser>>;
let count = 0;

beforeEach(async () => {
  ({ firm, user: me, token, mailbox } = await createMailUser(gateway));
  other = await createMailUser(gateway);
  address = `ann${++count}@elsewhere.example`;
});

const send = async (body: object = {}) => {
  const answer = await gateway.request('POST /v1/me/mail/messages', {
    token,
    body: {
      address_id: mailbox.id,
      to: [address],
      subject: 'Zahlen',
      body: '<p>Hello <b>Ann</b></p>',
      ...body,
    },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.id as string;
};
const deliveryOf = async (id: string) =>
  (await gateway.request(`GET /v1/me/mail/messages/${id}`, { token })).body.data.delivery;
const arrived = (at: FarEnd['accepted'], to = address) => at.filter((message) => message.to.includes(to));
const messageIdOf = ({ raw }: { raw: string }) => /^Message-ID: (.*)$/im.exec(raw)![1];

describe('the mail server', () => {
  test('gets a message, and its words are on the message', async () => {
    const id = await send({ cc: ['cc@elsewhere.example'], bcc: ['bcc@elsewhere.example'] });
    await runSending(services);
    expect(await deliveryOf(id)).toEqual({
      state: 'sent',
      send_at: null,
      recipients: [address, 'cc@elsewhere.example', 'bcc@elsewhere.example'].map((email) => ({
        email,
        state: 'sent',
        detail: expect.stringMatching(/^250 2\.0\.0 Ok: queued as \d+$/),
      })),
    });
    const { raw } = arrived(farEnd.accepted)[0]!;
    expect(raw).toMatch(/^DKIM-Signature: v=1; a=rsa-sha256;.* d=example\.com;/ms);
    expect(raw).toContain(`From: ${mailbox.name} <${mailbox.email}>`);
    expect(raw).toContain(`To: ${address}`);
    expect(raw).toContain('Cc: cc@elsewhere.example');
    expect(raw).not.toContain('bcc@elsewhere.example');
    expect(raw).toMatch(/multipart\/alternative/);
    expect(raw).toMatch(/^Hello Ann\r$/m);
    expect(raw).toContain('<p>Hello <b>Ann</b></p>');
  });

  test('gets a picture of the text as a part of the message', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await send({ body: `<p>Look</p><img src="data:image/png;base64,${png}">` });
    await runSending(services);
    const { raw } = arrived(farEnd.accepted)[0]!;
    const [, cid] = /Content-ID: <([^>]+)>/i.exec(raw)!;
    expect(raw.replace(/=\r\n/g, '')).toMatch(new RegExp(`src=(3D)?"cid:${cid}"`));
    expect(raw).toMatch(/Content-Type: image\/png/);
  });

  test('gets the references of an answer', async () => {
    const local = await send({ to: [mailbox.email] });
    await runSending(services);
    await send({ in_reply_to: local });
    await runSending(services);
    const { raw } = arrived(farEnd.accepted)[0]!;
    const { rows } = await services.pool.query(
      'select internet_message_id as id from mail_messages where id = $1',
      [local],
    );
    expect(raw).toContain(`In-Reply-To: <${rows[0].id}>`);
    expect(raw).toContain(`References: <${rows[0].id}>`);
  });

  test('that refuses a recipient or the message is believed, and the author is told', async () => {
    const spam = `spam-${address}`;
    farEnd.behave(address, 'refuse');
    farEnd.behave(spam, 'refuse-message');
    const id = await send({ to: [address, spam, 'fine@elsewhere.example'] });
    await runSending(services);
    expect((await deliveryOf(id)).recipients).toEqual([
      { email: address, state: 'failed', detail: '550 5.1.1 No such user here' },
      { email: spam, state: 'failed', detail: '554 5.7.1 Refused as spam' },
      { email: 'fine@elsewhere.example', state: 'sent', detail: expect.any(String) },
    ]);
    expect((await deliveryOf(id)).state).toBe('failed');
    expect(await notificationsOf(gateway, firm)).toMatchObject([
      { user_id: me.id, title: 'Not delivered: Zahlen' },
    ]);
  });

  test('that refuses for now is asked again, with the same Message-ID', async () => {
    farEnd.behave(address, 'greylist');
    const id = await send({ to: [address, other.mailbox.email] });
    await runSending(services);
    expect(await deliveryOf(id)).toMatchObject({
      state: 'queued',
      recipients: [
        { state: 'queued', detail: '450 4.2.0 Greylisted, try again later' },
        { state: 'delivered_locally' },
      ],
    });
    const { rows } = await services.pool.query<{ s: number }>(
      `select extract(epoch from run_at - now())::float8 as s from job_requests where task = 'mail.send' and workspace_id = $1`,
      [firm.id],
    );
    expect(rows[0]!.s).toBeLessThan(60);
    farEnd.behave(address, 'accept');
    await runSending(services);
    expect((await deliveryOf(id)).state).toBe('sent');
    const { rows: local } = await services.pool.query('select id from mail_messages where mailbox_id = $1', [
      other.mailbox.id,
    ]);
    expect(local).toHaveLength(1);
  });

  test('that drops the line before it answers gets the message again, with the same Message-ID', async () => {
    farEnd.behave(address, 'drop');
    const id = await send();
    await runSending(services);
    expect((await deliveryOf(id)).state).toBe('queued');
    expect(arrived(farEnd.unanswered)).toHaveLength(1);
    farEnd.behave(address, 'accept');
    await runSending(services);
    expect((await deliveryOf(id)).state).toBe('sent');
    expect(arrived(farEnd.accepted)).toHaveLength(1);
    expect(messageIdOf(arrived(farEnd.accepted)[0]!)).toBe(messageIdOf(arrived(farEnd.unanswered)[0]!));
  });

  test('that never answers is left, and gets the message again', async () => {
    farEnd.behave(address, 'hang');
    const id = await send();
    await runSending(services);
    expect((await deliveryOf(id)).state).toBe('queued');
    farEnd.behave(address, 'accept');
    await runSending(services);
    expect((await deliveryOf(id)).state).toBe('sent');
    expect(arrived(farEnd.accepted)).toHaveLength(1);
  });

  test('is asked for two days, and then the author is told', async () => {
    farEnd.behave(address, 'greylist');
    const id = await send();
    await runSending(services);
    gateway.clock.advance(2 * 86_400_000 - 1_000);
    await runSending(services);
    expect((await deliveryOf(id)).state).toBe('queued');
    gateway.clock.advance(1_000);
    await runSending(services);
    expect((await deliveryOf(id)).recipients).toEqual([
      {
        email: address,
        state: 'failed',
        detail:
          'The mail server did not accept the message within two days. 450 4.2.0 Greylisted, try again later',
      },
    ]);
    expect(await notificationsOf(gateway, firm)).toHaveLength(1);
  });

  test('is not asked for the other recipients while it cannot be reached', async () => {
    const away = open('smtp://127.0.0.1:1');
    services.mail = { ...services.mail, server: away };
    try {
      const id = await send({ to: [], bcc: Array.from({ length: 50 }, (_, i) => `a${i}@elsewhere.example`) });
      await runSending(services);
      const { state, recipients } = await deliveryOf(id);
      expect(state).toBe('queued');
      expect(recipients[0].detail).toMatch(/^The mail server cannot be reached \(\w+\)\.$/);
      expect(recipients.at(-1).detail).toBeNull();
    } finally {
      services.mail = { ...services.mail, server };
    }
  });

  test('does not get what its author may no longer send, when it is asked again', async () => {
    farEnd.behave(address, 'greylist');
    const id = await send();
    await runSending(services);
    farEnd.behave(address, 'accept');
    await services.pool.query('update mailbox_members set can_write = false where user_id = $1', [me.id]);
    await runSending(services);
    expect(await deliveryOf(id)).toMatchObject({
      state: 'failed',
      recipients: [{ detail: 'The author may no longer send from this mailbox.' }],
    });
    expect(arrived(farEnd.accepted)).toEqual([]);
  });
});

describe('a server with a sign-in', () => {
  test('gets the password of the URL or of the file, and a wrong one leaves the message queued', async () => {
    await using guarded = await startFarEnd({
      disabledCommands: ['STARTTLS'],
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, callback) {
        if (username === 'desk' && password === 'p@ss word') callback(null, { user: username });
        else callback(new Error('Wrong password'));
      },
    });
    const withUser = (userinfo: string) => guarded.url.replace('smtp://', `smtp://${userinfo}@`);
    const to = {
      raw: Buffer.from('Subject: x\r\n\r\nx'),
      from: 'a@example.com',
      returnPath: 'a@example.com',
      to: 'b@x.example',
    };
    await open(withUser('desk:p%40ss%20word')).check();
    await open(withUser('desk'), { password: 'p@ss word' }).check();
    const wrong = open(withUser('desk:other'));
    expect(await wrong.send(to)).toMatchObject({ state: 'unreachable' });
    await expect(wrong.check()).rejects.toThrow(/535/);
  });
});

describe('the URL of a mail server', () => {
  test.each([
    [
      'smtps://user:p%40ss@mail.example.com',
      {
        host: 'mail.example.com',
        port: 465,
        isSecure: true,
        isLoopback: false,
        user: 'user',
        password: 'p@ss',
      },
    ],
    ['smtp://mail.example.com', { port: 587, isSecure: false, isLoopback: false, user: '' }],
    ['smtp://127.0.0.1:25', { port: 25, isLoopback: true }],
    ['smtp://[::1]:2525/', { host: '::1', port: 2525, isLoopback: true }],
    ['smtp://localhost:25', { isLoopback: true }],
    ['smtp://127.example.com', { isLoopback: false }],
  ])('%s', (url, place) => {
    expect(readSmtpUrl(url)).toMatchObject(place);
  });

  test.each([
    'http://x.example',
    'mail.example.com',
    'smtp://',
    'smtp://a.example?tls=no',
    'smtp://:p@a.example',
    'smtp://a.example/x',
  ])('is not %s', (url) => {
    expect(() => readSmtpUrl(url)).toThrow(/^must /);
  });

  const [outside] = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter((each) => each.family === 'IPv4' && !each.internal);
  test.runIf(outside)('beyond this machine needs TLS: without it nothing is sent', async () => {
    await using clear = await startFarEnd({}, outside!.address);
    const message = {
      raw: Buffer.from('Subject: x\r\n\r\nx'),
      from: 'a@example.com',
      returnPath: 'a@example.com',
      to: 'b@x.example',
    };
    expect(await open(clear.url).send(message)).toMatchObject({ state: 'unreachable' });
    expect(clear.accepted).toEqual([]);
  });
});

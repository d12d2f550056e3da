import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { MAX_RAW_MESSAGE } from '@firmdesk/contract';
import { addMailboxAlias, type ReceivingRules, withTransaction } from '@firmdesk/domain';
import { createMailbox, startDnsServer, type TestMailbox, unique } from '@firmdesk/testing';
import { createMailUser, measureEventLoop, suiteGateway } from '@firmdesk/testing/gateway';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { type MailListener, type MailListenerOptions, startMailListener } from './mail-listener.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const rules = { spamHeader: 'x-spam-flag', trustedHosts: ['mx.firm.example'], dnsServers: null };
const open = (more: Partial<ReceivingRules> = {}, protocol: MailListenerOptions['protocol'] = 'lmtp') =>
  startMailListener(services, services.log, {
    protocol,
    host: '127.0.0.1',
    port: 0,
    rules: { ...rules, ...more },
  });
const lmtp = await open();
const smtp = await open({}, 'smtp');
afterAll(() => Promise.all([lmtp, smtp].map((listener) => listener.drain(AbortSignal.abort()))));

let token: string;
let mailbox: TestMailbox;
let firm: Awaited<ReturnType<typeof createMailUser>>['firm'];
let user: Awaited<ReturnType<typeof createMailUser>>['user'];
let sent = 0;

beforeEach(async () => {
  ({ token, mailbox, firm, user } = await createMailUser(gateway));
});

/** A connection of a mail server. */
class Client {
  readonly socket: Socket;
  readonly #lines: AsyncIterator<string>;

  constructor({ port }: MailListener) {
    this.socket = connect(port, '127.0.0.1');
    this.#lines = createInterface({ input: this.socket })[Symbol.asyncIterator]();
  }

  /** Returns the next answer, of which the last line counts. */
  async answer(): Promise<string> {
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) return 'closed';
      if (value[3] !== '-') return value;
    }
  }

  async send(command: string): Promise<string> {
    this.socket.write(`${command}\r\n`);
    return this.answer();
  }

  async greet(command = 'LHLO'): Promise<this> {
    await this.answer();
    expect(await this.send(`${command} mx.firm.example`)).toMatch(/^250/);
    return this;
  }

  /** Names the recipients. Returns the codes of the answers. */
  async name(recipients: readonly string[]): Promise<string[]> {
    expect(await this.send('MAIL FROM:<ann@elsewhere.example>')).toMatch(/^250/);
    const answers: string[] = [];
    for (const recipient of recipients) answers.push((await this.send(`RCPT TO:<${recipient}>`)).slice(0, 3));
    return answers;
  }

  /** Sends a message to the recipients that were named. Returns an answer for each. */
  async data(message: string, recipients: number): Promise<string[]> {
    expect(await this.send('DATA')).toMatch(/^354/);
    this.socket.write(`${message.replace(/^\./gm, '..')}\r\n.\r\n`);
    const answers: string[] = [];
    for (let i = 0; i < recipients; i++) answers.push(await this.answer());
    return answers;
  }
}

const mail = (headers: string[] = [], id = ++sent) =>
  [
    ...headers,
    'From: Ann <ann@elsewhere.example>',
    `Message-ID: <${id}@elsewhere.example>`,
    'Subject: Hello',
    '',
    'Hi',
    '.dot',
  ].join('\r\n');

/** Hands a message to the recipients. Returns the code of each recipient. */
async function handOver(message: string, recipients = [mailbox.email], to = lmtp): Promise<string[]> {
  const client = await new Client(to).greet();
  try {
    const named = await client.name(recipients);
    const accepted = named.filter((code) => code === '250').length;
    if (accepted === 0) return named;
    const answers = await client.data(message, accepted);
    return named.map((code) => (code === '250' ? answers.shift()!.slice(0, 3) : code));
  } finally {
    client.socket.destroy();
  }
}

const list = async (folder = 'inbox', box = mailbox) =>
  (await gateway.request(`GET /v1/me/mail/messages?address_id=${box.id}&folder=${folder}`, { token })).body
    .data;
const openFirst = async () =>
  (await gateway.rpc('mail.get', { token, body: { id: (await list())[0].id } })).data;

describe('a message', () => {
  test('is stored before its 250, with its dots', async () => {
    expect(await handOver(mail())).toEqual(['250']);
    expect(await list()).toMatchObject([{ subject: 'Hello', is_read: false, snippet: 'Hi .dot' }]);
  });

  test('gets an answer for each recipient', async () => {
    const other = await createMailbox(services, { firm, writes: [user] });
    const recipients = [mailbox.email, 'nobody@nowhere.example', other.email, mailbox.email.toUpperCase()];
    // The last one is the first one again, which the server shall name later.
    expect(await handOver(mail(), recipients)).toEqual(['250', '550', '250', '452']);
    expect([await list(), await list('inbox', other)].map(({ length }) => length)).toEqual([1, 1]);
  });

  test('is stored once, however often a server that has lost the 250 hands it over', async () => {
    const message = mail();
    const withoutId = 'From: ann@elsewhere.example\r\nSubject: No id\r\n\r\nHi';
    for (let i = 0; i < 2; i++) {
      expect(await handOver(message)).toEqual(['250']);
      expect(await handOver(withoutId)).toEqual(['250']);
    }
    await Promise.all([handOver(mail([], 9_000_001)), handOver(mail([], 9_000_001))]);
    expect(await list()).toHaveLength(3);
  });

  test('is stored once for two addresses of one mailbox', async () => {
    const tagged = mailbox.email.replace('@', '+news@');
    expect(await handOver(mail(), [mailbox.email, tagged])).toEqual(['250', '250']);
    expect(await list()).toHaveLength(1);
  });

  test('that is cut off is not stored', async () => {
    const client = await new Client(lmtp).greet();
    await client.name([mailbox.email]);
    await client.send('DATA');
    client.socket.write(`${mail()}\r\nand more`);
    client.socket.end();
    await once(client.socket, 'close');
    expect(await handOver(mail())).toEqual(['250']);
    expect(await list()).toHaveLength(1);
  });

  test('that is too large or has too many servers behind it is refused for good', async () => {
    const large = `${mail()}\r\n${`${'x'.repeat(998)}\r\n`.repeat(Math.ceil(MAX_RAW_MESSAGE / 1_000))}`;
    expect(await handOver(large)).toEqual(['552']);
    const received = (count: number) =>
      Array<string>(count).fill('Received: from a by b; Fri, 27 Nov 2026 10:00:00 +0000');
    expect(await handOver(mail(received(101)))).toEqual(['554']);
    expect(await list()).toEqual([]);
    expect(await handOver(mail(received(100)))).toEqual(['250']);
    expect(await list()).toHaveLength(1);
  });

  test('with a header of very many lines is refused, and does not block the process', async () => {
    const stopSampling = measureEventLoop(services.pool);
    expect(await handOver(mail([`X-Lines: a${'\r\n a'.repeat(200_000)}`]))).toEqual(['554']);
    // Of the processor's time. Joining the lines one after another took many seconds.
    expect(stopSampling().longestMs).toBeLessThan(1_000);
  });

  test('is answered with 4xx while the database is away, and taken later', async () => {
    const client = await new Client(lmtp).greet();
    await client.name([mailbox.email]);
    await services.pool.query('alter table mail_messages rename to mail_messages_away');
    try {
      expect((await client.data(mail(), 1))[0]).toMatch(/^451 4/);
      await services.pool.query('alter table mailbox_addresses rename to mailbox_addresses_away');
      expect(await client.name([mailbox.email])).toEqual(['451']);
    } finally {
      await services.pool.query('alter table if exists mailbox_addresses_away rename to mailbox_addresses');
      await services.pool.query('alter table mail_messages_away rename to mail_messages');
    }
    const errors = gateway.log.lines.splice(0).filter(({ level }) => level === 'error');
    expect(errors.map(({ message }) => message)).toEqual([
      'a received message was not delivered',
      'a recipient was not looked up',
    ]);
    expect(await handOver(mail())).toEqual(['250']);
    expect(await list()).toHaveLength(1);
  });
});

describe('a recipient', () => {
  const addAlias = ({ email }: TestMailbox, address: string) =>
    withTransaction(services, (ctx) => addMailboxAlias(ctx, { mailbox: email, address }));

  test('can have a tag, an alias and an internationalised domain', async () => {
    const at = mailbox.email.split('@')[0]!;
    for (const address of [`${at}-sales@example.com`, `${at}@exämple.de`]) await addAlias(mailbox, address);
    const recipients = [
      mailbox.email.replace('@', '+tag@'),
      `${at.toUpperCase()}-sales@Example.com`,
      `${at}-sales+x+y@example.com`,
      `${at}@xn--exmple-cua.de`,
    ];
    for (const recipient of recipients)
      expect([recipient, await handOver(mail(), [recipient])]).toEqual([recipient, ['250']]);
    expect(await list()).toHaveLength(4);
    for (const recipient of ['+tag@example.com', `${at}sales@example.com`, `x+${mailbox.email}`])
      expect([recipient, await handOver(mail(), [recipient])]).toEqual([recipient, ['550']]);
  });

  test('with a tag is another mailbox if one has that address', async () => {
    const tagged = mailbox.email.replace('@', '+desk@');
    const other = await createMailbox(services, { firm, writes: [user] });
    await addAlias(other, tagged);
    expect(await handOver(mail(), [tagged])).toEqual(['250']);
    expect([await list(), await list('inbox', other)].map(({ length }) => length)).toEqual([0, 1]);
    await expect(addAlias(mailbox, tagged)).rejects.toThrow('must not be the address of another mailbox');
  });
});

test('mail that the server marks as spam goes to the spam folder', async () => {
  expect(await handOver(mail(['X-Spam-Flag: YES']))).toEqual(['250']);
  expect(await handOver(mail(['X-Spam-Flag: NO', 'x-spam-flag:\r\n\tyes, score=8']))).toEqual(['250']);
  expect(await handOver(mail(['X-Spam-Flag: NO', 'X-Spam-Status: Yes']))).toEqual(['250']);
  expect([await list('spam'), await list()].map(({ length }) => length)).toEqual([2, 1]);
});

describe('the check of the sender', () => {
  test.each<[field: string, expected: object | null]>([
    [
      'Authentication-Results: mx.firm.example; dmarc=pass header.from=elsewhere.example',
      { status: 'verified', via: null },
    ],
    [
      'Authentication-Results: mx.firm.example;\r\n\tdkim=pass (2048-bit; sure) header.d=elsewhere.example;\r\n\tspf=fail smtp.mailfrom=x.example',
      { status: 'verified', via: null },
    ],
    [
      'Authentication-Results: mx.firm.example 1; dmarc=fail (p=reject) header.from=elsewhere.example; dkim=pass header.d=lists.example',
      { status: 'failed', via: 'lists.example' },
    ],
    [
      'Authentication-Results: MX.Firm.Example; dkim=pass header.d=lists.example; dmarc=none',
      { status: 'unverified', via: 'lists.example' },
    ],
    ['Authentication-Results: mx.firm.example; none', { status: 'unverified', via: null }],
    // What anybody can write.
    ['Authentication-Results: mx.evil.example; dmarc=pass header.from=elsewhere.example', null],
    ['Authentication-Results: (mx.firm.example) mx.evil.example; dmarc=pass', null],
    ['X-Nothing: 1', null],
  ])('is read from %s', async (field, expected) => {
    const forged = 'Authentication-Results: mx.firm.example; dmarc=pass header.from=elsewhere.example';
    const below = expected === null ? [] : [forged];
    expect(await handOver(mail([field, ...below]))).toEqual(['250']);
    expect((await openFirst()).sender_check).toEqual(expected);
  });

  test.each([
    ['two From fields', 'From: ceo@bank.example\r\nFrom: ann@elsewhere.example'],
    ['a source route behind an address', 'From: <ceo@bank.example>@relay:ann@elsewhere.example'],
    [
      'an address in an encoded word and one in quotation marks',
      'From: =?utf-8?q?=3Cceo=40bank.example=3E?= "ann@elsewhere.example"',
    ],
  ])('verifies nobody by the domain of another sender: %s', async (_, from) => {
    await using dns = await startDnsServer({
      '_dmarc.elsewhere.example': 'v=DMARC1; p=reject',
      'elsewhere.example': 'v=spf1 ip4:192.0.2.0/24 -all',
    });
    const checking = await open({ dnsServers: [dns.address] });
    const named = (header: string) => mail([header]).replace('From: Ann <ann@elsewhere.example>', from);
    const said = 'Authentication-Results: mx.firm.example; dmarc=pass header.from=elsewhere.example';
    const received = 'Received: from out.example (out.example [192.0.2.7]) by mx.firm.example (Postfix)';
    try {
      for (const header of [said, received])
        expect(await handOver(named(header), [mailbox.email], checking)).toEqual(['250']);
      // One that names a single sender, in the same way.
      expect(await handOver(mail([received]), [mailbox.email], checking)).toEqual(['250']);
    } finally {
      await checking.drain(AbortSignal.abort());
    }
    const shown: [string, string][] = [];
    for (const { id } of await list()) {
      const { from, sender_check } = (await gateway.rpc('mail.get', { token, body: { id } })).data;
      shown.push([from.email, sender_check.status]);
    }
    expect(shown.filter(([, status]) => status === 'verified')).toEqual([
      ['ann@elsewhere.example', 'verified'],
    ]);
    expect(shown.filter(([email]) => email === 'ceo@bank.example')).toHaveLength(2);
  });

  test('verifies no message that shows a second field in place of the first one', async () => {
    const passed = 'Authentication-Results: mx.firm.example; dkim=pass header.d=elsewhere.example';
    for (const second of ['Subject: Urgent', 'Reply-To: a@evil.example\r\nReply-To: ann@elsewhere.example'])
      expect(await handOver(mail([passed, second]))).toEqual(['250']);
    for (const { id } of await list())
      expect((await gateway.rpc('mail.get', { token, body: { id } })).data.sender_check.status).toBe(
        'unverified',
      );
  });

  const invite = (uid: string, ...headers: string[]) =>
    mail([...headers, 'MIME-Version: 1.0', 'Content-Type: text/calendar; method=REQUEST']).replace(
      'Hi\r\n.dot',
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'METHOD:REQUEST',
        'BEGIN:VEVENT',
        `UID:${uid}`,
        'DTSTAMP:20261127T100000Z',
        'DTSTART:20261201T100000Z',
        'DTEND:20261201T110000Z',
        'SUMMARY:Call',
        'ORGANIZER:mailto:ann@elsewhere.example',
        `ATTENDEE:mailto:${mailbox.email}`,
        'END:VEVENT',
        'END:VCALENDAR',
      ].join('\r\n'),
    );
  const known = async (...uids: string[]) => {
    const text = 'select uid from events where uid = any($1)';
    return (await services.pool.query<{ uid: string }>(text, [uids])).rows.map(({ uid }) => uid);
  };

  test('keeps an invitation of a sender that its domain disowns out of the calendar', async () => {
    const [fail, pass] = [`fail-${mailbox.id}`, `pass-${mailbox.id}`];
    const results = 'Authentication-Results: mx.firm.example; dmarc=';
    expect(await handOver(invite(fail, `${results}fail`))).toEqual(['250']);
    expect(await handOver(invite(pass, `${results}pass`))).toEqual(['250']);
    expect(await known(fail, pass)).toEqual([pass]);
  });

  test('keeps who names the organizer as Sender from cancelling an invitation', async () => {
    const uid = `sender-${mailbox.id}`;
    expect(await handOver(invite(uid, 'Authentication-Results: mx.firm.example; dmarc=pass'))).toEqual([
      '250',
    ]);
    for (const results of ['spf=none', 'dmarc=pass header.from=evil.example']) {
      const trace = `Authentication-Results: mx.firm.example; ${results}`;
      const cancel = invite(uid, trace, 'Sender: ann@elsewhere.example').replaceAll('REQUEST', 'CANCEL');
      const forged = cancel.replace('From: Ann <ann@elsewhere.example>', 'From: eve@evil.example');
      expect(await handOver(forged)).toEqual(['250']);
    }
    const { rows } = await services.pool.query('select status from events where uid = $1', [uid]);
    expect(rows).toEqual([{ status: 'pending' }]);
  });

  test('is ours if no trusted host has made it, and waits only seconds for the DNS', async () => {
    await using dns = await startDnsServer({ '_dmarc.elsewhere.example': 'v=DMARC1; p=reject' });
    const checking = await open({ dnsServers: [dns.address] });
    const [disowned, late] = [`disowned-${mailbox.id}`, `late-${mailbox.id}`];
    try {
      expect(await handOver(invite(disowned), [mailbox.email], checking)).toEqual(['250']);
      expect((await openFirst()).sender_check).toEqual({ status: 'failed', via: null });
      dns.silence('all');
      expect(await handOver(invite(late), [mailbox.email], checking)).toEqual(['250']);
      const checks = [];
      for (const { id } of await list())
        checks.push((await gateway.rpc('mail.get', { token, body: { id } })).data.sender_check.status);
      expect(checks.sort()).toEqual(['failed', 'unverified']);
      expect(await known(disowned, late)).toEqual([late]);
    } finally {
      await checking.drain(AbortSignal.abort());
    }
  });
});

test('closing waits for a message that arrives, and takes no other one', async () => {
  const closing = await open();
  const [first, second] = [await new Client(closing).greet(), await new Client(closing).greet()];
  await first.name([mailbox.email]);
  await first.send('DATA');
  first.socket.write('From: ann@elsewhere.example\r\nSubject: Last\r\n');
  const drained = closing.drain(new AbortController().signal);
  expect(await second.send('MAIL FROM:<ann@elsewhere.example>')).toMatch(/^421/);
  first.socket.write('\r\nHi\r\n.\r\n');
  expect(await first.answer()).toMatch(/^250/);
  await drained;
  expect(await list()).toMatchObject([{ subject: 'Last' }]);
  const late = connect(closing.port, '127.0.0.1');
  await expect(once(late, 'connect')).rejects.toThrow('ECONNREFUSED');
});

test('SMTP has one recipient for each message, and its answer', async () => {
  const other = await createMailbox(services, { firm, writes: [user] });
  const client = await new Client(smtp).greet('EHLO');
  expect(await client.name([mailbox.email, other.email, `nobody@${unique('nowhere')}.example`])).toEqual([
    '250',
    '452',
    '452',
  ]);
  const message = mail();
  expect(await client.data(message, 1)).toEqual([expect.stringMatching(/^250 .*Delivered\./)]);
  expect(await client.name([other.email])).toEqual(['250']);
  expect(await client.data(message, 1)).toEqual([expect.stringMatching(/^250 .*Delivered\./)]);
  // A server that has lost the answer sends it again.
  expect(await client.name([mailbox.email])).toEqual(['250']);
  expect(await client.data(message, 1)).toEqual([expect.stringMatching(/^250 .*Delivered before\./)]);
  expect(await client.name([`nobody@${unique('nowhere')}.example`])).toEqual(['550']);
  expect(await client.send('LHLO mx.firm.example')).toMatch(/^5\d\d/);
  client.socket.destroy();
  expect(await list()).toHaveLength(1);
  expect(await list('inbox', other)).toHaveLength(1);
});

test('many messages at once are all stored', async () => {
  const codes = await Promise.all(Array.from({ length: 40 }, () => handOver(mail())));
  expect(codes.flat().every((code) => code === '250')).toBe(true);
  const { body } = await gateway.request(`GET /v1/me/mail/messages?limit=100`, { token });
  expect(body.data).toHaveLength(40);
});

test.each([
  ['', []],
  ['off', null],
  ['192.0.2.53, 127.0.0.1:5353', ['192.0.2.53', '127.0.0.1:5353']],
])('the DNS servers %s are configured', (LMTP_DNS_SERVERS, expected) => {
  expect(readConfig({ LMTP_PORT: '0', LMTP_DNS_SERVERS }, '/').mailListeners[0]!.rules.dnsServers).toEqual(
    expected,
  );
});

test.each(['on', 'dns.example', '192.0.2.53;127.0.0.1', '127.0.0.1:x'])(
  'the DNS server %s is refused',
  (text) => {
    expect(() => readConfig({ LMTP_DNS_SERVERS: text }, '/')).toThrow('LMTP_DNS_SERVERS must be off, or');
  },
);

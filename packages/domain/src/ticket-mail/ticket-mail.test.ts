import { MAX_MESSAGE_LENGTH, type Permission } from '@firmdesk/contract';
import {
  createMailbox,
  createMailMessage,
  createToken,
  createUser,
  createWorkspace,
  type TestUser,
  unique,
} from '@firmdesk/testing';
import {
  createTicketFixture,
  createUserWithToken,
  type Firm,
  suiteGateway,
  ticketCalls,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  addSupportAddress,
  listSupportAddresses,
  removeSupportAddress,
} from '../mail/mailboxes/support-addresses.ts';
import { receiveMail } from '../mail/receiving/receive-mail.ts';
import type { MailServer } from '../mail/sending/mail-server.ts';
import { runSending } from '../mail/sending/testing.ts';
import { withTransaction } from '../platform/database/transaction.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const sent: { raw: string; to: string; returnPath: string }[] = [];
let refusal: string | null = null;
const server: MailServer = {
  async send({ raw, to, returnPath }) {
    sent.push({ raw: raw.toString(), to, returnPath });
    return refusal === null ? { state: 'sent', detail: '250 Ok' } : { state: 'refused', detail: refusal };
  },
  async check() {},
  async close() {},
};
services.mail = { domains: ['desk.example'], server };

let firm: Firm;
let trader: TestUser;
let agent: TestUser;
let token: string;
let address: string;
const { call } = ticketCalls(gateway, () => token);

beforeEach(async () => {
  sent.length = 0;
  refusal = null;
  const permissions: Permission[] = ['view_tickets', 'manage_tickets'];
  ({ firm, trader, token, agent } = await createTicketFixture(gateway, permissions));
  address = `${unique('support')}@desk.example`;
  await support();
});

const support = (over: { senders?: 'members' | 'anyone'; readers?: string[]; email?: string } = {}) =>
  withTransaction(services, (ctx) =>
    addSupportAddress(ctx, { firm: firm.slug, email: address, senders: 'members', readers: [], ...over }),
  );

interface Fields {
  id?: string;
  from?: string;
  subject?: string;
  references?: string[];
  body?: string;
  headers?: string[];
}
const mailOf = ({
  id = `${unique('m')}@mail.example`,
  from = trader.email,
  subject = 'Payout late',
  ...more
}: Fields = {}) =>
  Buffer.from(
    [
      `From: Kim <${from}>`,
      `To: ${address}`,
      `Subject: ${subject}`,
      `Message-ID: <${id}>`,
      ...(more.references ? [`References: ${more.references.map((each) => `<${each}>`).join(' ')}`] : []),
      ...(more.headers ?? []),
      '',
      more.body ?? 'Where is it?',
    ].join('\r\n'),
  );
const rules = { spamHeader: 'x-spam-flag', trustedHosts: ['mx.desk.example'], dnsServers: null };
/** Receives a mail, a second after the previous one. */
const receive = async (fields: Fields = {}, to = address) => {
  gateway.clock.advance(1_000);
  const mail = { raw: mailOf(fields), sender: 'sender@example.com', recipients: [to] };
  return (await receiveMail(services, mail, rules))[0]!.status;
};
const checked = (verdict: string) => [`Authentication-Results: mx.desk.example; ${verdict}`];
const FAILED = checked('dmarc=fail header.from=example.com');
const UNVERIFIED = checked('spf=none smtp.mailfrom=example.com');

interface Shown {
  id: string;
  number: string;
  subject: string;
}
const tickets = async (): Promise<Shown[]> => (await call('list', { sort: 'created_at' })).data;
const messages = async (ticket: string): Promise<Record<string, unknown>[]> =>
  (await call('messages', { ticket })).data.toReversed();
const reply = (ticket: string, body = 'It is on its way.') => call('reply', { ticket, body });
const headerOf = (raw: string, name: string) =>
  new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(raw)?.[1]?.replace(/\r\n[ \t]+/g, ' ');

describe('mail to a support address', () => {
  test('opens a ticket of the trader with the address of its sender', async () => {
    expect(await receive({ from: trader.email.toUpperCase(), body: 'Where is it?\r\n\r\nKim' })).toBe(
      'delivered',
    );
    const [ticket, ...others] = await tickets();
    expect(others).toEqual([]);
    expect(ticket).toMatchObject({ subject: 'Payout late', status: 'open', trader: { id: trader.id } });
    expect(await messages(ticket!.id)).toMatchObject([
      { from: 'trader', body: 'Where is it?\n\nKim', via_email: true, internal: false },
    ]);
  });

  test('has its files on the ticket', async () => {
    const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF').toString('base64');
    const headers = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'];
    const body = `--b\r\nContent-Type: text/plain\r\n\r\nSee file.\r\n--b\r\nContent-Type: application/pdf; name="s.pdf"\r\nContent-Disposition: attachment; filename="s.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\n${pdf}\r\n--b--\r\n`;
    await receive({ headers, body });
    const [ticket] = await tickets();
    const [message] = await messages(ticket!.id);
    expect(message).toMatchObject({
      body: 'See file.',
      attachments: [{ name: 's.pdf', type: 'application/pdf' }],
    });
  });

  test('opens one ticket however often it is delivered, also at once', async () => {
    const mail = { id: `${unique('same')}@mail.example` };
    const statuses = await Promise.all(Array.from({ length: 5 }, () => receive(mail)));
    expect(statuses.toSorted()).toEqual([...Array(4).fill('already_delivered'), 'delivered']);
    expect(await receive(mail)).toBe('already_delivered');
    expect(await tickets()).toHaveLength(1);
  });

  test('is stored with its ticket or not at all', async () => {
    const inbox = services.ticketInbox;
    const mail = { id: `${unique('lost')}@mail.example` };
    services.ticketInbox = {
      ...inbox,
      async receive(ctx, received) {
        await inbox.receive(ctx, received);
        throw new Error('the process ends here');
      },
    };
    try {
      expect(await receive(mail)).toBe('unavailable');
    } finally {
      services.ticketInbox = inbox;
      gateway.log.lines.length = 0;
    }
    expect(await tickets()).toEqual([]);
    expect(await receive(mail)).toBe('delivered');
    expect(await tickets()).toHaveLength(1);
  });

  test('of somebody who is no member stays mail, or is refused if nobody reads the mailbox', async () => {
    const stranger = { from: `${unique('stranger')}@elsewhere.example` };
    expect(await receive(stranger)).toBe('unknown_mailbox');
    const reader = await createUser(services, { firm });
    await support({ readers: [reader.email] });
    expect(await receive(stranger)).toBe('delivered');
    expect(await tickets()).toEqual([]);
  });

  test('of a stranger makes a trader of them where the firm allows it', async () => {
    await support({ senders: 'anyone' });
    const from = `${unique('stranger')}@elsewhere.example`;
    await receive({ from });
    await receive({ from, subject: 'Another matter' });
    expect(await tickets()).toMatchObject([{ trader: { email: from } }, { trader: { email: from } }]);
    expect(await receive({ from: `x${from}`, headers: UNVERIFIED })).toBe('unknown_mailbox');
  });

  test('makes no trader of an account of which it is not known who uses it: others could read the tickets', async () => {
    await support({ senders: 'anyone' });
    const planted = await createUser(services, { firm: await createWorkspace(services) });
    await services.pool.query('update users set email_proved = false where id = $1', [planted.id]);
    expect(await receive({ from: planted.email })).toBe('unknown_mailbox');
    await services.pool.query('update users set email_proved = true where id = $1', [planted.id]);
    expect(await receive({ from: planted.email })).toBe('delivered');
    expect(await tickets()).toMatchObject([{ trader: { email: planted.email } }]);
  });

  test('of strangers makes at most a hundred traders of them in an hour; those known are still taken', async () => {
    await support({ senders: 'anyone' });
    const strangers = Array.from({ length: 101 }, () => `${unique('stranger')}@elsewhere.example`);
    const statuses: string[] = [];
    for (const from of strangers) statuses.push(await receive({ from }));
    expect(statuses.slice(0, 100)).toEqual(Array(100).fill('delivered'));
    expect(statuses[100]).toBe('unknown_mailbox');
    expect(await receive({ from: strangers[0]! })).toBe('delivered');
    expect(await receive()).toBe('delivered');
  });

  test.each([
    ['Auto-Submitted', ['Auto-Submitted: auto-replied']],
    ['Precedence', ['Precedence: bulk']],
    ['an empty return path', ['Return-Path: <>']],
    ['List-Id', ['List-Id: <news.example>']],
    ['a report', ['Content-Type: multipart/report; report-type=delivery-status; boundary=b']],
    ['spam', ['X-Spam-Flag: YES']],
    ['a failed check of the sender', FAILED],
  ])('that is automatic or not to be trusted opens none: %s', async (_, headers) => {
    const reader = await createUser(services, { firm });
    await support({ readers: [reader.email] });
    expect(await receive({ headers })).toBe('delivered');
    expect(await tickets()).toEqual([]);
  });

  test('with an empty return path in its envelope opens none', async () => {
    const reader = await createUser(services, { firm });
    await support({ readers: [reader.email] });
    await receiveMail(services, { raw: mailOf(), sender: '', recipients: [address] }, rules);
    expect(await tickets()).toEqual([]);
  });

  test('of one sender opens at most 20 tickets in an hour', async () => {
    const reader = await createUser(services, { firm });
    await support({ readers: [reader.email] });
    for (let i = 0; i < 22; i++) expect(await receive()).toBe('delivered');
    expect((await call('list', { limit: 100 })).data).toHaveLength(20);
    gateway.clock.advance(3_600_001);
    await receive();
    expect((await call('list', { limit: 100 })).data).toHaveLength(21);
  });

  test('is a message of a ticket however long it is', async () => {
    expect(await receive({ body: `${'word '.repeat(MAX_MESSAGE_LENGTH)}` })).toBe('delivered');
    expect(await receive({ subject: '', body: '' })).toBe('delivered');
    expect(await tickets()).toHaveLength(2);
  });

  test('stays mail again once the address is removed', async () => {
    const about = { firm: firm.slug, email: address };
    expect(await withTransaction(services, (ctx) => listSupportAddresses(ctx, firm.slug))).toEqual([
      { email: address, senders: 'members', readers: 0 },
    ]);
    await withTransaction(services, (ctx) => removeSupportAddress(ctx, about));
    await receive();
    expect(await tickets()).toEqual([]);
    await expect(withTransaction(services, (ctx) => removeSupportAddress(ctx, about))).rejects.toMatchObject({
      apiCode: 'resource_not_found',
    });
  });
});

describe('a ticket that a colleague opens from a mail', () => {
  let mailbox: string;
  let box: { id: number };
  const open = (id: string, as = token) =>
    gateway.rpc('mail.threads.openTicket', { token: as, body: { id } });
  const delivered = async (fields: Fields = {}) => {
    await receive(fields, mailbox);
    const { rows } = await services.pool.query(
      'select id from mail_messages where mailbox_id = $1 order by created_at desc, id desc limit 1',
      [box.id],
    );
    return rows[0].id as string;
  };
  beforeEach(async () => {
    mailbox = `${unique('box')}@desk.example`;
    box = await createMailbox(services, { firm, email: mailbox, writes: [agent] });
  });

  test('has its text and files, is opened once, and its replies continue it by mail', async () => {
    const headers = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'];
    const body =
      '--b\r\nContent-Type: text/plain\r\n\r\nSee file.\r\n--b\r\nContent-Type: text/plain; name="s.txt"\r\nContent-Disposition: attachment; filename="s.txt"\r\n\r\nFile.\r\n--b--\r\n';
    const id = await delivered({ headers, body });
    expect(await tickets()).toEqual([]);
    const answers = await Promise.all([open(id), open(id)]);
    expect(answers.map(({ data }) => data.opened).toSorted()).toEqual([false, true]);
    const [ticket, ...others] = await tickets();
    expect(others).toEqual([]);
    expect(answers.map(({ data }) => data.ticket)).toEqual(
      Array(2).fill({ id: ticket!.id, number: ticket!.number }),
    );
    expect(ticket).toMatchObject({
      subject: 'Payout late',
      status: 'awaiting_admin',
      trader: { id: trader.id },
    });
    expect(await messages(ticket!.id)).toMatchObject([
      { from: 'trader', body: 'See file.', via_email: true, attachments: [{ name: 's.txt' }] },
    ]);
    const { text: reader } = await createToken(services, {
      user: agent,
      workspace: firm.slug,
      scopes: ['mail:read'],
    });
    const thread = (await gateway.rpc('mail.threads.get', { token: reader, body: { id } })).data;
    expect(thread.messages).toMatchObject([{ id, folder: 'inbox', ticket: { id: ticket!.id } }]);
    await reply(ticket!.id);
    await runSending(services);
    const messageId = headerOf(sent[0]!.raw, 'Message-ID')!.slice(1, -1);
    await receive({ references: [messageId] }, mailbox);
    expect((await messages(ticket!.id)).map(({ from }) => from)).toEqual(['trader', 'admin', 'trader']);
    await receive({}, mailbox);
    const other = await createUser(services, { firm, role: 'trader' });
    await receive({ from: other.email, references: [messageId] }, mailbox);
    expect(await tickets()).toHaveLength(1);
  });

  test('is of a stranger only where mail of strangers opens tickets', async () => {
    const from = `${unique('stranger')}@elsewhere.example`;
    const id = await delivered({ from });
    expect((await open(id)).code).toBe('validation_failed');
    await support({ senders: 'anyone' });
    expect((await open(await delivered({ from, headers: UNVERIFIED }))).code).toBe('validation_failed');
    expect((await open(id)).data).toMatchObject({ opened: true });
    expect(await tickets()).toMatchObject([{ trader: { email: from } }]);
  });

  test('needs access to the mailbox, and the permission to manage tickets', async () => {
    const id = await delivered();
    const viewer = await createUserWithToken(gateway, {
      firm,
      permissions: ['view_tickets', 'manage_tickets'],
    });
    expect((await open(id, viewer.token)).code).toBe('resource_not_found');
    const limited = await createUserWithToken(gateway, { firm, permissions: ['view_tickets'] });
    expect((await open(id, limited.token)).code).toBe('forbidden');
    const sentMail = await createMailMessage(services, { mailbox: box, folder: 'sent' });
    expect((await open(sentMail.id)).code).toBe('resource_not_found');
    expect(await tickets()).toEqual([]);
  });
});

describe('a reply of the trader by mail', () => {
  const opened = async () => {
    await receive();
    const [ticket] = await tickets();
    await reply(ticket!.id);
    await runSending(services);
    const messageId = headerOf(sent[0]!.raw, 'Message-ID')!.slice(1, -1);
    return { ticket: ticket!, messageId };
  };

  test('continues its ticket by the mail that it answers, with any subject', async () => {
    const { ticket, messageId } = await opened();
    await receive({ references: [messageId], subject: 'Something else', headers: UNVERIFIED });
    expect((await messages(ticket.id)).map(({ from }) => from)).toEqual(['trader', 'admin', 'trader']);
  });

  test('continues it by the number in the subject, and never by its words', async () => {
    const { ticket } = await opened();
    await receive({ subject: `RE: Payout late [${ticket.number}]` });
    expect(await messages(ticket.id)).toHaveLength(3);
    await receive({ subject: 'Re: Payout late' });
    expect(await tickets()).toHaveLength(2);
  });

  test('that may not be theirs does not continue it by the number', async () => {
    const { ticket } = await opened();
    await receive({ subject: `Re: [${ticket.number}]`, headers: UNVERIFIED });
    expect(await messages(ticket.id)).toHaveLength(2);
  });

  test('of somebody else never lands in it', async () => {
    const { ticket, messageId } = await opened();
    const other = await createUser(services, { firm, role: 'trader' });
    await receive({ from: other.email, references: [messageId], subject: `Re: Payout [${ticket.number}]` });
    await receive({ headers: FAILED, references: [messageId] });
    expect(await messages(ticket.id)).toHaveLength(2);
    expect(await tickets()).toMatchObject([{ id: ticket.id }, { trader: { id: other.id } }]);
  });

  test('opens a new ticket once the first one has ended', async () => {
    const { ticket, messageId } = await opened();
    await call('setStatus', { ticket: ticket.id, status: 'closed' });
    await receive({ references: [messageId] });
    expect(await tickets()).toHaveLength(2);
  });
});

describe('a reply of the team', () => {
  test('is sent to a trader who wrote by mail, as an answer to their mail', async () => {
    const id = `${unique('m')}@mail.example`;
    await receive({ id, references: ['first@mail.example'] });
    const [ticket] = await tickets();
    await reply(ticket!.id, 'Hello <b>Kim</b>,\n\nit is on its way.');
    await call('addNote', { ticket: ticket!.id, body: 'Not for the trader.' });
    await runSending(services);
    expect(sent).toHaveLength(1);
    const [{ raw, to }] = sent as [(typeof sent)[number]];
    expect(to).toBe(trader.email);
    expect(headerOf(raw, 'From')).toContain(`<${address}>`);
    expect(headerOf(raw, 'In-Reply-To')).toBe(`<${id}>`);
    expect(headerOf(raw, 'References')).toBe(`<first@mail.example> <${id}>`);
    expect(headerOf(raw, 'Subject')).toBe(`Re: Payout late [${ticket!.number}]`);
    expect(headerOf(raw, 'Auto-Submitted')).toBeUndefined();
    expect(raw.replaceAll('=\r\n', '')).toContain('Hello &lt;b&gt;Kim');
  });

  test('is not sent by mail for a ticket that was not opened by mail', async () => {
    const { ticket } = await call('start', { to: trader.email, subject: 'Hi', body: 'Hello', kind: 'reply' });
    await reply(ticket.id);
    await runSending(services);
    expect(sent).toEqual([]);
  });

  test('that is held is sent by mail when it is sent, and not if it is taken back', async () => {
    await receive();
    const [ticket] = await tickets();
    const held = await call('holdReply', { ticket: ticket!.id, body: 'Wait' });
    await runSending(services);
    expect(sent).toEqual([]);
    await call('takeBackReply', { ticket: ticket!.id, id: held.id });
    await runSending(services);
    expect(sent).toEqual([]);
  });

  test('that did not reach the trader is a note on the ticket', async () => {
    await receive();
    const [ticket] = await tickets();
    refusal = '550 5.1.1 No such user';
    await reply(ticket!.id);
    await runSending(services);
    expect((await messages(ticket!.id)).at(-1)).toMatchObject({
      from: 'system',
      internal: true,
      event: 'mail_not_delivered',
      body: expect.stringContaining('550 5.1.1 No such user'),
    });
  });

  test('that did not leave, as no mail server is configured, is a note on the ticket, once', async () => {
    await receive();
    const [ticket] = await tickets();
    services.mail = { domains: ['desk.example'], server: null };
    try {
      await reply(ticket!.id);
      await runSending(services);
      await runSending(services);
    } finally {
      services.mail = { domains: ['desk.example'], server };
    }
    const [, , note, ...more] = await messages(ticket!.id);
    expect(more).toEqual([]);
    expect(note).toMatchObject({
      internal: true,
      event: 'mail_not_delivered',
      body: expect.stringContaining(`${trader.email}: no mail server is configured`),
    });
  });

  test('that comes back is a note on the ticket', async () => {
    await receive();
    const [ticket] = await tickets();
    await reply(ticket!.id);
    await runSending(services);
    const report = [
      'From: MAILER-DAEMON@mx.elsewhere.example',
      'Subject: Undelivered Mail Returned to Sender',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.elsewhere.example',
      '',
      `Final-Recipient: rfc822; ${trader.email}`,
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 No such user',
      '',
      '--b--',
    ];
    const raw = Buffer.from(report.join('\r\n'));
    expect(
      await receiveMail(services, { raw, sender: '', recipients: [sent[0]!.returnPath] }, rules),
    ).toEqual([{ status: 'delivered' }]);
    expect((await messages(ticket!.id)).at(-1)).toMatchObject({ event: 'mail_not_delivered' });
  });

  test('goes to the ticket into which its own was merged', async () => {
    await receive();
    await receive({ subject: 'The same' });
    const [from, into] = await tickets();
    await call('merge', { ticket: from!.id, into: into!.id });
    await reply(into!.id);
    await runSending(services);
    expect(sent).toHaveLength(1);
  });
});

import { readFile } from 'node:fs/promises';
import { type MailDelivery, PLATFORM } from '@firmdesk/contract';
import {
  createCalendar,
  createMailbox,
  createStaff,
  createUser,
  createWorkspace,
  type TestMailbox,
  type TestUser,
} from '@firmdesk/testing';
import { createUserWithToken, type Firm, suiteGateway, tokenOf } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
let firm: Firm;
let me: TestUser;
let mailbox: TestMailbox;
let token: string;

beforeEach(async () => {
  ({ firm, user: me, token } = await createUserWithToken(gateway));
  mailbox = await createMailbox(gateway.services, { firm, writes: [me] });
});

/** Calls a procedure. Returns its data, or its error code. */
async function call(name: string, body?: object, as = token) {
  const { data, code } = await gateway.rpc(`mail.${name}`, { token: as, body });
  return code ?? data;
}

interface MessageFields {
  id?: string;
  from?: string;
  to?: string;
  subject?: string;
  inReplyTo?: string;
  references?: string[];
  date?: Date;
  body?: string;
}
const rawMessage = ({
  id,
  from = 'ann@example.com',
  to = 'desk@example.com',
  subject = 'Numbers',
  body = 'hi',
  ...about
}: MessageFields) =>
  [
    `From: Ann <${from}>`,
    `To: ${to}`,
    `Subject: ${subject}`,
    id && `Message-ID: <${id}>`,
    about.inReplyTo && `In-Reply-To: <${about.inReplyTo}>`,
    about.references && `References: ${about.references.map((id) => `<${id}>`).join('\r\n ')}`,
    about.date && `Date: ${about.date.toUTCString()}`,
    '',
    body,
  ]
    .filter((line) => line !== undefined)
    .join('\r\n');
const deliver = (about: MessageFields, input: object = {}): Promise<MailDelivery> =>
  call('deliver', { mailbox: mailbox.email, encoding: 'text', raw: rawMessage(about), ...input });
const open = (id: string) => call('get', { id });

describe('a delivery', () => {
  test('stores the message unread in the inbox, with the time at which it was sent', async () => {
    const delivery = await deliver({ id: 'one@example.com', date: new Date('2026-01-02T03:04:05Z') });
    expect(delivery).toEqual({
      object: 'mail_delivery',
      status: 'delivered',
      id: expect.stringMatching(/^msg_/),
      thread_id: expect.any(Number),
      address_id: mailbox.id,
      left_out: [],
    });
    expect(await open(delivery.id)).toEqual({
      id: delivery.id,
      object: 'mail_message',
      thread_id: delivery.thread_id,
      address_id: mailbox.id,
      folder: 'inbox',
      previous_folder: null,
      subject: 'Numbers',
      from: { email: 'ann@example.com', name: 'Ann' },
      to_recipients: [{ email: 'desk@example.com', name: null }],
      cc_recipients: [],
      bcc_recipients: [],
      snippet: 'hi',
      body: '<div style="white-space: pre-wrap">hi</div>',
      attachments: [],
      left_out: [],
      in_reply_to: null,
      delivery: null,
      reply_to: [],
      sender_check: null,
      is_read: false,
      message_at: '2026-01-02T03:04:05.000000Z',
    });
  });

  test('finds the mailbox case-insensitively, and stores the message in spam or archive if asked', async () => {
    for (const folder of ['spam', 'archive'] as const) {
      const { id } = await deliver(
        { id: `${folder}@example.com` },
        { mailbox: mailbox.email.toUpperCase(), folder },
      );
      expect((await open(id)).folder).toBe(folder);
    }
  });

  test('accepts bytes as base64', async () => {
    const raw = Buffer.from('From: a@example.com\r\nSubject: Grüße\r\n\r\n', 'latin1').toString('base64');
    const { id } = await call('deliver', { mailbox: mailbox.email, raw });
    expect((await open(id)).subject).toBe('Grüße');
  });

  test('stores internationalised addresses unchanged', async () => {
    const { id } = await deliver({ from: 'jürgen@exämple.de', to: '用户@例子.广告' });
    expect(await open(id)).toMatchObject({
      from: { email: 'jürgen@exämple.de', name: 'Ann' },
      to_recipients: [{ email: '用户@例子.广告', name: null }],
    });
  });

  test('finds a mailbox with an internationalised address', async () => {
    const { pool } = gateway.services;
    const address = `Jürgen-${mailbox.id}@exämple.de`;
    await pool.query('update mailboxes set email = $2 where id = $1', [mailbox.id, address]);
    await pool.query('update mailbox_addresses set address = lower($2) where mailbox_id = $1', [
      mailbox.id,
      address,
    ]);
    expect(await deliver({}, { mailbox: `JÜRGEN-${mailbox.id}@EXÄMPLE.DE` })).toMatchObject({
      status: 'delivered',
      address_id: mailbox.id,
    });
  });

  test('stores the time of arrival for a message dated in the future', async () => {
    const { id } = await deliver({ date: new Date(gateway.clock.now().getTime() + 86_400_000) });
    expect((await open(id)).message_at).toBe(gateway.clock.now().toISOString().replace('Z', '000Z'));
  });

  test('to spam is restored to the inbox', async () => {
    const { id } = await deliver({}, { folder: 'spam' });
    expect((await call('restore', { id })).folder).toBe('inbox');
  });
});

describe('a duplicate message', () => {
  test('is delivered once per mailbox', async () => {
    const first = await deliver({ id: 'same@example.com' });
    await call('move', { ids: [first.id], folder: 'trash' });
    expect(await deliver({ id: 'same@example.com' })).toEqual({ ...first, status: 'already_delivered' });
    const other = await createMailbox(gateway.services, { firm, writes: [me] });
    expect(await deliver({ id: 'same@example.com' }, { mailbox: other.email })).toMatchObject({
      status: 'delivered',
      address_id: other.id,
    });
  });

  test('without a Message-ID is recognised by its bytes', async () => {
    const first = await deliver({ body: 'one' });
    expect(await deliver({ body: 'one' })).toEqual({ ...first, status: 'already_delivered' });
    expect(await deliver({ body: 'two' })).toMatchObject({ status: 'delivered' });
  });

  test('that is delivered concurrently is stored once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => deliver({ id: 'concurrent@example.com' })),
    );
    expect(answers.filter(({ status }) => status === 'delivered')).toHaveLength(1);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  });

  test('is not one with its Message-ID and another text, also when both are delivered concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => deliver({ id: 'scan@example.com', body: `page ${i % 2}` })),
    );
    expect(answers.filter(({ status }) => status === 'delivered')).toHaveLength(2);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(2);
  });
});

describe('the conversation of a message', () => {
  test('is found by References and In-Reply-To, also when messages arrive out of order', async () => {
    const first = await deliver({ id: '1@x' });
    const second = await deliver({ id: '2@x', inReplyTo: '1@x', subject: 'Something else' });
    const fourth = await deliver({ id: '4@x', references: ['1@x', 'lost@x', '3@x'] });
    const third = await deliver({ id: '3@x', references: ['lost@x'] });
    const unrelated = await deliver({ id: '9@x' });
    expect([second, third, fourth].map(({ thread_id }) => thread_id)).toEqual(Array(3).fill(first.thread_id));
    expect(unrelated.thread_id).not.toBe(first.thread_id);
  });

  test('is that of the nearest referenced message', async () => {
    const one = await deliver({ id: 'a@x' });
    const other = await deliver({ id: 'b@x' });
    expect((await deliver({ id: 'c@x', references: ['a@x', 'b@x'] })).thread_id).toBe(other.thread_id);
    expect((await deliver({ id: 'd@x', references: ['b@x', 'a@x'] })).thread_id).toBe(one.thread_id);
  });

  test('is found by a reply subject without references, if the sender took part', async () => {
    const first = await deliver({ id: 's1@x', subject: 'Your offer' });
    expect((await deliver({ id: 's2@x', subject: 'Re: AW: [2] your offer ' })).thread_id).not.toBe(
      first.thread_id,
    );
    expect((await deliver({ id: 's3@x', subject: 'RE: Aw[2]: your OFFER' })).thread_id).toBe(first.thread_id);
    expect(
      (await deliver({ id: 's4@x', subject: 'Ответ: your offer', from: 'desk@example.com' })).thread_id,
    ).toBe(first.thread_id);
    for (const separate of [
      { subject: 'Your offer' },
      { subject: 'Fwd: Your offer' },
      { subject: 'Re: Your offer', from: 'stranger@example.com' },
      { subject: 'Re: Your offer', inReplyTo: 'unknown@x' },
      { subject: 'Re: ' },
    ]) {
      expect((await deliver({ id: `${Math.random()}@x`, ...separate })).thread_id, separate.subject).not.toBe(
        first.thread_id,
      );
    }
  });

  test('is not found by its subject after a month', async () => {
    const first = await deliver({ id: 'old@x', subject: 'Lunch' });
    gateway.clock.advance(31 * 86_400_000);
    token = await tokenOf(gateway, me, firm.slug);
    expect((await deliver({ id: 'new@x', subject: 'Re: Lunch' })).thread_id).not.toBe(first.thread_id);
  });

  test('is never one of another mailbox', async () => {
    const first = await deliver({ id: 'in@x' });
    const other = await createMailbox(gateway.services, { firm, writes: [me] });
    const answer = await deliver(
      { id: 'out@x', inReplyTo: 'in@x', subject: 'Re: Numbers' },
      { mailbox: other.email },
    );
    expect(answer.thread_id).not.toBe(first.thread_id);
  });

  test('is the same for replies that are delivered concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => deliver({ id: `p${i}@x`, references: ['root@x'] })),
    );
    expect(new Set(answers.map(({ thread_id }) => thread_id)).size).toBe(1);
  });
});

describe('authorization', () => {
  test('a firm’s token delivers only to mailboxes of its firm; others are not found', async () => {
    const elsewhere = await createWorkspace(gateway.services);
    const foreign = await createMailbox(gateway.services, { firm: elsewhere, writes: [me] });
    for (const address of [foreign.email, 'nobody@example.com']) {
      expect(await deliver({}, { mailbox: address })).toBe('resource_not_found');
    }
  });

  test.each(['all', 'this firm'])(
    'a platform token of staff of %s delivers to its mailboxes',
    async (firms) => {
      const account = await createStaff(gateway.services, firms === 'all' ? 'all' : [firm]);
      const staff = await tokenOf(gateway, account, PLATFORM);
      const delivery = await call(
        'deliver',
        { mailbox: mailbox.email, encoding: 'text', raw: rawMessage({}) },
        staff,
      );
      expect(delivery).toMatchObject({ status: 'delivered', address_id: mailbox.id });
    },
  );

  test('a token without platform:write gets insufficient_scope', async () => {
    const other = await tokenOf(gateway, me, firm.slug, ['mail:write']);
    expect(await call('deliver', { mailbox: mailbox.email, raw: 'x' }, other)).toBe('insufficient_scope');
  });
});

describe('size limits', () => {
  test('rejects a message that cannot be parsed, with the reason', async () => {
    const answer = await gateway.rpc('mail.deliver', {
      token,
      body: { mailbox: mailbox.email, encoding: 'text', raw: `X: ${'x'.repeat(1_100_000)}` },
    });
    expect([answer.status, answer.code]).toEqual([422, 'validation_failed']);
    expect(answer.fields).toEqual([
      { path: 'raw', message: expect.stringMatching(/^"raw" cannot be parsed: .*header size/) },
    ]);
  });

  test('delivers 30 MB', async () => {
    const attachment = Buffer.alloc(21_000_000, 7).toString('base64').replace(/.{76}/g, '$&\r\n');
    const raw = Buffer.from(
      `Subject: Big\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nSee attached.\r\n--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${attachment}\r\n--b--\r\n`,
    );
    const { id } = await call('deliver', { mailbox: mailbox.email, raw: raw.toString('base64') });
    expect((await open(id)).snippet).toBe('See attached.');
  });

  test('delivers subjects, names and ids that are too long for an index entry', async () => {
    const long = '漢'.repeat(3000);
    const { id } = await deliver({
      id: `${long}@example.com`,
      subject: `Re: ${long}`,
      from: `${'f'.repeat(4000)}@example.com`,
      references: [`${long}@example.com`, `${long}2@example.com`],
    });
    expect((await open(id)).subject).toHaveLength(998);
  });
});

describe('an invitation by mail', () => {
  const invitation = (method: string, sequence: number, hour: string) =>
    [
      'From: Host <host@example.com>',
      'To: guest@example.com',
      'Subject: Planning',
      `Message-ID: <${method}-${sequence}@example.com>`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'You are invited.',
      '--b',
      `Content-Type: text/calendar; method=${method}; charset=utf-8`,
      '',
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//example//EN',
      `METHOD:${method}`,
      'BEGIN:VEVENT',
      'UID:planning@example.com',
      `SEQUENCE:${sequence}`,
      'DTSTAMP:20261101T000000Z',
      `DTSTART:20261201T${hour}0000Z`,
      `DTEND:20261201T${hour}3000Z`,
      'SUMMARY:Planning',
      'ORGANIZER:mailto:host@example.com',
      'ATTENDEE:mailto:guest@example.com',
      ...(method === 'CANCEL' ? ['STATUS:CANCELLED'] : []),
      'END:VEVENT',
      'END:VCALENDAR',
      '--b--',
      '',
    ].join('\r\n');
  const deliver = (raw: string, folder = 'inbox') =>
    call('deliver', { mailbox: mailbox.email, raw, encoding: 'text', folder });
  const events = async () => {
    const window = 'from=2026-12-01T00:00:00Z&until=2026-12-02T00:00:00Z';
    const { body } = await gateway.request(`GET /v1/me/calendar/events?${window}`, { token });
    return body.data.map(({ title, status, source, starts_at }: Record<string, string>) => ({
      title,
      status,
      source,
      starts_at,
    }));
  };
  beforeEach(() => createCalendar(gateway.services, { firm, owner: me }));

  test('becomes a pending event of the mailbox’s owner, which an update moves and a cancellation removes', async () => {
    await deliver(invitation('REQUEST', 0, '09'));
    const planned = { title: 'Planning', status: 'pending', source: 'mail' };
    expect(await events()).toEqual([{ ...planned, starts_at: '2026-12-01T09:00:00.000Z' }]);
    await deliver(invitation('REQUEST', 1, '14'));
    expect(await events()).toEqual([{ ...planned, starts_at: '2026-12-01T14:00:00.000Z' }]);
    await deliver(invitation('CANCEL', 2, '14'));
    expect(await events()).toEqual([]);
  });

  test('in spam creates no event', async () => {
    await deliver(invitation('REQUEST', 0, '09'), 'spam');
    expect(await events()).toEqual([]);
  });

  test('to a mailbox of several readers creates no event', async () => {
    const other = await createUser(gateway.services, { firm });
    mailbox = await createMailbox(gateway.services, { firm, writes: [me, other] });
    await deliver(invitation('REQUEST', 0, '09'));
    expect(await events()).toEqual([]);
  });
});

test('delivers a calendar reply of nested parts', async () => {
  const raw = await readFile(new URL('../corpus/calendar-reply.eml', import.meta.url), 'base64');
  const { id } = await call('deliver', { mailbox: mailbox.email, raw });
  expect(await open(id)).toMatchObject({
    subject: 'Accepted: Quarterly review',
    from: { email: 'robin@example.com', name: 'Robin Vale' },
    to_recipients: [{ email: 'desk@example.net', name: 'Trading Desk' }],
    snippet: expect.stringMatching(/^Robin Vale has accepted the invitation to Quarterly review on/),
    message_at: '2026-03-03T09:15:40.000000Z',
  });
});

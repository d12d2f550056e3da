import { readFile } from 'node:fs/promises';
import { createMailbox, createUser, type TestMailbox, type TestUser } from '@firmdesk/testing';
import { createMailUser, type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { indexFirmTexts } from '../../platform/search/index-texts.ts';
import { deliverMail } from '../receiving/deliver-mail.ts';
import { indexMail, mailTexts } from './mail-texts.ts';

const foldings = JSON.parse(
  await readFile(new URL('../../tickets/search/search-folding.json', import.meta.url), 'utf8'),
) as { kind: string; forms: string[] }[];

const LIST = 'GET /v1/me/mail/messages';
const gateway = await suiteGateway();
const { services } = gateway;
let firm: Firm;
let me: TestUser;
let token: string;
let mailbox: TestMailbox;

beforeEach(async () => {
  ({ firm, user: me, token, mailbox } = await createMailUser(gateway));
});

interface Mail {
  from?: string;
  to?: string;
  cc?: string;
  subject?: string;
  text?: string;
  html?: string;
  date?: string;
  file?: string;
  box?: TestMailbox;
}

let sent = 0;
/** Delivers a message. Returns its id. */
async function deliver({
  from = 'ann@elsewhere.example',
  subject = 'Hello',
  text = 'Hi',
  ...mail
}: Mail = {}) {
  gateway.clock.advance(1_000);
  const date = mail.date ?? gateway.clock.now().toUTCString();
  const body = mail.html
    ? `Content-Type: text/html; charset=utf-8\r\n\r\n${mail.html}`
    : `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`;
  const parts = mail.file
    ? `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${body}\r\n--b\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename="${mail.file}"\r\n\r\na;b\r\n--b--`
    : body;
  const headers = [
    `From: ${from}`,
    `To: ${mail.to ?? 'desk@example.com'}`,
    ...(mail.cc ? [`Cc: ${mail.cc}`] : []),
    `Subject: ${subject}`,
    `Date: ${date}`,
    `Message-ID: <${++sent}@elsewhere.example>`,
  ];
  const raw = Buffer.from(`${headers.join('\r\n')}\r\n${parts}`);
  const { id } = await deliverMail(services, { raw, mailbox: (mail.box ?? mailbox).email, folder: 'inbox' });
  return id;
}

async function search(q: string, rest = ''): Promise<string[]> {
  const { body } = await gateway.request(`${LIST}?q=${encodeURIComponent(q)}${rest}`, { token });
  if (body.error) return [body.error.code];
  return body.data.map(({ id }: { id: string }) => id);
}
const index = () => indexFirmTexts(services, mailTexts, firm.id);
/** Runs the checks with pending texts, and again after they are indexed. */
async function pendingAndIndexed(check: () => Promise<void>) {
  await check();
  await index();
  await check();
}

test('every word must be in the addresses, the names, the subject, the text or the names of files', async () => {
  const whole = await deliver({
    from: 'Ann Brandt <ann@elsewhere.example>',
    to: 'Desk <desk@firm.example>',
    cc: 'Bob <bob@firm.example>',
    subject: 'Your withdrawal',
    html: '<style>.unicorn{}</style><p>It left <b>on</b> Monday</p>',
    file: 'statement-march.csv',
  });
  const half = await deliver({ text: 'withdrawal' });
  await pendingAndIndexed(async () => {
    for (const q of [
      'brandt',
      'ELSEWHERE.example brandt',
      'bob@firm',
      'withdraw monday',
      'statement-march',
      'left on',
    ])
      expect([q, await search(q)]).toEqual([q, [whole]]);
    expect(await search('withdrawal')).toEqual([half, whole]);
    for (const q of ['unicorn', 'withdrawal unicorn', 'style']) expect([q, await search(q)]).toEqual([q, []]);
  });
});

test.each(foldings)('letters match as in the search of tickets: $kind', async ({ forms }) => {
  const ids: string[] = [];
  for (const form of forms) ids.unshift(await deliver({ text: form }));
  await index();
  for (const form of forms.filter((form) => !form.includes(' ')))
    expect([form, await search(form)]).toEqual([form, ids]);
});

test('a phrase is found as it is written, within one part', async () => {
  const subject = await deliver({ subject: 'About the wire  transfer', text: 'fees' });
  const text = await deliver({ text: 'A wire\r\ntransfer, and more' });
  await deliver({ subject: 'wire', text: 'transfer: the wire' });
  await pendingAndIndexed(async () => {
    expect(await search('"wire transfer"')).toEqual([text, subject]);
    expect(await search('„Wire Transfer“ fees')).toEqual([subject]);
    expect(await search('-"wire transfer" transfer')).toHaveLength(1);
    expect(await search('"transfer wire"')).toEqual([]);
  });
});

test('operators select parts, folders, files, days and unread messages', async () => {
  const one = await deliver({
    from: 'Ann <ann@elsewhere.example>',
    to: 'Bob <bob@firm.example>',
    subject: 'Payout',
    date: '1 Mar 2026 23:30:00 +0000',
    file: 'list.csv',
  });
  const two = await deliver({
    from: 'Bob <bob@firm.example>',
    to: 'Ann <ann@elsewhere.example>',
    subject: 'Bonus',
    text: 'payout',
    date: '2 Mar 2026 12:00:00 +0000',
  });
  await gateway.request('POST /v1/me/mail/messages/mark', { token, body: { ids: [two], is_read: true } });
  await gateway.request('POST /v1/me/mail/messages/move', { token, body: { ids: [two], folder: 'trash' } });
  const all = [two, one];
  await pendingAndIndexed(async () => {
    const cases: [q: string, ids: string[]][] = [
      ['payout', all],
      ['from:ann', [one]],
      ['to:ann', [two]],
      ['FROM:"bob bob@firm"', [two]],
      ['subject:payout', [one]],
      ['-subject:payout', [two]],
      ['has:attachment', [one]],
      ['-has:attachment payout', [two]],
      ['in:trash', [two]],
      ['in:inbox in:trash', []],
      ['-in:trash', [one]],
      ['is:unread', [one]],
      ['before:2026-03-02', [one]],
      ['after:2026-03-02', [two]],
      ['after:2026-03-01 before:2026-03-03', all],
      ['after:2026-03-03', []],
      ['before:0001-01-01', []],
      ['after:9999-12-31', []],
      ['payout from:ann is:unread has:attachment in:inbox before:2026-03-02 -bonus', [one]],
      ['payout from:carl', []],
      // Words with a colon, and nothing to search for.
      ['re:payout', []],
      ['https://firm.example', []],
      ['""', []],
      ['\u200b', []],
    ];
    for (const [q, ids] of cases) expect([q, await search(q)]).toEqual([q, ids]);
  });
});

test('a day begins in the time zone of the account', async () => {
  await services.pool.query(`update users set timezone = 'Asia/Tokyo' where id = $1`, [me.id]);
  const id = await deliver({ date: '1 Mar 2026 15:00:00 +0000' });
  expect(await search('after:2026-03-02')).toEqual([id]);
  expect(await search('before:2026-03-02')).toEqual([]);
});

test.each([
  'before:yesterday',
  'after:2026-02-30',
  'before:0000-12-31',
  'in:outbox',
  'has:star',
  'is:starred',
  'from:',
])('rejects %s, and says what is wrong', async (q) => {
  const { status, body } = await gateway.request(`${LIST}?q=${encodeURIComponent(q)}`, { token });
  expect([status, body.error.code, body.error.fields[0].path]).toEqual([400, 'validation_failed', 'q']);
  expect(body.error.message).toContain(`${q.split(':')[0]}:`);
});

test.each([
  'before:9999-12-31',
  'after:9999-12-31',
  '%',
  '_',
  "'",
  '\\',
  '-',
  ':',
  'a'.repeat(200),
  '- -- "',
])('answers %j', async (q) => {
  expect(await search(q)).not.toEqual(['internal_error']);
});

test('a longer text is rejected, and a blank one lists the inbox', async () => {
  const id = await deliver();
  expect(await search('x'.repeat(201))).toEqual(['validation_failed']);
  expect(await search('  ')).toEqual([id]);
});

describe('what is searched', () => {
  test('is all folders of the mailboxes that the caller may read, unless one is named', async () => {
    const shared = await createMailbox(services, { firm, reads: [me] });
    const foreign = await createMailbox(services, { firm, writes: [await createUser(services, { firm })] });
    const mine = await deliver({ text: 'zebra' });
    const theirs = await deliver({ text: 'zebra', box: shared });
    await deliver({ text: 'zebra', box: foreign });
    await gateway.request('POST /v1/me/mail/messages/move', { token, body: { ids: [mine], folder: 'spam' } });
    await pendingAndIndexed(async () => {
      expect(await search('zebra')).toEqual([theirs, mine]);
      expect(await search('zebra', `&address_id=${mailbox.id}`)).toEqual([mine]);
      expect(await search('zebra', '&folder=inbox')).toEqual([theirs]);
      expect(await search('zebra in:inbox', '&folder=spam')).toEqual([]);
      expect(await search('zebra', `&address_id=${foreign.id}`)).toEqual(['resource_not_found']);
      expect(await search('zebra', '&unread=true')).toEqual([theirs, mine]);
    });
  });

  test('is a draft, with its latest text', async () => {
    const save = async (body: object) =>
      (
        await gateway.request('POST /v1/me/mail/drafts', {
          token,
          body: { address_id: mailbox.id, to: ['kim@example.com'], ...body },
        })
      ).body.data.id as string;
    const id = await save({ subject: 'Zebras', body: '<p>first</p>' });
    expect(await search('zebra first kim trading')).toEqual([id]);
    await index();
    await save({ draft_id: id, subject: 'Lions', body: 'second' });
    await pendingAndIndexed(async () => {
      expect(await search('from:trading subject:lion second')).toEqual([id]);
      expect([await search('zebra'), await search('first')]).toEqual([[], []]);
    });
    const other = await createMailbox(services, { firm, writes: [me] });
    await save({ draft_id: id, address_id: other.id, subject: 'Lions' });
    await indexMail(services);
    expect(await search(`from:${other.email}`)).toEqual([id]);
  });

  test('is a message whose text a process of an earlier version has not stored', async () => {
    const id = await deliver({ text: 'zebra' });
    await services.pool.query('update mail_messages set search_text = null where id = $1', [id]);
    expect(await search('zebra')).toEqual([]);
    await indexMail(services);
    expect(await search('zebra')).toEqual([id]);
  });

  test('ends with the deletion of a message', async () => {
    const id = await deliver({ text: 'zebra' });
    await index();
    for (let i = 0; i < 2; i++)
      await gateway.request('POST /v1/me/mail/messages/delete', { token, body: { ids: [id] } });
    expect(await search('zebra')).toEqual([]);
  });
});

test('pages follow each other without gaps or repetitions, over mailboxes and folders', async () => {
  const shared = await createMailbox(services, { firm, reads: [me] });
  const expected: string[] = [];
  for (let i = 0; i < 9; i++) {
    const id = await deliver({ text: `zebra ${i}`, box: i % 3 === 0 ? shared : mailbox });
    if (i % 2 === 0)
      await gateway.request('POST /v1/me/mail/messages/move', {
        token,
        body: { ids: [id], folder: 'archive' },
      });
    expected.unshift(id);
    if (i === 4) await index();
  }
  for (const q of ['zebra', 'in:inbox zebra', '-lion']) {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const from: string = cursor && `&starting_after=${encodeURIComponent(cursor)}`;
      const { body } = await gateway.request(`${LIST}?limit=2&q=${encodeURIComponent(q)}${from}`, { token });
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.meta.next_cursor;
    }
    expect([q, seen]).toEqual([q, q.startsWith('in') ? expected.filter((_, i) => i % 2 === 1) : expected]);
  }
});

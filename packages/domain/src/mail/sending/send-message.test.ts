import { randomUUID } from 'node:crypto';
import { attachmentPath } from '@firmdesk/contract';
import {
  createMailbox,
  createMailMessage,
  createSandbox,
  createToken,
  createUser,
  createWorkspace,
  type TestMailbox,
  type TestUser,
} from '@firmdesk/testing';
import {
  commonCases,
  createMailUser,
  type Firm,
  notificationsOf,
  suiteGateway,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { dismissMember } from '../../access/workspaces/dismiss-member.ts';
import { resumeFirm, suspendFirm } from '../../app/firms/suspend-firm.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { sendMail } from './send-mail.ts';
import { runSending, uploadMailFile } from './testing.ts';

const SEND = 'POST /v1/me/mail/messages';
const gateway = await suiteGateway();
const { services, log } = gateway;
let firm: Firm;
let me: TestUser;
let token: string;
let mailbox: TestMailbox;
/** Another firm's account. */
let other: Awaited<ReturnType<typeof createMailUser>>;

beforeEach(async () => {
  ({ firm, user: me, token, mailbox } = await createMailUser(gateway));
  other = await createMailUser(gateway);
});

const send = (body: object, by = token, key?: string) =>
  gateway.request(SEND, {
    token: by,
    body: {
      address_id: mailbox.id,
      to: [other.mailbox.email],
      subject: 'Numbers',
      body: '<p>Here.</p>',
      ...body,
    },
    ...(key !== undefined && { key }),
  });
const sent = async (body: object = {}) => {
  const answer = await send(body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const open = async (id: string, by = token) =>
  (await gateway.request(`GET /v1/me/mail/messages/${id}`, { token: by })).body.data;
const cancel = (id: string, by = token) =>
  gateway.request(`DELETE /v1/me/mail/messages/${id}/sending`, { token: by });
const errorOf = (answer: { status: number; body: { error?: { code: string } } }) => [
  answer.status,
  answer.body.error?.code,
];
const refusal = async (body: object) => errorOf(await send(body));
const inbox = async ({ token, mailbox }: { token: string; mailbox: TestMailbox }, folder = 'inbox') => {
  const body = { address_id: mailbox.id, folder };
  return (await gateway.rpc('mail.list', { token, body })).data.data;
};
const draft = async (body: object = {}) =>
  (await gateway.request('POST /v1/me/mail/drafts', { token, body: { address_id: mailbox.id, ...body } }))
    .body.data;

commonCases(gateway, SEND, async (actors) => {
  const { id } = await createMailbox(services, { firm: actors.firm, writes: [actors.admin] });
  return { body: { address_id: id, to: ['ann@example.com'], subject: 'Hello', body: '<p>Hi</p>' } };
});

describe('a message to a mailbox of this installation', () => {
  test.each([
    ['a picture with malformed data', '<p>Here.</p><img src="data:image/png;x">'],
    ['thousands of pictures', '<p>Here.</p><img src="data:image/png;base64,AAAA">'.repeat(5_000)],
    ['hundreds of thousands of elements', `<p>Here.</p>${'<div>'.repeat(300_000)}`],
  ])('arrives also with %s', async (_, body) => {
    const { id } = await sent({ body });
    await runSending(services);
    expect((await open(id)).delivery.recipients).toEqual([
      { email: other.mailbox.email, state: 'delivered_locally', detail: null },
    ]);
    expect(await inbox(other)).toMatchObject([{ subject: 'Numbers' }]);
  });

  test('arrives for an address with a tag, whatever its case', async () => {
    const [local, domain] = other.mailbox.email.split('@');
    const address = `${local!.toUpperCase()}+Invoices@${domain}`;
    const { id } = await sent({ to: [address] });
    await runSending(services);
    expect((await open(id)).delivery.recipients).toMatchObject([{ state: 'delivered_locally' }]);
    expect(await inbox(other)).toMatchObject([{ subject: 'Numbers' }]);
  });

  test('is delayed, and then arrives there with the same Message-ID', async () => {
    const { id, folder, delivery } = await sent({ cc: ['ann@elsewhere.example'] });
    expect(folder).toBe('sent');
    expect(delivery).toEqual({
      state: 'queued',
      send_at: new Date(gateway.clock.now().getTime() + 10_000).toISOString(),
      recipients: [
        { email: other.mailbox.email, state: 'queued', detail: null },
        { email: 'ann@elsewhere.example', state: 'queued', detail: null },
      ],
    });
    expect(await inbox(other)).toEqual([]);

    await runSending(services);

    const [received] = await inbox(other);
    expect(received).toMatchObject({
      subject: 'Numbers',
      from: { email: mailbox.email, name: mailbox.name },
      to_recipients: [{ email: other.mailbox.email }],
      cc_recipients: [{ email: 'ann@elsewhere.example' }],
      snippet: 'Here.',
      is_read: false,
    });
    const { rows } = await services.pool.query(
      'select distinct internet_message_id from mail_messages where id = any($1)',
      [[id, received.id]],
    );
    expect(rows).toHaveLength(1);
  });

  test('tells what became of it for each recipient', async () => {
    const { id } = await sent({ bcc: ['ann@elsewhere.example'] });
    await runSending(services);
    expect((await open(id)).delivery).toEqual({
      state: 'not_sent',
      send_at: null,
      recipients: [
        { email: other.mailbox.email, state: 'delivered_locally', detail: null },
        {
          email: 'ann@elsewhere.example',
          state: 'not_sent',
          detail: 'no mail server is configured',
        },
      ],
    });
    expect(log.lines.map(({ message }) => message)).toContain(
      'mail to the outside is not sent: no mail server is configured',
    );
  });

  test('is sent once to an address that is named twice, and to the own mailbox', async () => {
    const { id } = await sent({ to: [mailbox.email], cc: [mailbox.email.toUpperCase()] });
    await runSending(services);
    expect((await open(id)).delivery).toMatchObject({ state: 'delivered_locally', recipients: [{}] });
    expect(await inbox({ token, mailbox })).toHaveLength(1);
  });

  test('does not arrive twice if its job runs again', async () => {
    await sent();
    const { rows } = await services.pool.query<{ payload: object }>(
      `select payload from job_requests where task = 'mail.send' and workspace_id = $1`,
      [firm.id],
    );
    await runSending(services);
    await sendMail(services, rows[0]!.payload as never);
    expect(await inbox(other)).toHaveLength(1);
  });

  test('arrives at the first attempt, however many are due at once', async () => {
    const many = 130;
    for (let i = 0; i < many; i++) await sent({ subject: `Numbers ${i}` });
    const { rows } = await services.pool.query<{ payload: never }>(
      `select payload from job_requests where task = 'mail.send' and workspace_id = $1`,
      [firm.id],
    );
    await Promise.all(rows.map(({ payload }) => sendMail(services, payload)));
    const { body } = await gateway.request('GET /v1/me/mail/mailboxes', { token: other.token });
    expect(body.data[0].unread).toBe(many);
  });

  test('never shows Bcc, and says when it has no other recipients', async () => {
    await sent({ to: [], bcc: [other.mailbox.email] });
    await runSending(services);
    const [{ id }] = await inbox(other);
    const received = await open(id, other.token);
    expect(received).toMatchObject({ to_recipients: [], cc_recipients: [], bcc_recipients: [] });
  });

  test('of a sandbox does not leave it', async () => {
    const sandbox = await createSandbox(services, firm);
    const box = await createMailbox(services, { firm: sandbox, writes: [me] });
    const friend = await createMailbox(services, { firm: sandbox, writes: [me] });
    // Without its tag, the address is that of a mailbox in the sandbox.
    const tagged = friend.email.replace('@', '+live@');
    await createMailbox(services, { firm, email: tagged });
    const { text: token } = await createToken(services, {
      user: me,
      workspace: firm.slug,
      environment: 'test',
    });
    const to = [friend.email, other.mailbox.email, tagged, 'ann@elsewhere.example'];
    const answer = await send({ address_id: box.id, to }, token);
    await runSending(services);
    const { delivery } = await open(answer.body.data.id, token);
    expect(delivery.recipients.map(({ state }: { state: string }) => state)).toEqual([
      'delivered_locally',
      'not_sent',
      'not_sent',
      'not_sent',
    ]);
    expect(await inbox(other)).toEqual([]);
  });
});

describe('a draft', () => {
  test('that is sent becomes the message, with its id and its conversation', async () => {
    const { id, thread_id } = await draft({ subject: 'Old' });
    const message = await sent({ draft_id: id });
    expect(message).toMatchObject({ id, thread_id, folder: 'sent', subject: 'Numbers' });
    expect(await refusal({ draft_id: id })).toEqual([400, 'not_a_draft']);
  });

  test('keeps the files and the answered message that a save names, and no others', async () => {
    const file = await uploadMailFile(
      services,
      { firm, user: me },
      { name: 'a.txt', content: Buffer.from('A') },
    );
    const answered = await createMailMessage(services, { mailbox });
    const { id, thread_id } = await draft({ attachments: [file], in_reply_to: answered.id });
    expect(thread_id).toBe(answered.threadId);
    expect(await open(id)).toMatchObject({
      in_reply_to: answered.id,
      attachments: [{ id: file, name: 'a.txt', size: 1 }],
      delivery: null,
    });
    await draft({ draft_id: id });
    expect(await open(id)).toMatchObject({ in_reply_to: null, attachments: [], thread_id });
    // It is available again.
    await draft({ draft_id: id, attachments: [file] });
    expect(await open(id)).toMatchObject({ attachments: [{ id: file }] });
    expect((await gateway.rpc('mail.deleteDraft', { token, body: { id } })).code).toBeNull();
  });
});

describe('files', () => {
  const upload = (name: string, content: string | Buffer, user = me, of = firm) =>
    uploadMailFile(services, { firm: of, user }, { name, content: Buffer.from(content) });

  test('arrive with the message, and a picture of the text is a part of it', async () => {
    const picture = await upload('logo.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
    const file = await upload('Über uns.txt', 'Hello');
    await sent({ body: `<p>Look: <img src="cid:${picture}"></p>`, attachments: [picture, file] });
    await runSending(services);
    const [{ id }] = await inbox(other);
    const { attachments } = await open(id, other.token);
    expect(attachments).toMatchObject([
      { name: 'logo.png', type: 'image/png', content_id: picture },
      { name: 'Über uns.txt', size: 5 },
    ]);
    const read = await fetch(`${gateway.url}${attachmentPath(other.firm.slug, attachments[1].id)}`, {
      headers: { authorization: `Bearer ${other.token}` },
    });
    expect(await read.text()).toBe('Hello');
  });

  test('of others are like unknown ones', async () => {
    const theirs = await upload('theirs.txt', 'x', other.user, other.firm);
    const colleague = await createUser(services, { firm });
    const ofColleague = await upload('colleague.txt', 'x', colleague);
    for (const attachments of [[theirs], [ofColleague], ['matt_00000000000000000000000000']])
      expect(await refusal({ attachments })).toEqual([404, 'resource_not_found']);
  });

  test('of more than 25 MB are refused', async () => {
    const file = await upload('large.bin', Buffer.alloc(25 * 1024 * 1024 - 5));
    expect(await refusal({ attachments: [file] })).toEqual([422, 'validation_failed']);
    expect((await send({ attachments: [file], body: '12345' })).status).toBe(201);
  });
});

describe('an answer', () => {
  test('joins the conversation on both sides', async () => {
    await sent({ subject: 'Offer' });
    await runSending(services);
    const [received] = await inbox(other);
    const answer = await gateway.request(SEND, {
      token: other.token,
      body: {
        address_id: other.mailbox.id,
        to: [mailbox.email],
        subject: 'A new subject',
        in_reply_to: received.id,
      },
    });
    expect(answer.body.data).toMatchObject({ thread_id: received.thread_id });
    await runSending(services);
    const [original] = await inbox({ token, mailbox }, 'sent');
    const [reply] = await inbox({ token, mailbox });
    expect(reply).toMatchObject({ subject: 'A new subject', thread_id: original.thread_id });
  });

  test('to a message of others is refused like one to an unknown message', async () => {
    const theirs = await createMailMessage(services, { mailbox: other.mailbox });
    for (const in_reply_to of [theirs.id, 'msg_00000000000000000000000000'])
      expect(await refusal({ in_reply_to })).toEqual([404, 'resource_not_found']);
  });
});

describe('a message that is delayed', () => {
  test('can be taken back: it is the draft again', async () => {
    const { id, thread_id } = await sent({ bcc: ['ann@example.com'] });
    const answer = await cancel(id);
    expect(answer.body.data).toMatchObject({ id, thread_id, folder: 'drafts', subject: 'Numbers' });
    expect(await cancel(id)).toMatchObject({ status: 200 });
    await runSending(services);
    expect(await inbox(other)).toEqual([]);
    expect(await open(id)).toMatchObject({
      delivery: null,
      bcc_recipients: [{ email: 'ann@example.com' }],
    });
  });

  test('and is sent again waits for its new time', async () => {
    const { id } = await sent();
    await cancel(id);
    gateway.clock.advance(1_000);
    await sent({ draft_id: id, send_at: new Date(gateway.clock.now().getTime() + 3_600_000).toISOString() });
    const { rows } = await services.pool.query<{ payload: never }>(
      `select payload from job_requests where task = 'mail.send' and workspace_id = $1 order by run_at`,
      [firm.id],
    );
    await sendMail(services, rows[0]!.payload);
    expect(await inbox(other)).toEqual([]);
    await sendMail(services, rows[1]!.payload);
    expect(await inbox(other)).toHaveLength(1);
  });

  test('cannot be taken back once it is being sent, nor by others', async () => {
    const { id } = await sent();
    expect(errorOf(await cancel(id, other.token))).toEqual([404, 'resource_not_found']);
    await runSending(services);
    expect(errorOf(await cancel(id))).toEqual([409, 'already_sent']);
    const [received] = await inbox(other);
    expect(errorOf(await cancel(received.id, other.token))).toEqual([404, 'resource_not_found']);
  });

  test('waits until its time, at most 90 days', async () => {
    const at = (days: number) => new Date(gateway.clock.now().getTime() + days * 86_400_000).toISOString();
    const { delivery, message_at } = await sent({ send_at: at(90) });
    expect(delivery.send_at).toBe(at(90));
    expect(message_at).toBe(at(90).replace('Z', '000Z'));
    expect(await refusal({ send_at: at(90.001) })).toEqual([422, 'validation_failed']);
    for (const send_at of ['tomorrow', '2026-11-23', '2026-11-23T08:00:00', null, 5])
      expect(await refusal({ send_at }), `${send_at}`).toEqual([422, 'validation_failed']);
    const soonest = new Date(gateway.clock.now().getTime() + 10_000).toISOString();
    expect((await sent({ send_at: at(-1) })).delivery.send_at).toBe(soonest);
  });

  test('is a draft again if its author may no longer send it', async () => {
    const colleague = await createUser(services, { firm });
    await services.pool.query(
      'insert into mailbox_members (workspace_id, mailbox_id, user_id) values ($1, $2, $3)',
      [firm.id, mailbox.id, colleague.id],
    );
    const { id } = await sent();
    await withTransaction(services, (ctx) => dismissMember(ctx, { email: me.email, workspace: firm.slug }));
    await runSending(services);
    expect(await inbox(other)).toEqual([]);
    const { rows } = await services.pool.query('select folder from mail_messages where id = $1', [id]);
    expect(rows).toEqual([{ folder: 'drafts' }]);
  });

  test('is a draft again if its author may only read the mailbox', async () => {
    const { id } = await sent();
    await services.pool.query('update mailbox_members set can_write = false where user_id = $1', [me.id]);
    await runSending(services);
    expect(await open(id)).toMatchObject({ folder: 'drafts', delivery: null });
    expect(await notificationsOf(gateway, firm)).toMatchObject([{ title: 'Your message was not sent' }]);
  });

  test('and due while its firm is suspended is a draft again', async () => {
    const { id } = await sent();
    await withTransaction(services, (ctx) => suspendFirm(ctx, firm.slug));
    gateway.clock.advance(60_000);
    await withTransaction(services, (ctx) => resumeFirm(ctx, firm.slug));
    await runSending(services);
    expect(await open(id)).toMatchObject({ folder: 'drafts' });
    expect(await notificationsOf(gateway, firm)).toMatchObject([{ title: 'Not sent: Numbers' }]);
  });
});

describe('a call', () => {
  test('that is repeated sends one message', async () => {
    const key = randomUUID();
    const first = await send({}, token, key);
    const second = await send({}, token, key);
    expect(second.body).toEqual(first.body);
    await runSending(services);
    expect(await inbox(other)).toHaveLength(1);
  });

  test.each([
    ['no recipient', { to: [] }],
    ['a malformed recipient', { to: ['ann'] }],
    ['501 recipients', { bcc: Array.from({ length: 501 }, (_, i) => `a${i}@example.com`) }],
    ['a file twice', { attachments: ['matt_00000000000000000000000000', 'matt_00000000000000000000000000'] }],
    ['a malformed file', { attachments: ['att_00000000000000000000000000'] }],
    ['a malformed message', { in_reply_to: '17' }],
  ])('with %s is refused', async (_, body) => {
    expect(await refusal(body)).toEqual([422, 'validation_failed']);
  });

  test('with a mailbox or a draft of others is refused like one with an unknown one', async () => {
    const box = await createMailbox(services, { firm, reads: [me] });
    const elsewhere = await createMailbox(services, { firm: await createWorkspace(services), writes: [me] });
    const theirs = await createMailMessage(services, { mailbox: other.mailbox, folder: 'drafts' });
    for (const body of [
      { address_id: other.mailbox.id },
      { address_id: box.id },
      { address_id: elsewhere.id },
      { address_id: 2 ** 40 },
      { draft_id: theirs.id },
      { draft_id: theirs.alias },
      { draft_id: 'msg_00000000000000000000000000' },
    ])
      expect(await refusal(body), JSON.stringify(body)).toEqual([404, 'resource_not_found']);
  });

  test('beyond 500 messages a day is refused until midnight UTC', async () => {
    await sent();
    await services.pool.query('update mail_usage set sent = 500 where user_id = $1', [me.id]);
    const answer = await send({});
    expect(errorOf(answer)).toEqual([429, 'rate_limited']);
    const midnight = new Date(
      gateway.clock.now().getTime() + Number(answer.headers.get('retry-after')) * 1_000,
    );
    expect(midnight.toISOString().slice(11, 18)).toBe('00:00:0');
    expect(await inbox({ token, mailbox }, 'sent')).toHaveLength(1);
    await services.pool.query(`update mail_usage set day = day - 1 where user_id = $1`, [me.id]);
    expect((await send({})).status).toBe(201);
  });
});

import { randomUUID } from 'node:crypto';
import {
  createMailbox,
  createMailMessage,
  createUser,
  createWorkspace,
  type TestMailbox,
  type TestUser,
} from '@firmdesk/testing';
import { commonCases, createMailUser, type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const SAVE = 'POST /v1/me/mail/drafts';
const gateway = await suiteGateway();
let firm: Firm;
let me: TestUser;
let token: string;
let mailbox: TestMailbox;

beforeEach(async () => {
  ({ firm, user: me, token, mailbox } = await createMailUser(gateway));
});

const save = (body: object, headers: Record<string, string> = {}) =>
  gateway.request(SAVE, { token, body: { address_id: mailbox.id, ...body }, headers });
const saved = async (body: object = {}) => (await save(body)).body.data;
const open = async (id: string) => (await gateway.rpc('mail.get', { token, body: { id } })).data;
const drafts = async () =>
  (await gateway.rpc('mail.list', { token, body: { address_id: mailbox.id, folder: 'drafts' } })).data.data;
const errorOf = async (body: object, headers: Record<string, string> = {}) => {
  const { status, body: answer } = await save(body, headers);
  return [status, answer.error.code];
};

commonCases(gateway, SAVE, async (actors, { services }) => {
  const { id } = await createMailbox(services, { firm: actors.firm, writes: [actors.admin] });
  return {
    body: { address_id: id, to: ['ann@example.com'], cc: [], bcc: [], subject: 'Hello', body: '<p>Hi</p>' },
  };
});

describe('a new draft', () => {
  test('is a message in the drafts folder, from the mailbox', async () => {
    const answer = await save({
      to: ['ann@example.com', 'Bob@Example.com'],
      cc: ['cc@example.com'],
      bcc: ['bcc@example.com'],
      subject: 'Numbers',
      body: '<p>Dear Ann,</p><p>here they are.</p>',
    });
    const at = gateway.clock.now().toISOString().replace('Z', '000Z');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(/^msg_[0-9a-z]{26}$/),
        object: 'mail_message',
        thread_id: expect.any(Number),
        address_id: mailbox.id,
        folder: 'drafts',
        subject: 'Numbers',
        to_recipients: [
          { email: 'ann@example.com', name: null },
          { email: 'Bob@Example.com', name: null },
        ],
        cc_recipients: [{ email: 'cc@example.com', name: null }],
        message_at: at,
      },
      meta: { request_id: expect.stringMatching(/^req_/) },
    });
    expect(answer.headers.get('etag')).toBe(`"${at}"`);
    expect(await open(answer.body.data.id)).toEqual({
      ...answer.body.data,
      from: { email: mailbox.email, name: mailbox.name },
      snippet: 'Dear Ann, here they are.',
      reply_to: [],
      is_read: true,
      previous_folder: null,
      bcc_recipients: [{ email: 'bcc@example.com', name: null }],
      body: '<p>Dear Ann,</p><p>here they are.</p>',
      attachments: [],
      left_out: [],
      in_reply_to: null,
      delivery: null,
      sender_check: null,
    });
  });

  test('may be empty, and each call creates another', async () => {
    const [one, other] = [await saved(), await saved()];
    expect(one).toMatchObject({ subject: '', to_recipients: [], cc_recipients: [] });
    expect(other.id).not.toBe(one.id);
    expect(other.thread_id).not.toBe(one.thread_id);
    expect((await drafts()).map(({ id }: { id: string }) => id).sort()).toEqual([one.id, other.id].sort());
  });

  test('stores internationalised addresses unchanged', async () => {
    const [to, cc, bcc] = ['jürgen@exämple.de', 'JÜRGEN@Exämple.DE', 'ju\u0308rgen@xn--exmple-cua.de'];
    const draft = await saved({ to: [to], cc: [cc], bcc: [bcc] });
    expect([...draft.to_recipients, ...draft.cc_recipients].map(({ email }) => email)).toEqual([to, cc]);
    expect(await open(draft.id)).toMatchObject({
      to_recipients: [{ email: to }],
      cc_recipients: [{ email: cc }],
      bcc_recipients: [{ email: bcc }],
    });
  });

  test('stores its HTML unchanged', async () => {
    const body = '<script>alert("x")</script><p onclick=a>\r\n\t&nbsp;\u00a0😀 </P><!-- ';
    expect((await open((await saved({ body })).id)).body).toBe(body);
  });

  test('ignores fields of the response in the request', async () => {
    const draft = await saved({
      folder: 'inbox',
      is_draft: false,
      thread_id: 1,
      message_at: 'x',
      from: 'boss@example.com',
    });
    expect(draft).toMatchObject({ folder: 'drafts' });
    expect((await open(draft.id)).from.email).toBe(mailbox.email);
  });

  test('may have 10 MiB, and not more', async () => {
    const frame = Buffer.byteLength(JSON.stringify({ address_id: mailbox.id, body: '' }));
    const limit = 10 * 1024 * 1024;
    const draft = await saved({ body: 'x'.repeat(limit - frame) });
    expect((await open(draft.id)).body).toHaveLength(limit - frame);
    expect(await errorOf({ body: 'x'.repeat(limit - frame + 1) })).toEqual([413, 'payload_too_large']);
  });
});

describe('replacing a draft', () => {
  test('replaces all fields, keeps id and conversation, and sets message_at', async () => {
    const first = await saved({
      to: ['ann@example.com'],
      cc: ['c@example.com'],
      bcc: ['b@example.com'],
      subject: 'One',
      body: 'one',
    });
    gateway.clock.advance(1500);
    const second = await saved({ draft_id: first.id, subject: 'Two' });
    expect(second).toEqual({
      ...first,
      subject: 'Two',
      to_recipients: [],
      cc_recipients: [],
      message_at: gateway.clock.now().toISOString().replace('Z', '000Z'),
    });
    expect(await open(first.id)).toMatchObject({ body: '', snippet: '', bcc_recipients: [] });
    expect(await drafts()).toHaveLength(1);
  });

  test('accepts the id, and the integer as a number or as digits', async () => {
    const { id, alias } = await createMailMessage(gateway.services, { mailbox, folder: 'drafts' });
    for (const draft_id of [id, alias, String(alias)]) {
      expect(await saved({ draft_id, subject: `by ${draft_id}` })).toMatchObject({
        id,
        subject: `by ${draft_id}`,
      });
    }
  });

  test('with another address_id moves it to that mailbox', async () => {
    const draft = await saved({ subject: 'x' });
    const other = await createMailbox(gateway.services, { firm, writes: [me] });
    const moved = await saved({ draft_id: draft.id, address_id: other.id });
    expect(moved).toMatchObject({ id: draft.id, thread_id: draft.thread_id, address_id: other.id });
    expect((await open(draft.id)).from.email).toBe(other.email);
    expect(await drafts()).toEqual([]);
  });

  test('increases message_at even if the clock does not advance', async () => {
    const times = [await saved()];
    for (let i = 0; i < 3; i++) times.push(await saved({ draft_id: times[0].id }));
    const moments = times.map(({ message_at }) => message_at);
    expect(new Set(moments).size).toBe(4);
    expect(moments).toEqual(moments.toSorted());
  });

  test('concurrently leaves one draft with all fields of one save', async () => {
    const { id } = await saved();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        save({ draft_id: id, subject: `s${i}`, body: `b${i}`, to: [`t${i}@example.com`] }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => body.data.message_at)).size).toBe(20);
    const last = answers
      .map(({ body }) => body.data)
      .toSorted((a, b) => (a.message_at < b.message_at ? 1 : -1))[0];
    const stored = await open(id);
    expect(stored).toMatchObject({ subject: last.subject, message_at: last.message_at });
    expect([stored.body, stored.to_recipients[0].email]).toEqual([
      `b${stored.subject.slice(1)}`,
      `t${stored.subject.slice(1)}@example.com`,
    ]);
  });
});

describe('If-Match', () => {
  test('accepts the current version and rejects another', async () => {
    const first = await save({ subject: 'One' });
    const { id } = first.body.data;
    const etag = first.headers.get('etag')!;
    const second = await save({ draft_id: id, subject: 'Two' }, { 'if-match': etag });
    expect(second.status).toBe(200);
    expect(await errorOf({ draft_id: id, subject: 'Three' }, { 'if-match': etag })).toEqual([
      412,
      'precondition_failed',
    ]);
    expect((await open(id)).subject).toBe('Two');
    const list = `"other", ${second.headers.get('etag')}`;
    expect((await save({ draft_id: id, subject: 'Three' }, { 'if-match': list })).status).toBe(200);
    expect((await save({ draft_id: id, subject: 'Four' }, { 'if-match': '*' })).status).toBe(200);
  });

  test('rejects a weak tag, a malformed header, and any header without draft_id; creates nothing', async () => {
    const first = await save({});
    const { id } = first.body.data;
    for (const header of [
      `W/${first.headers.get('etag')}`,
      'nonsense',
      '""',
      first.headers.get('etag')!.slice(1, -1),
    ]) {
      expect(await errorOf({ draft_id: id }, { 'if-match': header })).toEqual([412, 'precondition_failed']);
    }
    expect(await errorOf({}, { 'if-match': '*' })).toEqual([412, 'precondition_failed']);
    expect(await drafts()).toHaveLength(1);
  });

  test('lets one of several concurrent saves with the same version succeed', async () => {
    const first = await save({});
    const headers = { 'if-match': first.headers.get('etag')! };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => save({ draft_id: first.body.data.id, subject: `${i}` }, headers)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
  });
});

describe('errors', () => {
  test('404 resource_not_found for every mailbox from which the caller may not write, known or unknown', async () => {
    const elsewhere = await createWorkspace(gateway.services);
    const colleague = await createUser(gateway.services, { firm });
    const ids = [
      (await createMailbox(gateway.services, { firm, writes: [colleague] })).id,
      (await createMailbox(gateway.services, { firm, reads: [me] })).id,
      (await createMailbox(gateway.services, { firm: elsewhere, writes: [me] })).id,
      2_000_000_000,
      0,
      -1,
      Number.MAX_SAFE_INTEGER,
    ];
    for (const address_id of ids) {
      const answer = await save({ address_id });
      expect([answer.status, answer.body.error]).toEqual([
        404,
        {
          code: 'resource_not_found',
          message: 'No such resource exists.',
          doc_url: '/docs/guides/errors#resource_not_found',
        },
      ]);
    }
  });

  test('404 resource_not_found for a draft that the caller may not write', async () => {
    const elsewhere = await createWorkspace(gateway.services);
    const colleague = await createUser(gateway.services, { firm });
    const boxes = [
      await createMailbox(gateway.services, { firm, writes: [colleague] }),
      await createMailbox(gateway.services, { firm, reads: [me] }),
      await createMailbox(gateway.services, { firm: elsewhere, writes: [me] }),
    ];
    for (const box of boxes) {
      const { id, alias } = await createMailMessage(gateway.services, { mailbox: box, folder: 'drafts' });
      for (const draft_id of [id, alias, String(alias)]) {
        expect(await errorOf({ draft_id })).toEqual([404, 'resource_not_found']);
      }
    }
    for (const draft_id of [
      'msg_00000000000000000000000000',
      'anything',
      '',
      '99999999999',
      '-1',
      0,
      -5,
      2 ** 40,
    ]) {
      expect(await errorOf({ draft_id })).toEqual([404, 'resource_not_found']);
    }
  });

  test.each(['inbox', 'sent', 'archive', 'spam', 'trash'] as const)(
    '400 not_a_draft for a message in %s',
    async (folder) => {
      const { id } = await createMailMessage(gateway.services, { mailbox, folder });
      expect(await errorOf({ draft_id: id })).toEqual([400, 'not_a_draft']);
    },
  );

  test('400 not_a_draft for a draft in the trash, until it is restored', async () => {
    const { id } = await saved({ subject: 'One' });
    await gateway.rpc('mail.move', { token, key: randomUUID(), body: { ids: [id], folder: 'trash' } });
    expect(await errorOf({ draft_id: id })).toEqual([400, 'not_a_draft']);
    await gateway.request(`POST /v1/me/mail/messages/${id}/restore`, { token });
    expect(await saved({ draft_id: id, subject: 'Two' })).toMatchObject({ id, subject: 'Two' });
  });

  test('checks the mailbox before the draft, and the draft’s folder before its version', async () => {
    const { id } = await createMailMessage(gateway.services, { mailbox });
    expect(await errorOf({ address_id: 2_000_000_000, draft_id: id })).toEqual([404, 'resource_not_found']);
    expect(await errorOf({ draft_id: id }, { 'if-match': '"x"' })).toEqual([400, 'not_a_draft']);
  });

  test('stores an error under its idempotency key only if the operation ran', async () => {
    const key = randomUUID();
    const send = (body: object) => gateway.request(SAVE, { token, key, body });
    expect((await send({})).status).toBe(422);
    const { id } = await createMailMessage(gateway.services, { mailbox });
    const first = await send({ address_id: mailbox.id, draft_id: id });
    const again = await send({ address_id: mailbox.id, draft_id: id });
    expect([first.status, again.text]).toEqual([400, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  const ann = (count: number) => Array.from({ length: count }, (_, i) => `ann${i}@example.com`);
  test.each<[string, object, string]>([
    ['no mailbox', { address_id: undefined }, 'address_id'],
    ['a mailbox as text', { address_id: '1' }, 'address_id'],
    ['an invalid address', { to: ['ann@example.com', 'nobody'] }, 'to[1]'],
    ['an address with a name', { cc: ['Ann <ann@example.com>'] }, 'cc[0]'],
    ['an address that is an object', { bcc: [{ email: 'ann@example.com' }] }, 'bcc[0]'],
    ['an address with a line break', { to: ['ann@example.com\r\nBcc: x@example.com'] }, 'to[0]'],
    ['an address of 255 characters', { to: [`${'a'.repeat(243)}@example.com`] }, 'to[0]'],
    ['an address with an invisible character', { to: ['jürgen\u200b@exämple.de'] }, 'to[0]'],
    ['a local part of 66 octets', { to: [`${'ü'.repeat(33)}@exämple.de`] }, 'to[0]'],
    ['501 addresses', { to: ann(501) }, 'to'],
    ['501 addresses in total', { to: ann(200), cc: ann(200), bcc: ann(101) }, 'to'],
    ['a subject of 999 characters', { subject: 'x'.repeat(999) }, 'subject'],
    ['a subject of two lines', { subject: 'one\r\nBcc: x@example.com' }, 'subject'],
    ['a subject with U+0000', { subject: 'a\0b' }, 'subject'],
    ['a body with a lone surrogate', { body: '\ud800' }, 'body'],
    ['a draft id that is a fraction', { draft_id: 1.5 }, 'draft_id'],
    ['a draft id that is null', { draft_id: null }, 'draft_id'],
  ])('422 for %s', async (_, body, path) => {
    const answer = await save(body);
    expect([answer.status, answer.body.error?.code]).toEqual([422, 'validation_failed']);
    expect(answer.body.error.fields[0].path).toBe(path);
    expect(await drafts()).toEqual([]);
  });

  test('accepts values at the limits', async () => {
    const draft = await saved({ to: ann(250), cc: ann(250), subject: 'x'.repeat(998) });
    expect(draft.to_recipients).toHaveLength(250);
  });
});

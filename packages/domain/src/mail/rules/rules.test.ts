import { MAX_FORWARDING_RULES } from '@firmdesk/contract';
import { createMailbox, createTag, type TestMailbox, type TestUser, unique } from '@firmdesk/testing';
import {
  createMailUser,
  createUserWithToken,
  type Firm,
  type Json,
  suiteGateway,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { deliverMail } from '../receiving/deliver-mail.ts';
import { runSending } from '../sending/testing.ts';

const gateway = await suiteGateway();
const { services } = gateway;
let firm: Firm;
let user: TestUser;
let token: string;
let mailbox: TestMailbox;

beforeEach(async () => {
  ({ firm, user, token, mailbox } = await createMailUser(gateway));
});

const rpc = (name: string, body: object, as = token) =>
  gateway.rpc(`mail.${name}`, { token: as, body: { address_id: mailbox.id, ...body } });
const add = async (rule: object, of = mailbox, as = token): Promise<Json> => {
  const { data, code } = await rpc('rules.save', { address_id: of.id, ...rule }, as);
  expect(code).toBeNull();
  return data.rules.at(-1);
};
const ids = async () => (await rpc('rules.list', {})).data.rules.map(({ id }: Json) => id);

interface Fields {
  from?: string;
  to?: string;
  subject?: string;
  headers?: string[];
  text?: string;
  id?: string;
}
const deliver = ({ from = 'Ann <ann@bank.example>', ...fields }: Fields = {}, into = mailbox) =>
  deliverMail(services, {
    raw: Buffer.from(
      [
        `From: ${from}`,
        `To: ${fields.to ?? into.email}`,
        `Subject: ${fields.subject ?? 'Statement'}`,
        `Message-ID: <${fields.id ?? unique('m')}@x.example>`,
        ...(fields.headers ?? []),
        '',
        fields.text ?? 'Here it is.',
      ].join('\r\n'),
    ),
    mailbox: into.email,
    folder: 'inbox',
  });
const withFile = {
  headers: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'],
  text: '--b\r\nContent-Type: text/plain\r\n\r\nSee.\r\n--b\r\nContent-Type: text/plain; name="a.txt"\r\nContent-Disposition: attachment; filename="a.txt"\r\n\r\nFile.\r\n--b--\r\n',
};
const thread = async (id: string): Promise<Json> => (await rpc('threads.get', { id })).data;
const listed = async (view: string, of = mailbox): Promise<Json[]> =>
  (await rpc('threads.list', { address_id: of.id, view })).data.data;
const other = () => createMailbox(services, { firm, writes: [user] });

describe('a message that arrives', () => {
  test('gets the tags, the folder, the mark and the star of the rules that it matches', async () => {
    const tag = await createTag(services, { firm });
    await add({ from: 'BANK.example', add_tags: [tag], star: true });
    await add({ subject: 'státement', mark_read: true, folder: 'archive' });
    await add({ from: 'bank', subject: 'invoice', folder: 'trash' });
    const { id } = await deliver();
    expect(await thread(id)).toMatchObject({
      is_starred: true,
      tags: [{ id: tag }],
      messages: [{ id, folder: 'archive', is_read: true }],
    });
    expect(await thread((await deliver({ from: 'Bo <bo@x.example>', subject: 'Hello' })).id)).toMatchObject({
      is_starred: false,
      tags: [],
      messages: [{ folder: 'inbox', is_read: false }],
    });
  });

  test.each<[string, object, Fields, boolean]>([
    ['the name of the sender', { from: 'ann' }, {}, true],
    ['a recipient in Cc', { to: 'desk@' }, { headers: ['Cc: Desk <desk@x.example>'] }, true],
    ['no other line', { to: 'ann@bank' }, { subject: 'ann@bank.example' }, false],
    ['text as it is', { subject: '50%_.*' }, { subject: 'Now 50%_.* off' }, true],
    ['no pattern', { subject: '5.*f' }, { subject: 'Now 50%_.* off' }, false],
    ['a file', { has_attachment: true }, withFile, true],
    ['no file', { has_attachment: true }, {}, false],
    ['all conditions', { from: 'ann', has_attachment: true }, {}, false],
  ])('is compared by %s, and the trial agrees', async (_, conditions, fields, matches) => {
    const { id } = await deliver(fields);
    const { data } = await rpc('rules.try', conditions);
    expect(data.messages.map((message: Json) => message.id)).toEqual(matches ? [id] : []);
    expect(data).toMatchObject({ examined: 1, matched: matches ? 1 : 0 });
    await add({ ...conditions, star: true });
    expect((await thread((await deliver(fields)).id)).is_starred).toBe(matches);
  });

  test('lies where the last rule says, and a rule moves when it is put elsewhere', async () => {
    const [first, second] = [
      await add({ from: 'ann', folder: 'archive' }),
      await add({ from: 'ann', folder: 'spam' }),
    ];
    await deliver();
    expect(await listed('spam')).toHaveLength(1);
    await rpc('rules.move', { id: second.id, before: first.id });
    expect(await ids()).toEqual([second.id, first.id]);
    await deliver();
    expect(await listed('archive')).toHaveLength(1);
    await rpc('rules.delete', { id: first.id });
    await rpc('rules.save', { id: second.id, from: 'ann', folder: 'trash' });
    await deliver();
    const [trashed] = await listed('trash');
    expect(
      (await gateway.rpc('mail.restore', { token, body: { id: trashed!.message.id } })).data.folder,
    ).toBe('inbox');
  });

  test('is stored also if a tag of a rule was deleted', async () => {
    const tag = await createTag(services, { firm });
    const { id } = await add({ from: 'ann', add_tags: [tag], star: true });
    await services.pool.query('update tags set deleted_at = now() where id = $1', [tag]);
    expect(await thread((await deliver()).id)).toMatchObject({ is_starred: true, tags: [] });
    expect((await rpc('rules.list', {})).data.rules).toMatchObject([{ id, add_tags: [] }]);
  });
});

describe('forwarding', () => {
  test('gives another mailbox of the firm a copy with its files, once, that no rule forwards again', async () => {
    const [second, third] = [await other(), await other()];
    await add({ from: 'ann', forward_to: second.email.toUpperCase() });
    await add({ from: 'ann', star: true, forward_to: third.email }, second);
    await add({ from: 'ann', forward_to: mailbox.email }, second);
    await deliver(withFile);
    await runSending(services);
    await runSending(services);
    const [copy, ...more] = await listed('inbox', second);
    expect(more).toEqual([]);
    expect(copy).toMatchObject({
      is_starred: true,
      has_files: true,
      message: { from: { email: 'ann@bank.example', name: 'Ann' }, subject: 'Statement', is_read: false },
    });
    const open = (await gateway.rpc('mail.get', { token, body: { id: copy!.message.id } })).data;
    expect(open.attachments).toMatchObject([{ name: 'a.txt', size: 5 }]);
    expect([await listed('inbox', third), await listed('inbox')].map(({ length }) => length)).toEqual([0, 1]);
  });

  test('does not forward mail that a program says it has sent', async () => {
    const second = await other();
    await add({ from: 'ann', forward_to: second.email });
    await deliver({ headers: ['Auto-Submitted: auto-replied'] });
    await deliver({ headers: ['Auto-Submitted: no'] });
    await runSending(services);
    expect(await listed('inbox', second)).toHaveLength(1);
  });

  test('ends when its author may no longer write from the mailbox; the rule does the rest', async () => {
    const second = await other();
    const colleague = await createUserWithToken(gateway, { firm, scopes: ['mail:write', 'mail:read'] });
    const join = (canWrite: boolean) =>
      services.pool.query(
        `insert into mailbox_members (workspace_id, mailbox_id, user_id, can_write) values ($1, $2, $3, $4)
         on conflict (workspace_id, mailbox_id, user_id) do update set can_write = excluded.can_write`,
        [firm.id, mailbox.id, colleague.user.id, canWrite],
      );
    await join(true);
    await add({ from: 'ann', star: true, forward_to: second.email }, mailbox, colleague.token);
    await join(false);
    const { id } = await deliver();
    await runSending(services);
    expect((await thread(id)).is_starred).toBe(true);
    expect(await listed('inbox', second)).toEqual([]);
  });
});

describe('a rule is refused', () => {
  const refusal = async (rule: object) => {
    const { code, fields } = await rpc('rules.save', rule);
    return [code, fields?.[0]?.path];
  };

  test('at the field that is wrong', async () => {
    const elsewhere = await createMailUser(gateway);
    const wrong = async (rule: object) => refusal({ from: 'ann', ...rule });
    expect(await refusal({ star: true })).toEqual(['validation_failed', 'from']);
    expect(await refusal({ from: '\u200b', star: true })).toEqual(['validation_failed', 'from']);
    expect(await wrong({})).toEqual(['validation_failed', 'folder']);
    const tag = await createTag(services, { firm: elsewhere.firm });
    expect(await wrong({ add_tags: [tag] })).toEqual(['validation_failed', 'add_tags[0]']);
    for (const forward_to of ['nobody@x.example', elsewhere.mailbox.email, mailbox.email, 'nobody'])
      expect(await wrong({ forward_to })).toEqual(['validation_failed', 'forward_to']);
  });

  test('by the limits of a mailbox', async () => {
    const { email } = await other();
    for (let i = 0; i < MAX_FORWARDING_RULES; i++) await add({ from: 'ann', forward_to: email });
    expect(await refusal({ from: 'ann', forward_to: email })).toEqual(['validation_failed', 'forward_to']);
  });

  test('from who may not write from the mailbox, as in one that does not exist', async () => {
    const { id } = await add({ from: 'ann', star: true });
    const reader = await createUserWithToken(gateway, { firm, scopes: ['mail:write', 'mail:read'] });
    await services.pool.query(
      'insert into mailbox_members (workspace_id, mailbox_id, user_id, can_write) values ($1, $2, $3, false)',
      [firm.id, mailbox.id, reader.user.id],
    );
    const stranger = await createMailUser(gateway);
    for (const as of [reader.token, stranger.token])
      for (const [name, body] of [
        ['list', {}],
        ['save', { from: 'ann', star: true }],
        ['save', { id, from: 'ann', star: true }],
        ['move', { id, before: null }],
        ['delete', { id }],
        ['try', { from: 'ann' }],
      ] as const)
        expect((await rpc(`rules.${name}`, body, as)).code).toBe('resource_not_found');
    expect(await ids()).toEqual([id]);
  });
});

test('rules that are added at once are all kept', async () => {
  await Promise.all(Array.from({ length: 5 }, (_, i) => rpc('rules.save', { from: `a${i}`, star: true })));
  expect(await ids()).toHaveLength(5);
});

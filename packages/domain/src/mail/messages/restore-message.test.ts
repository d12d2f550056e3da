import { randomUUID } from 'node:crypto';
import type { Folder } from '@firmdesk/contract';
import {
  type CreateMailMessageInput,
  createMailbox,
  createMailMessage,
  createUser,
  createWorkspace,
  type TestMailbox,
  type TestUser,
} from '@firmdesk/testing';
import { commonCases, createMailUser, type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const RESTORE = 'POST /v1/me/mail/messages/{id}/restore';
const gateway = await suiteGateway();
let firm: Firm;
let me: TestUser;
let token: string;
let mailbox: TestMailbox;

beforeEach(async () => {
  ({ firm, user: me, token, mailbox } = await createMailUser(gateway));
});

const create = (input: Partial<CreateMailMessageInput> = {}) =>
  createMailMessage(gateway.services, { mailbox, ...input });
const restore = (id: string | number, body?: unknown) =>
  gateway.request(`POST /v1/me/mail/messages/${id}/restore`, { token, ...(body !== undefined && { body }) });
const move = (ids: string[], folder: string) =>
  gateway.rpc('mail.move', { token, key: randomUUID(), body: { ids, folder } });
const foldersOf = (...messages: { id: string }[]): Promise<Folder[]> =>
  Promise.all(
    messages.map(
      async ({ id }) => (await gateway.rpc('mail.get', { token, body: { id } })).data.folder as Folder,
    ),
  );

commonCases(gateway, RESTORE, async (actors, { services }) => {
  const box = await createMailbox(services, { firm: actors.firm, writes: [actors.admin] });
  const { id } = await createMailMessage(services, { mailbox: box, folder: 'trash' });
  return { params: { id }, body: { conversation: false } };
});

test('returns the message as a list row, in its new folder', async () => {
  const { id, threadId } = await create({
    folder: 'trash',
    previousFolder: 'archive',
    messageAt: '2026-01-02T03:04:05.123456Z',
  });
  const answer = await restore(id, { conversation: false });
  expect(answer.status).toBe(200);
  const row = {
    id,
    object: 'mail_message',
    thread_id: threadId,
    address_id: mailbox.id,
    folder: 'archive',
    previous_folder: null,
    subject: 'Quarterly numbers',
    from: { email: 'ann@elsewhere.example', name: 'Ann' },
    to_recipients: [],
    cc_recipients: [],
    snippet: 'Here they are.',
    is_read: false,
    message_at: '2026-01-02T03:04:05.123456Z',
  };
  expect(answer.body).toEqual({ data: row, meta: { request_id: expect.stringMatching(/^req_/) } });
  const list = await gateway.rpc('mail.list', { token, body: { address_id: mailbox.id, folder: 'archive' } });
  expect(list.data.data).toEqual([row]);
});

describe('a single message', () => {
  test.each<[Folder, Folder | null, Folder]>([
    ['trash', 'inbox', 'inbox'],
    ['trash', 'sent', 'sent'],
    ['trash', 'drafts', 'drafts'],
    ['trash', 'archive', 'archive'],
    ['trash', 'spam', 'spam'],
    ['trash', null, 'inbox'],
    ['trash', 'trash', 'inbox'],
    ['spam', 'archive', 'archive'],
    ['spam', null, 'inbox'],
    ['archive', 'sent', 'sent'],
    ['archive', null, 'archive'],
    ['inbox', null, 'inbox'],
    ['sent', null, 'sent'],
    ['drafts', null, 'drafts'],
  ])('in %s with previous folder %s is restored to %s', async (folder, previousFolder, target) => {
    const { id } = await create({ folder, previousFolder });
    expect((await restore(id)).body.data).toMatchObject({ id, folder: target, previous_folder: null });
    expect(await foldersOf({ id })).toEqual([target]);
  });

  test('is restored without its conversation', async () => {
    const one = await create({ folder: 'trash' });
    const other = await create({ folder: 'trash', replyTo: one });
    await restore(one.id);
    expect(await foldersOf(one, other)).toEqual(['inbox', 'trash']);
  });

  test('returns to its original folder after several moves', async () => {
    const [read, sent, unsent] = [
      await create(),
      await create({ folder: 'sent' }),
      await create({ folder: 'drafts' }),
    ];
    for (const folder of ['trash', 'spam', 'trash']) await move([read.id, sent.id, unsent.id], folder);
    expect(await foldersOf(read, sent, unsent)).toEqual(['trash', 'trash', 'trash']);
    for (const { id } of [read, sent, unsent]) await restore(id);
    expect(await foldersOf(read, sent, unsent)).toEqual(['inbox', 'sent', 'drafts']);
  });

  test('that was archived and then moved to the trash returns to the archive', async () => {
    const { id } = await create();
    await move([id], 'archive');
    await move([id], 'trash');
    expect((await restore(id)).body.data.folder).toBe('archive');
  });

  test.each([
    { moves: ['archive', 'trash'], restoredTo: 'archive' },
    { moves: ['archive', 'spam', 'trash'], restoredTo: 'archive' },
    { moves: ['archive'], restoredTo: 'inbox' },
    { moves: ['trash', 'archive'], restoredTo: 'inbox' },
    { moves: ['archive', 'trash', 'archive'], restoredTo: 'archive' },
  ] as const)(
    'moved to $moves is restored to $restoredTo, and a second restore changes nothing',
    async ({ moves, restoredTo }) => {
      const { id } = await create();
      for (const folder of moves) await move([id], folder);
      for (const conversation of [false, true, false]) {
        expect((await restore(id, { conversation })).body.data.folder).toBe(restoredTo);
      }
    },
  );

  test('stays in the archive when eight calls restore it concurrently', async () => {
    const { id } = await create();
    for (const folder of ['archive', 'trash']) await move([id], folder);
    await Promise.all(Array.from({ length: 8 }, () => restore(id)));
    expect(await foldersOf({ id })).toEqual(['archive']);
  });

  test('is restored by a caller who may only read the mailbox', async () => {
    const box = await createMailbox(gateway.services, { firm, reads: [me] });
    const { id } = await create({ mailbox: box, folder: 'trash', previousFolder: 'sent' });
    expect((await restore(id)).body.data.folder).toBe('sent');
  });
});

describe('a conversation', () => {
  test('is restored message by message, each to its own folder; other folders stay as they are', async () => {
    const first = await create({ folder: 'trash', previousFolder: 'inbox' });
    const second = await create({ folder: 'trash', previousFolder: 'sent', replyTo: first });
    const third = await create({ folder: 'spam', replyTo: first });
    const fourth = await create({ folder: 'archive', previousFolder: 'inbox', replyTo: first });
    const fifth = await create({ folder: 'drafts', replyTo: first });
    const unrelated = await create({ folder: 'trash' });
    const answer = await restore(second.id, { conversation: true });
    expect(answer.body.data).toMatchObject({ id: second.id, folder: 'sent' });
    expect(await foldersOf(first, second, third, fourth, fifth, unrelated)).toEqual([
      'inbox',
      'sent',
      'inbox',
      'archive',
      'drafts',
      'trash',
    ]);
  });

  test('is restored although the named message is in neither trash nor spam', async () => {
    const here = await create();
    const trashed = await create({ folder: 'trash', previousFolder: 'sent', replyTo: here });
    expect((await restore(here.id, { conversation: true })).body.data.folder).toBe('inbox');
    expect(await foldersOf(trashed)).toEqual(['sent']);
  });

  test('leaves messages that the caller cannot read', async () => {
    const colleague = await createUser(gateway.services, { firm });
    const closed = await createMailbox(gateway.services, { firm, writes: [colleague] });
    const mine = await create({ folder: 'trash' });
    const theirs = await create({ mailbox: closed, folder: 'trash', replyTo: mine });
    await restore(mine.id, { conversation: true });
    const { rows } = await gateway.services.pool.query('select folder from mail_messages where id = $1', [
      theirs.id,
    ]);
    expect(rows).toEqual([{ folder: 'trash' }]);
  });
});

test('replays the response of a repeated key without moving the message', async () => {
  const { id } = await create({ folder: 'trash' });
  const key = randomUUID();
  const target = `POST /v1/me/mail/messages/${id}/restore`;
  const first = await gateway.request(target, { token, key });
  await move([id], 'trash');
  expect((await gateway.request(target, { token, key })).text).toBe(first.text);
  expect(await foldersOf({ id })).toEqual(['trash']);
});

test('concurrent restores and moves leave the message in one of its folders', async () => {
  const { id } = await create({ folder: 'trash', previousFolder: 'sent' });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => (i % 2 ? restore(id) : move([id], 'trash'))),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  await restore(id);
  expect(await foldersOf({ id })).toEqual(['sent']);
});

describe('404 resource_not_found', () => {
  test('for an unknown or malformed id, an unreadable mailbox, and a mailbox of another workspace', async () => {
    const elsewhere = await createWorkspace(gateway.services);
    const colleague = await createUser(gateway.services, { firm });
    const { alias } = await create({ folder: 'trash' });
    const ids = [
      'msg_00000000000000000000000000',
      (
        await create({
          mailbox: await createMailbox(gateway.services, { firm, writes: [colleague] }),
          folder: 'trash',
        })
      ).id,
      (
        await create({
          mailbox: await createMailbox(gateway.services, { firm: elsewhere, writes: [me] }),
          folder: 'trash',
        })
      ).id,
      alias,
      'msg_',
      'tkt_00000000000000000000000000',
      '%00',
    ];
    for (const id of ids) {
      for (const conversation of [false, true]) {
        const answer = await restore(id, { conversation });
        expect([answer.status, answer.body.error.code, answer.body.error.fields]).toEqual([
          404,
          'resource_not_found',
          undefined,
        ]);
      }
    }
  });
});

test('422 validation_failed for a conversation that is not a boolean', async () => {
  const { id } = await create({ folder: 'trash' });
  for (const conversation of ['true', 1, null, []]) {
    const answer = await restore(id, { conversation });
    expect([answer.status, answer.body.error.code]).toEqual([422, 'validation_failed']);
  }
  expect(await foldersOf({ id })).toEqual(['trash']);
});

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

const MAILBOXES = 'GET /v1/me/mail/mailboxes';
const LIST = 'GET /v1/me/mail/messages';
const MOVE = 'POST /v1/me/mail/messages/move';
const MARK = 'POST /v1/me/mail/messages/mark';
const DELETE = 'POST /v1/me/mail/messages/delete';
const gateway = await suiteGateway();
const { services } = gateway;
let firm: Firm;
let me: TestUser;
let token: string;
let mailbox: TestMailbox;
/** A mailbox of a colleague, and one of the caller in another firm. */
let inaccessible: TestMailbox[];

beforeEach(async () => {
  ({ firm, user: me, token, mailbox } = await createMailUser(gateway));
  const elsewhere = await createWorkspace(services);
  const colleague = await createUser(services, { firm });
  inaccessible = [
    await createMailbox(services, { firm, writes: [colleague] }),
    await createMailbox(services, { firm: elsewhere, writes: [me] }),
  ];
});

for (const target of [MAILBOXES, LIST, MOVE, MARK, DELETE]) {
  commonCases(gateway, target, async (actors) => {
    const box = await createMailbox(services, { firm: actors.firm, writes: [actors.admin] });
    const { id } = await createMailMessage(services, { mailbox: box });
    if (target === MOVE) return { body: { ids: [id], folder: 'archive' } };
    if (target === MARK) return { body: { ids: [id], is_read: true } };
    return target === DELETE ? { body: { ids: [id] } } : { query: '' };
  });
}

const create = async (input: Partial<CreateMailMessageInput> = {}) =>
  (await createMailMessage(services, { mailbox, ...input })).id;
const call = async (target: string, body?: object) => {
  const answer = await gateway.request(target, { token, ...(body && { body }) });
  return answer.body.error?.code ?? answer.body.data;
};
const list = async (query = '') => (await gateway.request(`${LIST}${query}`, { token })).body;
const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
const folderOf = async (id: string) => (await gateway.rpc('mail.get', { token, body: { id } })).data?.folder;

test('the mailboxes are listed with their unread counts', async () => {
  await create();
  expect(await call(MAILBOXES)).toEqual([{ object: 'mailbox', ...mailbox, can_write: true, unread: 1 }]);
});

describe('a list of messages', () => {
  test('has the inboxes of all mailboxes that the caller may read, newest first, page by page', async () => {
    const shared = await createMailbox(services, { firm, reads: [me] });
    const expected: string[] = [];
    for (let i = 0; i < 7; i++) {
      const box = i % 2 === 0 ? mailbox : shared;
      expected.unshift(await create({ mailbox: box, messageAt: `2026-01-0${i + 1}T00:00:00.000001Z` }));
      for (const other of inaccessible) await create({ mailbox: other });
      await create({ mailbox: box, folder: 'archive' });
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof list>> = await list(
        `?limit=3${cursor && `&starting_after=${encodeURIComponent(cursor)}`}`,
      );
      seen.push(...ids(page));
      expect(page.data.length).toBeLessThanOrEqual(3);
      cursor = page.meta.next_cursor;
    }
    expect(seen).toEqual(expected);
  });

  test('has a row as the console gets it', async () => {
    await create();
    const rpc = await gateway.rpc('mail.list', { token, body: { address_id: mailbox.id } });
    expect((await list()).data).toEqual(rpc.data.data);
  });

  test('can be of one mailbox, one folder, and unread', async () => {
    const shared = await createMailbox(services, { firm, reads: [me] });
    const [mine, theirs, archived] = [
      await create(),
      await create({ mailbox: shared }),
      await create({ folder: 'archive' }),
    ];
    const read = await create();
    await call(MARK, { ids: [read], is_read: true });
    expect(ids(await list(`?address_id=${shared.id}`))).toEqual([theirs]);
    expect(ids(await list('?folder=archive'))).toEqual([archived]);
    expect(ids(await list(`?unread=true&address_id=${mailbox.id}`))).toEqual([mine]);
    expect(ids(await list(`?unread=false&address_id=${mailbox.id}`))).toEqual(
      [read, mine].toSorted().toReversed(),
    );
  });

  test('rejects a mailbox that the caller may not read, like an unknown one', async () => {
    for (const { id } of [...inaccessible, { id: 0 }, { id: 2 ** 40 }])
      expect((await list(`?address_id=${id}`)).error.code).toBe('resource_not_found');
  });

  test.each([
    ['address_id=mine', 'validation_failed'],
    ['address_id=-1', 'validation_failed'],
    ['folder=outbox', 'validation_failed'],
    ['folder=', 'validation_failed'],
    ['unread=yes', 'validation_failed'],
    ['folder=inbox&folder=trash', 'validation_failed'],
    ['limit=0', 'invalid_limit'],
    ['starting_after=x', 'invalid_cursor'],
    ...['0000-01-01T00', '2026-02-30T00', '2026-01-01T24'].map((hour) => {
      const cursor = Buffer.from(`${hour}:00:00.000000Z msg_00000000000000000000000000`).toString(
        'base64url',
      );
      return [`starting_after=${cursor}`, 'invalid_cursor'];
    }),
  ])('rejects %s', async (query, code) => {
    const { status, body } = await gateway.request(`${LIST}?${query}`, { token });
    expect([status, body.error.code]).toEqual([400, code]);
  });
});

test('messages are moved and marked, and those of others are ignored like unknown ones', async () => {
  const id = await create();
  const all = [id, await create({ mailbox: inaccessible[0]! }), 'msg_00000000000000000000000000'];
  const changed = (changed: number) => ({ object: 'mail_messages_changed', changed });
  expect(await call(MARK, { ids: all, is_read: true })).toEqual(changed(1));
  expect(await call(MOVE, { ids: all, folder: 'archive' })).toEqual(changed(1));
  expect((await list('?folder=archive')).data).toMatchObject([
    { id, is_read: true, previous_folder: 'inbox' },
  ]);
});

describe('deleting', () => {
  test('moves to the trash, and from there deletes permanently', async () => {
    const id = await create({ folder: 'archive' });
    expect(await call(DELETE, { ids: [id, id] })).toMatchObject({ changed: 1 });
    expect(await folderOf(id)).toBe('trash');
    expect(await call(DELETE, { ids: [id, id] })).toMatchObject({ changed: 1 });
    expect(await folderOf(id)).toBeUndefined();
    expect(await call(DELETE, { ids: [id] })).toMatchObject({ changed: 0 });
  });

  test('takes messages of several folders, drafts too, in one call', async () => {
    const [draft, received, trashed] = [
      await create({ folder: 'drafts' }),
      await create(),
      await create({ folder: 'trash' }),
    ];
    expect(await call(DELETE, { ids: [draft, received, trashed] })).toMatchObject({ changed: 3 });
    expect(await Promise.all([draft, received, trashed].map(folderOf))).toEqual([
      'trash',
      'trash',
      undefined,
    ]);
  });

  test('is repeated by its key without deleting what the first call has moved', async () => {
    const id = await create();
    const key = crypto.randomUUID();
    for (let i = 0; i < 2; i++) await gateway.request(DELETE, { token, key, body: { ids: [id] } });
    expect(await folderOf(id)).toBe('trash');
  });

  test('permanently needs write access to the mailbox', async () => {
    const shared = await createMailbox(services, { firm, reads: [me] });
    const id = await create({ mailbox: shared, folder: 'trash' });
    const others = await Promise.all(inaccessible.map((box) => create({ mailbox: box, folder: 'trash' })));
    expect(await call(DELETE, { ids: [id, ...others] })).toMatchObject({ changed: 0 });
    expect(await folderOf(id)).toBe('trash');
  });

  test('accepts 1 to 200 ids', async () => {
    const id = await create();
    for (const ids of [[], Array(201).fill(id), ['17']])
      expect(await call(DELETE, { ids })).toBe('validation_failed');
    expect(await folderOf(id)).toBe('inbox');
  });
});

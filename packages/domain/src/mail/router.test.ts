import {
  type CreateMailMessageInput,
  createMailbox,
  createMailMessage,
  createUser,
  createWorkspace,
  type TestMailbox,
  type TestUser,
} from '@firmdesk/testing';
import { createMailUser, type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
let firm: Firm;
let me: TestUser;
let token: string;
let mailbox: TestMailbox;
/** Messages that the caller cannot access: in a colleague's mailbox, and in the caller's own mailbox in another firm. */
let inaccessible: { mailbox: TestMailbox; id: string }[];

beforeEach(async () => {
  ({ firm, user: me, token, mailbox } = await createMailUser(gateway));
  const elsewhere = await createWorkspace(gateway.services);
  const colleague = await createUser(gateway.services, { firm });
  inaccessible = await Promise.all(
    [
      await createMailbox(gateway.services, { firm, writes: [colleague] }),
      await createMailbox(gateway.services, { firm: elsewhere, writes: [me] }),
    ].map(async (box) => ({ mailbox: box, id: (await create({ mailbox: box, folder: 'drafts' })).id })),
  );
});

const create = (input: Partial<CreateMailMessageInput> = {}) =>
  createMailMessage(gateway.services, { mailbox, ...input });
/** Calls a procedure. Returns its data, or its error code. */
async function call(name: string, body?: object, as = token) {
  const { data, code } = await gateway.rpc(`mail.${name}`, { token: as, body });
  return code ?? data;
}
const ids = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);

test('mailboxes lists the mailboxes that the caller may read in the workspace, with their unread counts', async () => {
  const shared = await createMailbox(gateway.services, { firm, reads: [me] });
  await create({ mailbox: shared });
  await create({ mailbox: shared });
  await create({ mailbox: shared, folder: 'archive' });
  const both = [
    { object: 'mailbox', ...mailbox, can_write: true, unread: 0 },
    { object: 'mailbox', ...shared, can_write: false, unread: 2 },
  ];
  expect(await call('mailboxes')).toEqual(both.toSorted((a, b) => (a.email < b.email ? -1 : 1)));
});

describe('a folder', () => {
  test('is listed newest first, page by page', async () => {
    const messages = [];
    for (let i = 0; i < 5; i++)
      messages.push((await create({ messageAt: `2026-01-0${i + 1}T00:00:00.000001Z` })).id);
    await create({ folder: 'archive' });
    const list = (starting_after?: string) =>
      call('list', { address_id: mailbox.id, limit: 2, ...(starting_after && { starting_after }) });
    const first = await list();
    const second = await list(first.meta.next_cursor!);
    const third = await list(second.meta.next_cursor!);
    expect([...ids(first), ...ids(second), ...ids(third)]).toEqual(messages.toReversed());
    expect([first, second, third].map(({ meta }) => meta.has_more)).toEqual([true, true, false]);
    expect(third.meta.next_cursor).toBeNull();
  });

  test('is listed by id where message_at is equal, without duplicates', async () => {
    const messages = [];
    for (let i = 0; i < 5; i++) messages.push((await create({ messageAt: '2026-01-01T00:00:00Z' })).id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await call('list', {
        address_id: mailbox.id,
        limit: 1,
        ...(cursor && { starting_after: cursor }),
      });
      seen.push(...ids(page));
      cursor = page.meta.next_cursor;
    } while (cursor);
    expect(seen).toEqual(messages.toSorted().toReversed());
  });

  test('rejects a cursor that it did not issue, and an invalid limit', async () => {
    const forged = (text: string) => Buffer.from(text).toString('base64url');
    for (const starting_after of [
      '',
      'x',
      '%',
      'msg_00000000000000000000000000',
      forged('2026-13-45T00:00:00.000000Z msg_1'),
      forged("'; drop table users"),
      `${forged('2026-01-01T00:00:00.000000Z msg_000000')}=`,
    ]) {
      expect(await call('list', { address_id: mailbox.id, starting_after })).toBe('invalid_cursor');
    }
    expect(await call('list', { address_id: mailbox.id, limit: 0 })).toBe('invalid_limit');
  });

  test('of a mailbox that the caller may not read is not found', async () => {
    for (const address_id of [...inaccessible.map(({ mailbox }) => mailbox.id), 2_000_000_000, 0, 2 ** 40]) {
      expect(await call('list', { address_id })).toBe('resource_not_found');
    }
  });
});

test('only readers of the mailbox can open a message', async () => {
  const { id } = await create();
  expect(await call('get', { id })).toMatchObject({
    id,
    body: '<p>Here they are.</p>',
    bcc_recipients: [],
    is_read: false,
  });
  for (const { id } of inaccessible) expect(await call('get', { id })).toBe('resource_not_found');
  expect(await call('get', { id: 'msg_00000000000000000000000000' })).toBe('resource_not_found');
});

describe('moving', () => {
  test('returns the number of moved messages, and records the previous folder', async () => {
    const [one, other] = [await create(), await create({ folder: 'archive' })];
    const all = [one.id, other.id, ...inaccessible.map(({ id }) => id), 'msg_00000000000000000000000000'];
    expect(await call('move', { ids: all, folder: 'archive' })).toEqual({
      object: 'mail_messages_changed',
      changed: 1,
    });
    expect(await call('get', { id: one.id })).toMatchObject({
      folder: 'archive',
      previous_folder: 'inbox',
    });
    expect(await call('get', { id: other.id })).toMatchObject({
      folder: 'archive',
      previous_folder: null,
    });
    expect(await call('move', { ids: all, folder: 'inbox' })).toMatchObject({ changed: 2 });
    expect(await call('get', { id: one.id })).toMatchObject({ folder: 'inbox', previous_folder: null });
  });

  test('moves a draft only to the trash', async () => {
    const { id } = await create({ folder: 'drafts' });
    for (const folder of ['inbox', 'archive', 'spam'] as const) {
      expect(await call('move', { ids: [id], folder })).toMatchObject({ changed: 0 });
    }
    expect(await call('move', { ids: [id], folder: 'trash' })).toMatchObject({ changed: 1 });
  });

  test('accepts 1 to 200 ids', async () => {
    const { id } = await create();
    expect(await call('move', { ids: Array(200).fill(id), folder: 'spam' })).toMatchObject({
      changed: 1,
    });
    for (const ids of [[], Array(201).fill(id)]) {
      expect(await call('move', { ids, folder: 'inbox' })).toBe('validation_failed');
    }
    expect(await call('move', { ids: [id], folder: 'drafts' as never })).toBe('validation_failed');
  });
});

test('marking returns the number of changed messages', async () => {
  const { id } = await create();
  const all = [id, ...inaccessible.map(({ id }) => id)];
  expect(await call('mark', { ids: all, is_read: true })).toEqual({
    object: 'mail_messages_changed',
    changed: 1,
  });
  expect(await call('mark', { ids: all, is_read: true })).toMatchObject({ changed: 0 });
  expect((await call('mailboxes'))[0]!.unread).toBe(0);
  expect(await call('mark', { ids: all, is_read: false })).toMatchObject({ changed: 1 });
  expect((await call('mailboxes'))[0]!.unread).toBe(1);
});

describe('deleting a draft', () => {
  test('deletes it permanently', async () => {
    const { id } = await create({ folder: 'drafts' });
    expect(await call('deleteDraft', { id })).toEqual({ object: 'mail_draft_deleted', id });
    expect(await call('get', { id })).toBe('resource_not_found');
    expect(await call('deleteDraft', { id })).toBe('resource_not_found');
  });

  test('requires a draft, and write access to its mailbox', async () => {
    expect(await call('deleteDraft', { id: (await create()).id })).toBe('not_a_draft');
    const read = await createMailbox(gateway.services, { firm, reads: [me] });
    const { id } = await create({ mailbox: read, folder: 'drafts' });
    for (const draft of [id, ...inaccessible.map(({ id }) => id)]) {
      expect(await call('deleteDraft', { id: draft })).toBe('resource_not_found');
    }
  });
});

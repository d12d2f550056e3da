import type { Folder } from '@firmdesk/contract';
import {
  createMailMessage,
  createTag,
  type TestMailbox,
  type TestMailMessage,
  type TestUser,
  unique,
} from '@firmdesk/testing';
import {
  createMailUser,
  createUserWithToken,
  type Firm,
  suiteGateway,
  tokenOf,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { pruneAll } from '../../platform/database/retention.ts';
import { trashRetention } from '../messages/trash.ts';
import { deliverMail } from '../receiving/deliver-mail.ts';
import { wakeThread } from './snooze-threads.ts';

const gateway = await suiteGateway();
let firm: Firm;
let token: string;
let user: TestUser;
let mailbox: TestMailbox;

beforeEach(async () => {
  ({ firm, token, user, mailbox } = await createMailUser(gateway));
});

const call = async (name: string, body: object = {}, as = token) =>
  (await gateway.rpc(`mail.threads.${name}`, { token: as, body })).data;
const codeOf = async (name: string, body: object, as = token) =>
  (await gateway.rpc(`mail.threads.${name}`, { token: as, body })).code;
const list = async (input: object = {}, as = token) =>
  (await call('list', { address_id: mailbox.id, ...input }, as)).data;
const add = (folder: Folder = 'inbox', replyTo?: TestMailMessage) => {
  gateway.clock.advance(1_000);
  return createMailMessage(gateway.services, { mailbox, folder, ...(replyTo && { replyTo }) });
};
const folderOf = async ({ id }: TestMailMessage) => {
  const { rows } = await gateway.services.pool.query('select folder from mail_messages where id = $1', [id]);
  return rows[0]?.folder ?? null;
};

describe('lists', () => {
  test('have a row for each conversation, by its newest message in the folder, with counts of all', async () => {
    const first = await add();
    await add('sent', first);
    const other = await add();
    const newest = await add('inbox', first);
    await add('drafts', first);
    await add('trash', first);
    const rows = await list();
    expect(rows.map((row: { id: number }) => row.id)).toEqual([first.threadId, other.threadId]);
    expect(rows[0]).toMatchObject({
      message: { id: newest.id, folder: 'inbox' },
      messages: 4,
      unread: 4,
      drafts: 1,
      participants: [{ email: 'ann@elsewhere.example', name: 'Ann' }],
      is_starred: false,
      snoozed_until: null,
      tags: [],
    });
    expect(await list({ view: 'trash' })).toMatchObject([{ id: first.threadId, messages: 1 }]);
  });

  test('are walked page by page, each conversation once', async () => {
    const threads: number[] = [];
    for (let i = 0; i < 5; i++) {
      const first = await add();
      await add('inbox', first);
      threads.unshift(first.threadId);
    }
    const seen: number[] = [];
    let starting_after: string | undefined;
    do {
      const { data, meta } = await call('list', {
        address_id: mailbox.id,
        limit: 2,
        ...(starting_after && { starting_after }),
      });
      seen.push(...data.map(({ id }: { id: number }) => id));
      starting_after = meta.next_cursor ?? undefined;
    } while (starting_after);
    expect(seen).toEqual(threads);
    expect(await codeOf('list', { address_id: mailbox.id, starting_after: 'x' })).toBe('invalid_cursor');
  });

  test('of unread conversations leave the others out', async () => {
    const read = await add();
    const unread = await add();
    await call('mark', { threads: [read.threadId], is_read: true });
    expect(await list({ unread: true })).toMatchObject([{ id: unread.threadId }]);
  });
});

test('an open conversation has its messages in order, and those in the trash only when one of them is opened', async () => {
  const first = await add();
  const trashed = await add('trash', first);
  const draft = await add('drafts', first);
  const ids = async (id: string) =>
    (await call('get', { id })).messages.map((message: { id: string }) => message.id);
  expect(await ids(first.id)).toEqual([first.id, draft.id]);
  expect(await ids(draft.id)).toEqual([first.id, draft.id]);
  expect(await ids(trashed.id)).toEqual([trashed.id]);
});

test('a message that was sent here names the account that has sent it', async () => {
  const first = await add();
  gateway.clock.advance(1_000);
  const sent = await gateway.rpc('mail.send', {
    token,
    body: { address_id: mailbox.id, to: ['ann@elsewhere.example'], in_reply_to: first.id, subject: 'Re' },
  });
  expect((await call('get', { id: first.id })).messages).toMatchObject([
    { id: first.id, author: null, in_reply_to: null },
    { id: sent.data.id, author: { id: user.id }, in_reply_to: first.id },
  ]);
});

describe('moving a conversation', () => {
  test('archives what is in the inbox, and says from where each message came', async () => {
    const first = await add();
    const sent = await add('sent', first);
    const { moved } = await call('move', { threads: [first.threadId], to: 'archive' });
    expect(moved).toEqual([{ id: first.id, folder: 'inbox' }]);
    expect([await folderOf(first), await folderOf(sent)]).toEqual(['archive', 'sent']);
    expect((await call('move', { threads: [first.threadId], to: 'inbox' })).moved).toHaveLength(1);
  });

  test('to the trash takes all of it, from where each message returns to its folder', async () => {
    const first = await add();
    const all = [first, await add('sent', first), await add('drafts', first), await add('archive', first)];
    const { moved } = await call('move', { threads: [first.threadId], to: 'trash' });
    expect(moved).toHaveLength(4);
    expect(await list({ view: 'trash' })).toMatchObject([{ id: first.threadId, messages: 4 }]);
    await call('restoreMessages', { ids: moved.map(({ id }: { id: string }) => id) });
    expect(await Promise.all(all.map(folderOf))).toEqual(['inbox', 'sent', 'drafts', 'archive']);
  });

  test('from spam takes only what is there', async () => {
    const first = await add('spam');
    const sent = await add('sent', first);
    await call('move', { threads: [first.threadId], to: 'inbox', from: 'spam' });
    expect([await folderOf(first), await folderOf(sent)]).toEqual(['inbox', 'sent']);
  });
});

describe('marks', () => {
  test('a star and tags are shown in lists of their own', async () => {
    const tag = await createTag(gateway.services, { firm });
    const [marked] = [await add(), await add()];
    const threads = [marked.threadId];
    await call('mark', { threads, is_starred: true, add_tags: [tag] });
    const row = { id: marked.threadId, is_starred: true, tags: [{ id: tag }] };
    expect(await list({ view: 'starred' })).toMatchObject([row]);
    expect(await list({ tag })).toMatchObject([row]);
    expect(await call('tags')).toMatchObject([{ id: tag }]);
    await call('mark', { threads, is_starred: false, remove_tags: [tag] });
    expect([await list({ view: 'starred' }), await list({ tag })]).toEqual([[], []]);
  });

  test('unread marks the newest received message', async () => {
    const first = await add();
    await add('inbox', first);
    await add('sent', first);
    const threads = [first.threadId];
    await call('mark', { threads, is_read: true });
    expect(await list()).toMatchObject([{ unread: 0 }]);
    await call('mark', { threads, is_read: false });
    expect(await list()).toMatchObject([{ unread: 1 }]);
  });

  test('a tag of another firm is refused', async () => {
    const other = await createUserWithToken(gateway);
    const tag = await createTag(gateway.services, { firm: other.firm });
    const { threadId } = await add();
    expect(await codeOf('mark', { threads: [threadId], add_tags: [tag] })).toBe('validation_failed');
  });
});

describe('snooze', () => {
  const snooze = (threadId: number, until: string | null) => call('snooze', { threads: [threadId], until });

  test('leaves a conversation out of the inbox until its end, when it is unread', async () => {
    const { threadId } = await add();
    await call('mark', { threads: [threadId], is_read: true });
    const until = new Date(gateway.clock.now().getTime() + 3_600_000).toISOString();
    await snooze(threadId, until);
    expect(await list()).toEqual([]);
    expect(await list({ view: 'snoozed' })).toMatchObject([{ id: threadId, snoozed_until: until }]);
    await wakeThread(gateway.services, {
      workspace: firm.id,
      thread: threadId,
      until: new Date(0).toISOString(),
    });
    expect(await list()).toEqual([]);
    await wakeThread(gateway.services, { workspace: firm.id, thread: threadId, until });
    expect(await list()).toMatchObject([{ id: threadId, unread: 1, snoozed_until: null }]);
  });

  test('ends with a message of the conversation', async () => {
    const raw = (headers: string) =>
      Buffer.from(`From: ann@x.example\r\nSubject: Hi\r\n${headers}\r\n\r\nText.\r\n`);
    const deliver = (headers: string) =>
      deliverMail(gateway.services, { raw: raw(headers), mailbox: mailbox.email, folder: 'inbox' });
    const id = unique('id');
    const { thread_id } = await deliver(`Message-ID: <${id}@x.example>`);
    await snooze(thread_id, new Date(gateway.clock.now().getTime() + 3_600_000).toISOString());
    await deliver(`Message-ID: <2${id}@x.example>\r\nIn-Reply-To: <${id}@x.example>`);
    expect(await list()).toMatchObject([{ id: thread_id, snoozed_until: null, messages: 2 }]);
  });

  test('refuses a time that is past or too far', async () => {
    const { threadId } = await add();
    for (const until of ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z'])
      expect(await codeOf('snooze', { threads: [threadId], until })).toBe('validation_failed');
  });
});

describe('the trash', () => {
  test('is emptied by who may write from the mailbox', async () => {
    const [trashed, kept] = [await add('trash'), await add()];
    const reader = await createUserWithToken(gateway, { firm, scopes: ['mail:write', 'mail:read'] });
    await gateway.services.pool.query(
      'insert into mailbox_members (workspace_id, mailbox_id, user_id, can_write) values ($1, $2, $3, false)',
      [firm.id, mailbox.id, reader.user.id],
    );
    expect(await codeOf('emptyTrash', { address_id: mailbox.id }, reader.token)).toBe('resource_not_found');
    expect(await call('emptyTrash', { address_id: mailbox.id })).toMatchObject({
      deleted: 1,
      has_more: false,
    });
    expect([await folderOf(trashed), await folderOf(kept)]).toEqual([null, 'inbox']);
  });

  test('is deleted after 30 days, counted from the move', async () => {
    const [moved, restored, earlier] = [await add(), await add(), await add('trash')];
    await call('move', { threads: [moved.threadId, restored.threadId], to: 'trash' });
    await call('restoreMessages', { ids: [restored.id] });
    const prune = async (days: number) => {
      gateway.clock.advance(days * 86_400_000);
      await pruneAll(gateway.services, [trashRetention]);
      return Promise.all([moved, restored, earlier].map(folderOf));
    };
    expect(await prune(29)).toEqual(['trash', 'inbox', 'trash']);
    expect(await prune(2)).toEqual([null, 'inbox', 'trash']);
    expect(await prune(29)).toEqual([null, 'inbox', null]);
  });
});

test('people to write to: those who were written to first, then those who wrote, then the team to its members', async () => {
  await gateway.services.pool.query(
    `update mail_messages set to_recipients = '[{"email":"Kim@x.example","name":"Kim"}]' where workspace_id = $1 and id = $2`,
    [firm.id, (await add('sent')).id],
  );
  await add();
  const emails = async (as: string) =>
    (await call('correspondents', {}, as)).map(({ email }: { email: string }) => email);
  expect(await emails(token)).toEqual(['Kim@x.example', 'ann@elsewhere.example']);
  const admin = await createUserWithToken(gateway, { firm, role: 'admin', scopes: ['mail:read'] });
  const colleague = await createUserWithToken(gateway, { firm, role: 'admin' });
  expect(await emails(admin.token)).toEqual([colleague.user.email]);
});

test('what a caller may not read is as if it did not exist, in the firm and in another one', async () => {
  const message = await add();
  const tag = await createTag(gateway.services, { firm });
  const strangers = [
    (await createUserWithToken(gateway, { firm, scopes: ['mail:write', 'mail:read'] })).token,
    (await createMailUser(gateway)).token,
  ];
  for (const stranger of strangers) {
    const threads = [message.threadId];
    expect(await codeOf('list', { address_id: mailbox.id }, stranger)).toBe('resource_not_found');
    expect(await codeOf('get', { id: message.id }, stranger)).toBe('resource_not_found');
    expect(await codeOf('emptyTrash', { address_id: mailbox.id }, stranger)).toBe('resource_not_found');
    expect((await call('move', { threads, to: 'trash' }, stranger)).moved).toEqual([]);
    expect((await call('mark', { threads, is_starred: true }, stranger)).changed).toBe(0);
    expect((await call('snooze', { threads, until: null }, stranger)).changed).toBe(0);
    expect((await call('restoreMessages', { ids: [message.id] }, stranger)).changed).toBe(0);
  }
  expect(await list()).toMatchObject([{ id: message.threadId, is_starred: false }]);
  const onlyReads = await tokenOf(gateway, user, firm.slug, ['mail:read']);
  expect(await codeOf('mark', { threads: [message.threadId], add_tags: [tag] }, onlyReads)).toBe(
    'insufficient_scope',
  );
});

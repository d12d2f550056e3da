import type { MailStreamEvent, PresenceEvent, ThreadPresenceEvent } from '@firmdesk/contract';
import {
  createMailbox,
  createMailMessage,
  createUser,
  createWorkspace,
  type TestMailbox,
  type TestUser,
} from '@firmdesk/testing';
import { createUserWithToken, type Firm, follow, suiteGateway, tokenOf } from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';
import { deliverMail } from '../../index.ts';

const gateway = await suiteGateway();
const otherNode = await gateway.secondNode();
let firm: Firm;
let writer: TestUser;
let token: string;
let mailbox: TestMailbox;

beforeEach(async () => {
  ({ firm, user: writer, token } = await createUserWithToken(gateway));
  mailbox = await createMailbox(gateway.services, { firm, writes: [writer] });
});

const open = (bearer = token, lastEventId?: string, url = gateway.url) =>
  follow<MailStreamEvent>(url, { token: bearer }, (trpc, handlers) =>
    trpc.mail.live.subscribe({ lastEventId }, handlers),
  );
const changedIn = (stream: { events: readonly { data: MailStreamEvent }[] }) =>
  stream.events.map(({ data }) => (data.type === 'mail.changed' ? data.address_id : data.type));
const call = async (procedure: string, body: object) => {
  const answer = await gateway.rpc(`mail.${procedure}`, { token, body });
  expect(answer.code, answer.text).toBeNull();
  return answer.data;
};
const deliver = (to: TestMailbox, id: string) =>
  deliverMail(gateway.services, {
    raw: {
      text: `From: ann@elsewhere.example\r\nTo: ${to.email}\r\nMessage-ID: <${id}@elsewhere.example>\r\n\r\nHello`,
      encoding: 'text',
    },
    mailbox: to.email,
    folder: 'inbox',
  });

test('reports arrivals, moves, reads, restores and drafts of a mailbox, on each node', async () => {
  const { id } = await createMailMessage(gateway.services, { mailbox });
  using here = await open();
  using there = await open(token, undefined, otherNode.url);
  const changes = [
    () => deliver(mailbox, 'one'),
    () => call('mark', { ids: [id], is_read: true }),
    () => call('move', { ids: [id], folder: 'trash' }),
    () => call('restore', { id, conversation: false }),
    async () => call('deleteDraft', { id: (await call('saveDraft', { address_id: mailbox.id })).id }),
  ];
  let count = 0;
  for (const [index, change] of changes.entries()) {
    await change();
    count = index === changes.length - 1 ? count + 2 : count + 1;
    for (const stream of [here, there])
      await expect.poll(() => changedIn(stream)).toEqual(Array(count).fill(mailbox.id));
  }
});

test('reports nothing for a change without effect, a repeated delivery and a save of a draft', async () => {
  await deliver(mailbox, 'one');
  const draft = await call('saveDraft', { address_id: mailbox.id });
  using stream = await open();
  await deliver(mailbox, 'one');
  await call('mark', { ids: [draft.id], is_read: true });
  await call('saveDraft', { address_id: mailbox.id, draft_id: draft.id, subject: 'Later' });
  await deliver(mailbox, 'two');
  await expect.poll(() => changedIn(stream)).toEqual([mailbox.id]);
});

test('reports only mailboxes that the caller may read, also when it resumes from the log', async () => {
  const reader = await createUser(gateway.services, { firm });
  const others = await createMailbox(gateway.services, { firm, writes: [writer] });
  const shared = await createMailbox(gateway.services, { firm, writes: [writer], reads: [reader] });
  const ofReader = await tokenOf(gateway, reader, firm.slug);
  const elsewhere = await createMailbox(gateway.services, {
    firm: await createWorkspace(gateway.services),
    writes: [],
  });
  let last: string;
  {
    using stream = await open(ofReader);
    await deliver(shared, 'one');
    await expect.poll(() => changedIn(stream)).toEqual([shared.id]);
    last = stream.events[0]!.id;
  }
  await deliver(others, 'two');
  await deliver(elsewhere, 'three');
  await deliver(shared, 'four');
  using resumed = await open(ofReader, last);
  await expect.poll(() => changedIn(resumed)).toEqual([shared.id]);
  await deliver(mailbox, 'five');
  await deliver(shared, 'six');
  await expect.poll(() => changedIn(resumed)).toEqual([shared.id, shared.id]);
});

test('sends resync to a client whose last event is no longer known', async () => {
  using stream = await open(token, '1-abc-00000000');
  await expect.poll(() => changedIn(stream)).toEqual(['resync']);
  await deliver(mailbox, 'one');
  await expect.poll(() => changedIn(stream)).toEqual(['resync', mailbox.id]);
});

test('shows who has a conversation open and who types, on each node, to those who may read its mailbox', async () => {
  const colleague = await createUserWithToken(gateway, { firm, name: 'Ben Best' });
  const shared = await createMailbox(gateway.services, { firm, writes: [writer, colleague.user] });
  const { threadId: thread } = await createMailMessage(gateway.services, { mailbox: shared });
  const { threadId: other } = await createMailMessage(gateway.services, { mailbox });
  const attend = (bearer: string, input: { thread: number; typing?: boolean }, url = gateway.url) =>
    follow<ThreadPresenceEvent>(url, { token: bearer }, (trpc, handlers) =>
      trpc.mail.threads.attend.subscribe(input, handlers),
    );
  const shown = (stream: { events: readonly { data: ThreadPresenceEvent }[] }) =>
    stream.events
      .at(-1)
      ?.data.viewers.filter(({ id }) => id === colleague.user.id)
      .map(({ name, is_typing }) => [name, is_typing]);
  using mine = await attend(token, { thread });
  using elsewhere = await attend(token, { thread: other });
  const agent = await createUserWithToken(gateway, { firm, permissions: ['view_tickets'] });
  using tickets = await follow<PresenceEvent>(gateway.url, { token: agent.token }, (trpc, handlers) =>
    trpc.tickets.presence.subscribe({}, handlers),
  );
  {
    using _reading = await attend(colleague.token, { thread }, otherNode.url);
    await expect.poll(() => shown(mine)).toEqual([['Ben Best', false]]);
    using _writing = await attend(colleague.token, { thread, typing: true }, otherNode.url);
    await expect.poll(() => shown(mine)).toEqual([['Ben Best', true]]);
  }
  await expect.poll(() => shown(mine)).toEqual([]);
  expect(elsewhere.events.every(({ data }) => data.viewers.every(({ id }) => id === writer.id))).toBe(true);
  expect(tickets.events.map(({ data }) => data.tickets)).toEqual([[]]);
  using refused = await attend(colleague.token, { thread: other });
  expect(refused.errors).toEqual(['resource_not_found']);
});

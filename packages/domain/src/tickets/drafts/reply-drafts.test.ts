import type { Permission, ReplyDraftStreamEvent } from '@firmdesk/contract';
import { createTicket, createUser, type TestUser } from '@firmdesk/testing';
import {
  createUserWithToken,
  type Firm,
  follow,
  lockTicketRow,
  suiteGateway,
  ticketCalls,
} from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;
const permissions: Permission[] = ['view_tickets', 'manage_tickets'];
let firm: Firm;
let token: string;
let ada: TestUser;
let trader: TestUser;
let ticket: string;
const { call, rpc } = ticketCalls(gateway, () => token);

beforeEach(async () => {
  ({ firm, token, user: ada } = await createUserWithToken(gateway, { permissions }));
  trader = await createUser(services, { firm, role: 'trader' });
  ticket = await createTicket(services, { firm, trader, status: 'awaiting_admin', aiEnabled: false });
});

const save = (text: string, base: string | null, over: object = {}) =>
  call('saveDraft', { ticket, mode: 'reply', text, base, ...over });
const textOf = async (mode: 'reply' | 'note' = 'reply') =>
  (await call('draftsOf', { ticket }))[mode]?.text ?? null;

test('a draft is stored for its author only, by ticket and kind', async () => {
  const { saved, draft } = await save('Dear Tess', null);
  expect(saved).toBe(true);
  await save('Check the account', null, { mode: 'note' });
  expect(await call('draftsOf', { ticket })).toMatchObject({
    object: 'reply_drafts',
    reply: {
      object: 'reply_draft',
      ticket_id: ticket,
      mode: 'reply',
      text: 'Dear Tess',
      version: draft.version,
    },
    note: { text: 'Check the account' },
  });
  expect((await call('drafts', {})).data).toMatchObject([
    { ticket_id: ticket, mode: 'note' },
    { ticket_id: ticket, mode: 'reply', version: draft.version },
  ]);
  const colleague = await createUserWithToken(gateway, { firm, permissions });
  expect(await call('draftsOf', { ticket }, colleague.token)).toMatchObject({ reply: null, note: null });
  expect((await call('drafts', {}, colleague.token)).data).toEqual([]);
});

test('a save does not overwrite a newer draft of another device, and returns it', async () => {
  const first = (await save('One', null)).draft;
  const second = (await save('Two', first.version)).draft;
  expect(await save('Other device', first.version)).toEqual({
    object: 'reply_draft_save',
    saved: false,
    draft: second,
  });
  expect(await save('Other device', null)).toMatchObject({ saved: false, draft: { text: 'Two' } });
  expect(await save('', first.version)).toMatchObject({ saved: false, draft: { text: 'Two' } });
  // The same text is no conflict: the answer to the save before was lost.
  expect(await save('Two', first.version)).toEqual({
    object: 'reply_draft_save',
    saved: true,
    draft: second,
  });
  expect(await textOf()).toBe('Two');
  const atOnce = await Promise.all(['A', 'B', 'C'].map((text) => save(text, second.version)));
  expect(atOnce.map(({ saved }) => saved).sort()).toEqual([false, false, true]);
});

test('a draft has the macros of its text and what they change, also after a merge', async () => {
  const macrosOf = async (of: string) => (await call('draftsOf', { ticket: of })).reply.macros;
  const actions = { add_tags: [7, 3], status: 'resolved', priority: null, assignee: ada.id };
  const macros = { ids: ['mac_payout'], actions };
  const { draft } = await save('Paid', null, { macros });
  expect(draft.macros).toEqual(macros);
  expect(await macrosOf(ticket)).toEqual(macros);
  // The same macros are no change; a change that is left out is one, with the same text.
  expect((await save('Paid', null, { macros })).draft.version).toBe(draft.version);
  const fewer = { ...macros, actions: { ...actions, status: null } };
  const changed = (await save('Paid', draft.version, { macros: fewer })).draft;
  expect(changed.version).not.toBe(draft.version);
  expect(await macrosOf(ticket)).toEqual(fewer);
  const into = await createTicket(services, { firm, trader, status: 'awaiting_admin', aiEnabled: false });
  await call('saveDraft', { ticket: into, mode: 'reply', text: 'Hello', base: null });
  await call('merge', { ticket, into });
  expect(await macrosOf(into)).toEqual(fewer);
  expect(
    (await rpc('saveDraft', { ticket: into, mode: 'reply', text: 'x', base: null, macros: {} })).code,
  ).toBe('validation_failed');
});

test('the devices of the author, and nobody else, follow what is saved and deleted', async () => {
  const colleague = await createUserWithToken(gateway, { firm, permissions });
  const open = (as: string) =>
    follow<ReplyDraftStreamEvent>(gateway.url, { token: as }, (trpc, handlers) =>
      trpc.tickets.liveDrafts.subscribe({}, handlers),
    );
  using device = await open(token);
  using stranger = await open(colleague.token);
  const { draft } = await save('One', null);
  // Nothing is saved: another device was first, or the text is the same.
  await save('Two', null);
  await save('One', draft.version);
  await save('', draft.version);
  const of = { type: 'reply_draft.saved', ticket_id: ticket, mode: 'reply' };
  await expect
    .poll(() => device.events.map(({ data }) => data))
    .toEqual([
      { ...of, version: draft.version },
      { ...of, version: null },
    ]);
  const theirs = { ticket, mode: 'note', text: 'Mine', base: null };
  const { version } = (await call('saveDraft', theirs, colleague.token)).draft;
  await expect
    .poll(() => stranger.events.map(({ data }) => data))
    .toEqual([{ ...of, mode: 'note', version }]);
  expect(device.events).toHaveLength(2);
});

test('an empty draft is deleted, and a deleted one can be saved again', async () => {
  const { draft } = await save('One', null);
  expect(await save('', draft.version)).toEqual({ object: 'reply_draft_save', saved: true, draft: null });
  expect(await save('', draft.version)).toEqual({ object: 'reply_draft_save', saved: true, draft: null });
  expect(await textOf()).toBe(null);
  expect(await save('More', draft.version)).toMatchObject({ saved: true });
  expect(await textOf()).toBe('More');
});

test.each([
  ['reply', 'reply'],
  ['holdReply', 'reply'],
  ['addNote', 'note'],
] as const)(
  '%s deletes the draft of the message, but not one that was changed since',
  async (procedure, mode) => {
    await save(' Paid on Monday.\n', null, { mode });
    await save('Other kind', null, { mode: mode === 'note' ? 'reply' : 'note' });
    await call(procedure, { ticket, body: 'Paid on Monday.' });
    expect(await textOf(mode)).toBe(null);
    expect(await textOf(mode === 'note' ? 'reply' : 'note')).toBe('Other kind');
    await save('Paid on Monday. And more', null, { mode });
    await call(procedure, { ticket, body: 'Paid on Monday.' });
    expect(await textOf(mode)).toBe('Paid on Monday. And more');
  },
);

test('a further draft than the two hundredth replaces the oldest', async () => {
  await services.pool.query(
    `insert into tickets (id, workspace_id, trader_id, subject, status, last_message_at, trader_wrote_at, created_at, search_text)
     select 'tkt_' || lpad((n * 7919)::text, 12, '0') || substr(md5(random()::text), 1, 8), $1::integer, $2, '', 'open', now(), now(), now(), ''
     from generate_series(1, 200) n`,
    [firm.id, trader.id],
  );
  await services.pool.query(
    `insert into reply_drafts (workspace_id, user_id, ticket_id, mode, text, image_url, image_name, version, updated_at)
     select workspace_id, $2, id, 'reply', id, '', '', 'a', now() - interval '1 day' - row_number() over (order by id) * interval '1 minute'
     from tickets where workspace_id = $1 and id <> $3`,
    [firm.id, ada.id, ticket],
  );
  const before = (await call('drafts', {})).data;
  expect(before).toHaveLength(200);
  await save('Newest', null);
  const after = (await call('drafts', {})).data;
  expect(after.map((draft: { ticket_id: string }) => draft.ticket_id)).toEqual([
    ticket,
    ...before.slice(0, 199).map((draft: { ticket_id: string }) => draft.ticket_id),
  ]);
});

test('rejects a text that is too long, and an unknown ticket', async () => {
  expect((await rpc('saveDraft', { ticket, mode: 'reply', text: 'x'.repeat(40_001), base: null })).code).toBe(
    'validation_failed',
  );
  const unknown = `tkt_${'0'.repeat(26)}`;
  expect((await rpc('saveDraft', { ticket: unknown, mode: 'reply', text: 'x', base: null })).code).toBe(
    'resource_not_found',
  );
  expect((await rpc('draftsOf', { ticket: unknown })).code).toBe('resource_not_found');
});

test('a message that waits for the save of its draft deletes the draft', async () => {
  await using lock = await lockTicketRow(gateway, firm, ticket);
  const saving = save('Dear Tess', null);
  await lock.waitForWaiters(1);
  const sending = call('reply', { ticket, body: 'Dear Tess' });
  await lock.waitForWaiters(2);
  await lock.release();
  expect(await saving).toMatchObject({ saved: true });
  await sending;
  expect(await textOf()).toBeNull();
});

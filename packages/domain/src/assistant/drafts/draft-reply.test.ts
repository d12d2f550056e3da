import type { DraftStreamEvent } from '@firmdesk/contract';
import {
  createTicketFixture,
  createUserWithToken,
  follow,
  openAssistantGateway,
  type TicketFixture,
} from '@firmdesk/testing/gateway';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_DRAFTS_OF_ACCOUNT, MAX_DRAFTS_OF_FIRM } from './draft-slots.ts';

const { model, gateway } = await openAssistantGateway();
const { pool } = gateway.services;
let fixture: TicketFixture;

beforeEach(async () => {
  fixture = await createTicketFixture(gateway);
});

const draft = (ticket: string, instruction = '', lastEventId?: string, token = fixture.token) =>
  follow<DraftStreamEvent>(gateway.url, { token }, (trpc, handlers) =>
    trpc.tickets.draftReply.subscribe({ ticket, instruction, lastEventId }, handlers),
  );
type Draft = Awaited<ReturnType<typeof draft>>;
const textOf = ({ events }: Draft) =>
  events.map(({ data }) => (data.type === 'text_delta' ? data.text : '')).join('');
const lastOf = ({ events }: Draft) => events.at(-1)?.data;
const used = async () => {
  const { rows } = await pool.query('select used from assistant_usage where workspace_id = $1', [
    fixture.firm.id,
  ]);
  return rows[0]?.used ?? 0;
};
const setFirm = (columns: string) =>
  pool.query(`update workspaces set ${columns} where id = $1`, [fixture.firm.id]);

test('streams a draft to the caller, stores no message, and uses the allowance', async () => {
  const ticket = await fixture.createTicket({ messages: [{ body: 'Where is my payout?' }] });
  const before = (await pool.query('select * from tickets where id = $1', [ticket])).rows;
  model.behave({ kind: 'reply', words: ['Dear ', 'Tess, ', 'on Monday.'] });
  using writing = await draft(ticket, 'Say when.');
  await expect.poll(() => lastOf(writing)).toEqual({ type: 'done' });
  expect(writing.events[0]!.data).toEqual({ type: 'started', articles: [] });
  expect(textOf(writing)).toBe('Dear Tess, on Monday.');
  expect(JSON.stringify(model.requests.at(-1)!.body.messages)).toContain('Say when.');
  expect(await fixture.messagesOf(ticket)).toHaveLength(1);
  expect((await pool.query('select * from tickets where id = $1', [ticket])).rows).toEqual(before);
  expect(await used()).toBe(1);
});

test('stops the model when the caller stops the draft', async () => {
  const ticket = await fixture.createTicket();
  model.behave({ kind: 'stall', words: ['Dear '] });
  const writing = await draft(ticket);
  await expect.poll(() => textOf(writing)).toBe('Dear');
  expect(model.open()).toBe(1);
  writing[Symbol.dispose]();
  await expect.poll(() => model.open()).toBe(0);
});

test('says that a draft has failed: when the model fails, and after a lost connection', async () => {
  const ticket = await fixture.createTicket();
  model.behave({ kind: 'break', words: ['Dear '], how: 'cut' });
  using broken = await draft(ticket);
  await expect
    .poll(() => lastOf(broken))
    .toMatchObject({ type: 'failed', reason: expect.stringContaining('model') });
  expect(textOf(broken)).toBe('Dear');
  model.behave({ kind: 'stall', words: ['Dear '] });
  using lost = await draft(ticket);
  await expect.poll(() => textOf(lost)).toBe('Dear');
  lost.drop();
  await expect
    .poll(() => lastOf(lost))
    .toEqual({ type: 'failed', reason: 'the connection to the service was interrupted' });
  // The reconnection started no other draft.
  expect(await used()).toBe(2);
});

test('says that what it has written is to be discarded when that was a thought', async () => {
  const ticket = await fixture.createTicket();
  model.behave({ kind: 'reply', words: ['They ask again.', '</think>', 'Dear Tess.'] });
  using thinking = await draft(ticket);
  await expect.poll(() => lastOf(thinking)).toMatchObject({ type: 'failed', discard_text: true });
  expect(textOf(thinking)).toBe('They ask again.');
  // From then on the model is known.
  using known = await draft(ticket);
  await expect.poll(() => lastOf(known)).toEqual({ type: 'done' });
  expect(textOf(known)).toBe('Dear Tess.');
});

test('is refused without the team’s switch, allowance or permission, and on an ended ticket', async () => {
  const ticket = await fixture.createTicket();
  const ended = await fixture.createTicket({ status: 'resolved' });
  const codeOf = async (id: string) => {
    using refused = await draft(id);
    expect(refused.events).toEqual([]);
    return refused.errors;
  };
  expect(await codeOf(ended)).toEqual(['ticket_ended']);
  expect(await codeOf('tkt_unknown')).toEqual(['resource_not_found']);
  await setFirm('assistant_enabled_for_team = false');
  expect(await codeOf(ticket)).toEqual(['assistant_unavailable']);
  await setFirm('assistant_enabled_for_team = true, assistant_monthly_allowance = 0');
  expect(await codeOf(ticket)).toEqual(['assistant_unavailable']);
  expect(await used()).toBe(0);
});

describe('drafts that are written at the same time', () => {
  let ticket: string;
  let open: DisposableStack;
  beforeEach(async () => {
    ticket = await fixture.createTicket();
    open = new DisposableStack();
    model.behave({ kind: 'stall', words: ['Dear '] });
  });
  afterEach(async () => {
    open.dispose();
    await expect.poll(() => model.open()).toBe(0);
  });
  const begin = async (token?: string) => open.use(await draft(ticket, '', undefined, token));
  const tokenOfColleague = async () => {
    const { token } = await createUserWithToken(gateway, {
      firm: fixture.firm,
      permissions: ['view_tickets', 'manage_tickets'],
    });
    return token;
  };

  test('are at most the share of an account; a colleague, and the account when one has ended, begin another', async () => {
    const drafts = [];
    // The sockets of several tokens of the account.
    for (let count = 0; count < MAX_DRAFTS_OF_ACCOUNT; count++)
      drafts.push(await begin(await fixture.tokenWith(['admin:write'])));
    expect(drafts.flatMap(({ errors }) => errors)).toEqual([]);
    expect((await begin()).errors).toEqual(['rate_limited']);
    expect(await used()).toBe(MAX_DRAFTS_OF_ACCOUNT);
    expect((await begin(await tokenOfColleague())).errors).toEqual([]);
    drafts[0]![Symbol.dispose]();
    await expect.poll(async () => (await begin()).errors).toEqual([]);
  });

  test('are counted before the allowance is: of many that begin together only the share begins', async () => {
    const begun = await Promise.all(Array.from({ length: 12 }, () => begin()));
    const refused = begun.filter(({ errors }) => errors.length > 0);
    expect(refused.map(({ errors }) => errors)).toEqual(
      Array.from({ length: 12 - MAX_DRAFTS_OF_ACCOUNT }, () => ['rate_limited']),
    );
    expect(await used()).toBe(MAX_DRAFTS_OF_ACCOUNT);
  });

  test('are at most the share of a firm; another firm begins one', async () => {
    for (let count = 0; count < MAX_DRAFTS_OF_FIRM; ) {
      const token = await tokenOfColleague();
      for (let own = 0; own < MAX_DRAFTS_OF_ACCOUNT && count < MAX_DRAFTS_OF_FIRM; own++, count++)
        expect((await begin(token)).errors).toEqual([]);
    }
    expect((await begin()).errors).toEqual(['rate_limited']);
    const other = await createTicketFixture(gateway);
    using elsewhere = await draft(await other.createTicket(), '', undefined, other.token);
    await expect.poll(() => elsewhere.events[0]?.data).toEqual({ type: 'started', articles: [] });
  });

  test('do not count if they are refused for another reason', async () => {
    await setFirm('assistant_enabled_for_team = false');
    for (let count = 0; count < 5; count++) expect((await begin()).errors).toEqual(['assistant_unavailable']);
  });
});

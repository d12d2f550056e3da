import type { DraftStreamEvent } from '@firmdesk/contract';
import { beforeEach, expect, test } from 'vitest';
import { createTicketFixture, follow, openAssistantGateway, type TicketFixture } from '../testing/gateway.ts';
import { MAX_CONCURRENT_DRAFTS } from './draft-reply.ts';

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
  expect(writing.events[0]!.data).toEqual({ type: 'started' });
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

test(`is refused beyond ${MAX_CONCURRENT_DRAFTS} concurrent drafts of a process`, async () => {
  const ticket = await fixture.createTicket();
  model.behave({ kind: 'stall', words: ['Dear '] });
  using open = new DisposableStack();
  // A token can have only a few sockets.
  let token = '';
  for (let count = 0; count < MAX_CONCURRENT_DRAFTS; count++) {
    if (count % 5 === 0) token = await fixture.tokenWith(['admin:write']);
    const writing = open.use(await draft(ticket, '', undefined, token));
    expect(writing.errors).toEqual([]);
  }
  using refused = await draft(ticket);
  expect(refused.errors).toEqual(['rate_limited']);
});

import type { TicketStreamEvent } from '@firmdesk/contract';
import { createTicket, createUser, type TestUser } from '@firmdesk/testing';
import { createUserWithToken, type Firm, follow, suiteGateway, ticketCalls } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { changePermissions } from '../../access/workspaces/member-permissions.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { runDelayedSend } from '../messages/delayed-sends.ts';
import { unsentReplyRetention } from './unsent-replies.ts';

const gateway = await suiteGateway();
const { pool } = gateway.services;
const permissions = ['view_tickets', 'manage_tickets'] as const;
let firm: Firm;
let trader: TestUser;
let ticket: string;
let author: { user: TestUser; token: string };
let one: { user: TestUser; token: string };
let other: { user: TestUser; token: string };
const ofAuthor = ticketCalls(gateway, () => author.token);
const ofOne = ticketCalls(gateway, () => one.token);
const ofOther = ticketCalls(gateway, () => other.token);

beforeEach(async () => {
  const { firm: created, ...robin } = await createUserWithToken(gateway, {
    name: 'Robin Example',
    permissions: [...permissions],
  });
  firm = created;
  author = robin;
  one = await createUserWithToken(gateway, { firm, permissions: [...permissions] });
  other = await createUserWithToken(gateway, { firm, permissions: [...permissions] });
  trader = await createUser(gateway.services, { firm, role: 'trader' });
  ticket = await createTicket(gateway.services, { firm, trader, status: 'awaiting_admin' });
});

/** Holds a reply of Robin. */
const delay = async (text: string, over: object = {}): Promise<string> =>
  (await ofAuthor.call('holdReply', { ticket, body: text, ...over })).id;
const change = (rights: { grant?: string[]; revoke?: string[] }) =>
  withTransaction(gateway.services, (ctx) =>
    changePermissions(ctx, { user: author.user.email, workspace: firm.slug }, rights as never),
  );

/** Holds replies of Robin, who may not answer any more when they are due. */
async function refuse(...texts: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const text of texts) {
    ids.push(await delay(text));
    gateway.clock.advance(1_000);
  }
  return refuseHeld(ids);
}

async function refuseHeld(ids: string[]): Promise<string[]> {
  await change({ revoke: ['manage_tickets'] });
  for (const id of ids) await runDelayedSend(gateway.services, { workspace: firm.id, ticket, id });
  return ids;
}

/** Uploads a file of Robin. */
async function upload(): Promise<string> {
  const { id } = (
    await gateway.rpc('attachments.create', {
      token: author.token,
      body: { ticket, name: 'payout.pdf', size: 5 },
    })
  ).data;
  await pool.query(
    `update attachments set uploaded_at = created_at, type = 'application/pdf' where workspace_id = $1 and id = $2`,
    [firm.id, id],
  );
  return id;
}

const textsOf = async ({ call }: typeof ofOne) =>
  (await call('unsentReplies', { ticket })).data.map(({ text }: { text: string }) => text);
const draftOf = async ({ call }: typeof ofOne) => (await call('draftsOf', { ticket })).reply;
const saveDraft = ({ call }: typeof ofOne, text: string) =>
  call('saveDraft', { ticket, mode: 'reply', text, base: null });

describe('a reply that may no longer be sent', () => {
  test('is shown at its ticket with its author, its text and the reason, to those who may reply', async () => {
    const macros = { actions: { add_tags: [], status: null, priority: 'high', assignee: null } };
    const written_at = gateway.clock.now().toISOString();
    const id = await delay('Paid on Monday.', { ...macros, body_html: '<p>Paid on <b>Monday</b>.</p>' });
    gateway.clock.advance(10_000);
    await refuseHeld([id]);
    expect((await ofOne.call('unsentReplies', { ticket })).data).toEqual([
      {
        object: 'unsent_reply',
        id,
        ticket_id: ticket,
        author: 'Robin Example',
        text: 'Paid on Monday.',
        html: '<p>Paid on <strong>Monday</strong>.</p>',
        image_url: '',
        image_name: '',
        attachments: [],
        macros: { ids: [], actions: macros.actions },
        reason: 'permission_lost',
        written_at,
        unsent_at: gateway.clock.now().toISOString(),
      },
    ]);
    expect(await ofAuthor.codeOf('unsentReplies', { ticket })).toBe('forbidden');
  });

  test('each stays, in the order in which they were written', async () => {
    await refuse('First.', 'Second.');
    expect(await textsOf(ofOne)).toEqual(['First.', 'Second.']);
  });

  test('makes viewers of the ticket load it again, also when it is taken over or discarded', async () => {
    using stream = await follow<TicketStreamEvent>(gateway.url, { token: one.token }, (trpc, handlers) =>
      trpc.tickets.stream.subscribe({ ticket }, handlers),
    );
    const resyncs = () => stream.events.filter(({ data }) => data.type === 'resync').length;
    const [first, second] = await refuse('First.', 'Second.');
    await expect.poll(resyncs).toBe(2);
    await ofOther.call('takeOverReply', { ticket, id: first });
    await expect.poll(resyncs).toBe(3);
    await ofOther.call('discardReply', { ticket, id: second });
    await expect.poll(resyncs).toBe(4);
  });

  test('is added after the draft of the colleague who takes it over', async () => {
    const [id] = await refuse('Paid on Monday.');
    await saveDraft(ofOne, 'Hello Kim,');
    expect(await ofOne.call('takeOverReply', { ticket, id })).toEqual({
      object: 'reply_taken_over',
      id,
      attachments: [],
    });
    expect(await draftOf(ofOne)).toMatchObject({ text: 'Hello Kim,\n\nPaid on Monday.' });
    expect(await draftOf(ofOther)).toBeNull();
    expect(await textsOf(ofOther)).toEqual([]);
  });

  test('is taken over by one of two colleagues, and the other is told', async () => {
    const [id] = await refuse('Paid on Monday.');
    const codes = await Promise.all(
      [ofOne, ofOther].map(async ({ rpc }) => (await rpc('takeOverReply', { ticket, id })).code ?? 'won'),
    );
    expect(codes.sort()).toEqual(['resource_not_found', 'won']);
    const drafts = [await draftOf(ofOne), await draftOf(ofOther)];
    expect(drafts.filter((draft) => draft !== null)).toMatchObject([{ text: 'Paid on Monday.' }]);
    expect(await ofOther.codeOf('discardReply', { ticket, id })).toBe('resource_not_found');
  });

  test('brings its files: whoever takes it over can send them', async () => {
    const file = await upload();
    const id = await delay('Here it is.', { attachments: [file] });
    gateway.clock.advance(8 * 86_400_000);
    await refuseHeld([id]);
    const [{ attachments: shown }] = (await ofOne.call('unsentReplies', { ticket })).data;
    expect(shown).toMatchObject([{ id: file, name: 'payout.pdf', deleted: false }]);
    const { attachments } = await ofOne.call('takeOverReply', { ticket, id });
    expect(attachments).toEqual(shown);
    // As one of the caller that was uploaded now: the retention of files that are in no message keeps it.
    const { rows } = await pool.query('select created_at from attachments where id = $1', [file]);
    expect(rows).toEqual([{ created_at: gateway.clock.now().toISOString() }]);
    const reply = await ofOne.call('reply', { ticket, body: 'Here it is.', attachments: [file] });
    expect(reply.attachments).toEqual(shown);
  });

  test('is discarded with its files', async () => {
    const file = await upload();
    const id = await delay('Here it is.', { attachments: [file] });
    await refuseHeld([id]);
    expect(await ofOne.call('discardReply', { ticket, id })).toEqual({ object: 'reply_discarded', id });
    expect(await textsOf(ofOne)).toEqual([]);
    const { rows } = await pool.query('select deleted_at from attachments where id = $1', [file]);
    expect(rows).toEqual([{ deleted_at: expect.any(String) }]);
  });

  test('can be read and discarded on an ended ticket, and not taken over', async () => {
    const [id] = await refuse('Paid on Monday.');
    await ofOne.call('setStatus', { ticket, status: 'closed' });
    expect(await textsOf(ofOne)).toEqual(['Paid on Monday.']);
    expect(await ofOne.codeOf('takeOverReply', { ticket, id })).toBe('ticket_ended');
    await ofOne.call('discardReply', { ticket, id });
    expect(await textsOf(ofOne)).toEqual([]);
  });

  test('moves to the ticket that its ticket is merged into', async () => {
    const [id] = await refuse('Paid on Monday.');
    const into = await createTicket(gateway.services, { firm, trader, status: 'awaiting_admin' });
    await ofOne.call('merge', { ticket, into });
    await ofOne.call('takeOverReply', { ticket: into, id });
    expect((await ofOne.call('draftsOf', { ticket: into })).reply).toMatchObject({ text: 'Paid on Monday.' });
  });

  test('is deleted with its files after 30 days', async () => {
    const file = await upload();
    const id = await delay('Here it is.', { attachments: [file] });
    await refuseHeld([id]);
    const before = (days: number) =>
      new Date(gateway.clock.now().getTime() + days * 86_400_000 - unsentReplyRetention.keptMs);
    await unsentReplyRetention.prune(gateway.services, before(29), 100);
    expect(await textsOf(ofOne)).toEqual(['Here it is.']);
    await unsentReplyRetention.prune(gateway.services, before(31), 100);
    expect(await textsOf(ofOne)).toEqual([]);
    const { rows } = await pool.query('select deleted_at from attachments where id = $1', [file]);
    expect(rows).toEqual([{ deleted_at: expect.any(String) }]);
  });
});

import {
  MAX_FORMATTED_LENGTH,
  MAX_MESSAGE_LENGTH,
  type Permission,
  type TicketStreamEvent,
} from '@firmdesk/contract';
import { createTicket, createUser, type TestUser } from '@firmdesk/testing';
import { createUserWithToken, type Firm, follow, suiteGateway, ticketCalls } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { runDelayedSend } from './delayed-sends.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const permissions: Permission[] = ['view_tickets', 'manage_tickets'];
let firm: Firm;
let token: string;
let trader: TestUser;
let ticket: string;
const { call, rpc, codeOf } = ticketCalls(gateway, () => token);

beforeEach(async () => {
  ({ firm, token } = await createUserWithToken(gateway, { permissions }));
  trader = await createUser(services, { firm, role: 'trader' });
  ticket = await createTicket(services, { firm, trader, status: 'awaiting_admin', aiEnabled: false });
});

const FORMATTED = {
  body: 'whatever a client says',
  body_html: '<p>It comes <b onclick="x()">today</b></p><ul><li>surely</li></ul><script>alert(1)</script>',
};
const CLEANED = {
  body: 'It comes today\n- surely',
  body_html: '<p>It comes <strong>today</strong></p><ul><li>surely</li></ul>',
};
const latest = async () => (await call('messages', { ticket })).data[0];

describe('a formatted text', () => {
  test.each(['reply', 'addNote'])('of %s is stored cleaned, and the body is its plain text', async (name) => {
    using stream = await follow<TicketStreamEvent>(gateway.url, { token }, (trpc, handlers) =>
      trpc.tickets.stream.subscribe({ ticket }, handlers),
    );
    expect(await call(name, { ticket, ...FORMATTED })).toMatchObject(CLEANED);
    expect(await latest()).toMatchObject(CLEANED);
    await expect
      .poll(() => stream.events.map(({ data }) => data))
      .toContainEqual(expect.objectContaining({ message: expect.objectContaining(CLEANED) }));
  });

  test('of a delayed send is in its message', async () => {
    const { id } = await call('holdReply', { ticket, ...FORMATTED });
    gateway.clock.advance(10_000);
    await runDelayedSend(services, { workspace: firm.id, ticket, id });
    expect(await latest()).toMatchObject(CLEANED);
  });

  test('is absent without formatting, and of messages as they were before', async () => {
    for (const body_html of [
      '<p>Hello</p>',
      '',
      undefined,
      '<script>alert(1)</script>',
      '<p><b>\u200b</b></p>',
    ]) {
      await call('addNote', { ticket, body: 'Hello', body_html });
      expect(await latest()).not.toHaveProperty('body_html');
      expect(await latest()).toMatchObject({ body: 'Hello' });
    }
  });

  test('stays with the draft, also when it is joined with another', async () => {
    const html = '<p>Dear <strong>Tess</strong></p>';
    const { draft } = await call('saveDraft', { ticket, mode: 'reply', text: 'Dear Tess', html, base: null });
    expect((await call('draftsOf', { ticket })).reply).toMatchObject({ text: 'Dear Tess', html });
    const same = { ticket, mode: 'reply', text: 'Dear Tess', html: null, base: draft.version };
    expect((await call('saveDraft', same)).draft.version).not.toBe(draft.version);
    const from = await createTicket(services, {
      firm,
      trader,
      status: 'awaiting_admin',
    });
    await call('saveDraft', { ticket: from, mode: 'note', text: 'a', html: '<p><em>a</em></p>', base: null });
    await call('saveDraft', { ticket, mode: 'note', text: '1 < 2\nb', base: null });
    await call('merge', { ticket: from, into: ticket });
    expect((await call('draftsOf', { ticket })).note).toMatchObject({
      text: 'a\n\n1 < 2\nb',
      html: '<p><em>a</em></p><p></p><p>1 &lt; 2</p><p>b</p>',
    });
  });

  test('of any script can be as long as its limit', async () => {
    const text = '字'.repeat(MAX_MESSAGE_LENGTH);
    const body_html = `<p><strong>${text}</strong></p>`;
    expect(await call('reply', { ticket, body: text, body_html })).toMatchObject({ body: text, body_html });
    expect(await codeOf('addNote', { ticket, body: 'a', body_html: `<b>${text}!</b>` })).toBe(
      'validation_failed',
    );
    const long = '<b><i>'.repeat(MAX_FORMATTED_LENGTH / 6);
    expect((await rpc('addNote', { ticket, body: 'a', body_html: long })).status).toBe(200);
    expect(await codeOf('addNote', { ticket, body: 'a', body_html: `${long}<b><i>` })).toBe(
      'validation_failed',
    );
    const growing = '<li>x'.repeat(MAX_FORMATTED_LENGTH / 5);
    expect(await codeOf('addNote', { ticket, body: 'a', body_html: growing })).toBe('validation_failed');
  });
});

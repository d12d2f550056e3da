import { createMailbox, createTicket, createUser } from '@firmdesk/testing';
import {
  createTicketFixture,
  createUserWithToken,
  suiteGateway,
  ticketCalls,
} from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';
import { runSending } from '../mail/sending/testing.ts';
import { askSatisfaction } from './ask-satisfaction.ts';

const MINUTE_MS = 60_000;
const gateway = await suiteGateway();
const { services, clock } = gateway;
const { pool } = services;

/** The mails that left: their addresses and their text. */
const sent: { to: string; text: string }[] = [];
services.mail = {
  domains: ['desk.example'],
  server: {
    async send({ raw, to }) {
      const text = raw.toString('utf8').replace(/=\r\n/g, '').replaceAll('=3D', '=');
      sent.push({ to, text });
      return { state: 'sent', detail: '250 Ok' };
    },
    async check() {},
    async close() {},
  },
};

let desk: Awaited<ReturnType<typeof createTicketFixture>>;
let platform: string;
const { call } = ticketCalls(gateway, () => desk.token);

beforeEach(async () => {
  sent.length = 0;
  desk = await createTicketFixture(gateway, [
    'view_tickets',
    'manage_tickets',
    'manage_assistant',
    'view_reports',
  ]);
  ({ token: platform } = await createUserWithToken(gateway, { firm: desk.firm, scopes: ['platform:write'] }));
});

const rpc = (name: string, body: object, token = desk.token) =>
  gateway.rpc(`satisfaction.${name}`, { token, body });
const switchOn = () => rpc('setSettings', { asks: true });
/** A ticket that the team answered and resolved. */
async function resolve(over: Parameters<typeof desk.createTicket>[0] = {}): Promise<string> {
  const ticket = await desk.createTicket({ messages: [{ body: 'Where?' }], ...over });
  clock.advance(1);
  await call('reply', { ticket, body: 'Here.' });
  await call('setStatus', { ticket, status: 'resolved' });
  return ticket;
}
/** Asks after some time. Returns the links of the mails so far, by their addresses. */
async function ask(minutes = 31): Promise<[email: string, link: string][]> {
  clock.advance(minutes * MINUTE_MS);
  await Promise.all([askSatisfaction(services), askSatisfaction(services)]);
  await runSending(services);
  return sent.map(({ to, text }) => [to, /href="[^"]*(\/rate\/[^"]+)"/.exec(text)![1]!]);
}
const open = (link: string, init?: RequestInit) => fetch(new URL(link, gateway.url), init);
const rate = (link: string, form: Record<string, string>) =>
  open(link, { method: 'POST', body: new URLSearchParams(form) });
const answerOf = async (ticket: string) => (await rpc('get', { ticket })).data;

test('a trader is asked once, after a resolution, where the firm has switched it on', async () => {
  const ticket = await resolve();
  expect(await ask()).toEqual([]);
  expect((await switchOn()).data).toMatchObject({ asks: true });
  expect((await rpc('settings', {})).data).toMatchObject({ asks: true });
  expect(await ask()).toMatchObject([[desk.trader.email, expect.stringContaining(ticket)]]);
  expect(await ask()).toHaveLength(1);
  expect(await answerOf(ticket)).toMatchObject({ score: null, asked_at: expect.any(String) });
});

test('nobody is asked too early or late, about what nobody answered, or without an address', async () => {
  await switchOn();
  const gone = await createUser(services, { firm: desk.firm, role: 'trader' });
  await resolve({ trader: gone });
  await pool.query('update users set deleted_at = now() where id = $1', [gone.id]);
  const spam = await desk.createTicket({ messages: [{ body: 'Buy!' }] });
  await call('setStatus', { ticket: spam, status: 'resolved' });
  const closed = await desk.createTicket({
    messages: [{ body: 'Where?' }, { from: 'admin', body: 'Here.' }],
  });
  await call('setStatus', { ticket: closed, status: 'closed' });
  const undone = await resolve();
  await call('undoEnd', { ticket: undone, status: 'awaiting_trader' });
  await createTicket(services, {
    firm: desk.firm,
    trader: desk.trader,
    status: 'resolved',
    createdAt: new Date(clock.now().getTime() - 3 * 86_400_000),
    messages: [{ from: 'admin', body: 'Here.' }],
  });
  expect(await ask()).toEqual([]);
  await resolve();
  expect(await ask(29)).toEqual([]);
  expect(await ask(2)).toHaveLength(1);
});

test('nobody is asked once the ticket is open again, or its trader has left', async () => {
  await switchOn();
  const later = async (change: (ticket: string) => Promise<unknown>) => {
    const ticket = await resolve();
    clock.advance(31 * MINUTE_MS);
    await askSatisfaction(services);
    await change(ticket);
    await runSending(services);
    expect(sent).toEqual([]);
  };
  await later((ticket) =>
    pool.query(
      `update tickets set status = 'awaiting_admin', closed_at = null where workspace_id = $1 and id = $2`,
      [desk.firm.id, ticket],
    ),
  );
  await later(() =>
    pool.query('update memberships set active = false where workspace_id = $1 and user_id = $2', [
      desk.firm.id,
      desk.trader.id,
    ]),
  );
});

test('the link is stored nowhere, and a mailbox of the firm that others read does not get it', async () => {
  await switchOn();
  await resolve();
  const [[, link]] = (await ask()) as [[string, string]];
  const secret = link.slice(link.lastIndexOf('.') + 1);
  const { rows: tables } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  );
  for (const { name } of tables) {
    const { rows } = await pool.query(`select from "${name}" t where strpos(row_to_json(t)::text, $1) > 0`, [
      secret,
    ]);
    expect(rows, name).toEqual([]);
  }
  const box = await createMailbox(services, {
    firm: desk.firm,
    email: desk.trader.email,
    reads: [desk.agent],
  });
  await resolve();
  expect(await ask()).toHaveLength(1);
  const { rows } = await pool.query('select from mail_messages where mailbox_id = $1', [box.id]);
  expect(rows).toEqual([]);
});

test('a sandbox asks nobody', async () => {
  await switchOn();
  await resolve();
  await pool.query('update workspaces set sandbox_of = $2 where id = $1', [
    desk.firm.id,
    (await createTicketFixture(gateway)).firm.id,
  ]);
  expect(await ask()).toEqual([]);
});

test('the link shows a page, and only its form records, once', async () => {
  await switchOn();
  const ticket = await resolve({ subject: 'Payout <late>' });
  const [[, link]] = (await ask()) as [[string, string]];
  // A scanner follows links, as HEAD and as GET.
  await open(link, { method: 'HEAD' });
  const shown = await open(`${link}?score=4`);
  expect(shown.status).toBe(200);
  expect(shown.headers.get('content-security-policy')).toContain("form-action 'self'");
  const page = await shown.text();
  expect(page).toContain('Payout &#60;late&#62;');
  expect(page).toMatch(/value="4" required checked/);
  expect(await answerOf(ticket)).toMatchObject({ score: null });

  for (const score of ['0', '6', '4.5', 'x', ''])
    expect([score, (await rate(link, { score })).status]).toEqual([score, 422]);
  expect((await rate(link, { score: '5', comment: 'x'.repeat(2_001) })).status).toBe(422);
  expect((await rate(link, { score: '5', comment: 'x'.repeat(50_000) })).status).toBeLessThan(500);
  expect(await answerOf(ticket)).toMatchObject({ score: null });
  const thanks = await rate(link, { score: '4', comment: 'Fast\0 and kind' });
  expect([thanks.status, await thanks.text()]).toEqual([200, expect.stringContaining('Thank you')]);
  expect((await rate(link, { score: '1' })).status).toBe(200);
  expect(await answerOf(ticket)).toMatchObject({ score: 4, comment: 'Fast and kind' });
  expect(await (await open(link)).text()).toContain('Thank you');
});

test('a link expires after 30 days, and says so', async () => {
  await switchOn();
  const ticket = await resolve({ subject: 'Payout late' });
  const [[, link]] = (await ask()) as [[string, string]];
  clock.advance(30 * 24 * 60 * MINUTE_MS - MINUTE_MS);
  expect((await open(link)).status).toBe(200);
  clock.advance(MINUTE_MS);
  for (const late of [await open(link), await rate(link, { score: '5' }), await rate(link, { score: 'x' })]) {
    const text = await late.text();
    expect([late.status, text]).toEqual([410, expect.stringContaining('This link has expired')]);
    expect(text).not.toContain('Payout late');
  }
  expect(await answerOf(ticket)).toMatchObject({ score: null });
});

test.each([
  ['pt-BR', 'pt', 'Muito satisfeito'],
  ['de', 'de', 'Sehr zufrieden'],
  ['xx', 'en', 'Very satisfied'],
])('the page is in the language of the trader: %s', async (language, shown, text) => {
  await switchOn();
  await resolve();
  await pool.query('update users set language = $2 where id = $1', [desk.trader.id, language]);
  const [[, link]] = (await ask()) as [[string, string]];
  const page = await (await open(link)).text();
  expect(page).toContain(`<html lang="${shown}">`);
  expect(page).toContain(text);
});

test('a link that was changed, or whose ticket or firm is gone, leads nowhere', async () => {
  await switchOn();
  const ticket = await resolve();
  const [[, link]] = (await ask()) as [[string, string]];
  const changed = [
    `${link.slice(0, -1)}_`,
    link.replace(/\.tkt_.{4}/, '.tkt_0000'),
    '/rate/x',
    '/rate/%00',
    `${link}.`,
  ];
  for (const other of changed) {
    expect([other, (await open(other)).status]).toEqual([other, 404]);
    expect((await rate(other, { score: '5' })).status).toBe(404);
  }
  const suspend = (at: Date | null) =>
    pool.query('update workspaces set suspended_at = $2 where id = $1', [desk.firm.id, at]);
  await suspend(clock.now());
  expect((await rate(link, { score: '5' })).status).toBe(404);
  await suspend(null);
  expect(await answerOf(ticket)).toMatchObject({ score: null });
  await pool.query('delete from tickets where workspace_id = $1 and id = $2', [desk.firm.id, ticket]);
  expect((await rate(link, { score: '5' })).status).toBe(404);
});

test('the platform passes on a rating, once, for the trader of the ticket', async () => {
  const ticket = await resolve();
  const merged = await desk.createTicket();
  await call('merge', { ticket: merged, into: await desk.createTicket() });
  const pass = (input: object) =>
    rpc('rate', { ticket, from: desk.trader.email, score: 5, comment: 'Thanks', ...input }, platform);
  expect((await pass({ from: desk.agent.email })).code).toBe('resource_not_found');
  expect((await pass({ ticket: merged })).code).toBe('validation_failed');
  expect((await pass({ score: 6 })).code).toBe('validation_failed');
  expect((await pass({})).data).toMatchObject({
    ticket_id: ticket,
    score: 5,
    comment: 'Thanks',
    asked_at: null,
  });
  expect((await pass({ score: 1 })).code).toBe('precondition_failed');
  // Who has answered is not asked.
  await switchOn();
  expect(await ask()).toEqual([]);
});

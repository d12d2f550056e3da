import { startFarEnd, TestLog, type TestUser } from '@firmdesk/testing';
import { createTicketFixture, createUserWithToken, suiteGateway } from '@firmdesk/testing/gateway';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { exportAccount } from '../app/accounts/export-account.ts';
import { openSmtp } from '../mail/sending/smtp.ts';
import { runSending } from '../mail/sending/testing.ts';
import { countFirm } from './count-firm.ts';
import { mailWeeklyReports } from './mail-weekly-reports.ts';
import { UNSUBSCRIBE_LINK_DAYS } from './unsubscribe-link.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const farEnd = await startFarEnd();
const gateway = await suiteGateway();
const { services, clock } = gateway;
const server = openSmtp({ url: farEnd.url, password: null, dkim: null, log: new TestLog() });
services.mail = { domains: ['desk.example'], server };
afterAll(async () => {
  await server.close();
  await farEnd[Symbol.asyncDispose]();
});

let desk: Awaited<ReturnType<typeof createTicketFixture>>;
let reader: TestUser;
let token: string;

beforeEach(async () => {
  desk = await createTicketFixture(gateway);
  ({ user: reader, token } = await createUserWithToken(gateway, {
    firm: desk.firm,
    permissions: ['view_reports'],
  }));
  // 12 hours before UTC: its Monday begins when that of UTC is half over.
  await services.pool.query(`update workspaces set timezone = 'Etc/GMT+12' where id = $1`, [desk.firm.id]);
});

const set = (gets_mail: boolean, as = token) =>
  gateway.rpc('reports.setWeeklyMail', { token: as, body: { gets_mail } });
/** Moves the clock to a time of the next Monday in the firm's zone, and does what jobs do there. */
async function workOnMonday(hour: number, { isCounted = true } = {}) {
  const now = clock.now().getTime();
  const local = new Date(now - 12 * HOUR_MS);
  const days = (8 - local.getUTCDay()) % 7 || 7;
  const midnight = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + days);
  clock.advance(midnight + (12 + hour) * HOUR_MS - now);
  if (isCounted) await countFirm(services, desk.firm.id);
  return work();
}
async function work() {
  await Promise.all([mailWeeklyReports(services), mailWeeklyReports(services)]);
  await runSending(services);
  return received();
}
const revoke = () =>
  services.pool.query(`update memberships set permissions = '{}' where workspace_id = $1 and user_id = $2`, [
    desk.firm.id,
    reader.id,
  ]);
const received = (email = reader.email) =>
  farEnd.accepted.filter(({ to }) => to.includes(email)).map(({ raw }) => String(raw));
async function createTickets(count: number) {
  for (let i = 0; i < count; i++) await desk.createTicket({ createdAt: clock.now() });
}

test('a reader who wants it gets the last week on Monday morning in the firm’s zone, once, with the week before', async () => {
  expect((await gateway.rpc('reports.weeklyMail', { token, body: {} })).data).toMatchObject({
    gets_mail: false,
  });
  await createTickets(2);
  expect(await workOnMonday(8)).toEqual([]);
  expect((await set(true)).data).toMatchObject({ gets_mail: true });
  const exported: string[] = [];
  const write = async (text: string) => {
    exported.push(text);
  };
  await exportAccount(services, reader.email, write, { actor: { kind: 'operator', id: 'test' } });
  expect(exported.join('')).toMatch(/"type":"membership".*"gets_weekly_report":\s?true/);
  await createTickets(1);
  expect(await workOnMonday(6)).toEqual([]);
  // Not before all of the week is counted.
  clock.advance(HOUR_MS);
  expect(await work()).toHaveLength(1);
  const [mail] = await work();
  expect(received()).toHaveLength(1);
  const local = new Date(clock.now().getTime() - 12 * HOUR_MS);
  const day = (before: number) => new Date(local.getTime() - before * DAY_MS).toISOString().slice(0, 10);
  expect(mail).toContain(`Subject: ${desk.firm.name}: support from ${day(7)} to ${day(1)}`);
  expect(mail).toContain('Created tickets: 1 (2)');
  expect(mail).toContain('Auto-Submitted: auto-generated');
  expect(mail!.replace(/=\r\n/g, '').replaceAll('=3D', '=')).toContain(
    `/firms/${desk.firm.slug}/reports?from=${day(7)}&until=${day(1)}`,
  );
  clock.advance(5 * HOUR_MS);
  expect(await work()).toHaveLength(1);
  await createTickets(1);
  expect(await workOnMonday(7)).toHaveLength(2);
});

test('nobody gets it of a firm without tickets, before it is counted, or without the right', async () => {
  await set(true);
  expect(await workOnMonday(7)).toEqual([]);
  await createTickets(1);
  expect(await workOnMonday(7, { isCounted: false })).toEqual([]);
  await revoke();
  await countFirm(services, desk.firm.id);
  expect(await work()).toEqual([]);
  const { token: trader } = await createUserWithToken(gateway, { firm: desk.firm, permissions: [] });
  expect((await set(true, trader)).code).toBe('forbidden');
});

test('a right that ends after the mail was written is missed when it is sent', async () => {
  await set(true);
  await createTickets(1);
  await workOnMonday(5);
  clock.advance(2 * HOUR_MS);
  await mailWeeklyReports(services);
  await revoke();
  await runSending(services);
  expect(received()).toEqual([]);
});

test('the link of the mail stops it by its form, also without a page, and only for its reader', async () => {
  const colleague = await createUserWithToken(gateway, { firm: desk.firm, permissions: ['view_reports'] });
  await set(true);
  await set(true, colleague.token);
  await services.pool.query(`update users set language = 'de-AT' where id = $1`, [reader.id]);
  await createTickets(1);
  const [mail] = await workOnMonday(7);
  const [, link] = /List-Unsubscribe: <[^>]*(\/unsubscribe\/[^>]+)>/.exec(mail!.replace(/\r\n\s/g, ' '))!;
  expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const open = (path: string, init?: RequestInit) => fetch(new URL(path, gateway.url), init);
  const gets = async (as = token) =>
    (await gateway.rpc('reports.weeklyMail', { token: as, body: {} })).data.gets_mail;
  const page = await open(link!);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('lang="de"')]);
  expect(await gets()).toBe(true);
  for (const other of [
    `${link!.slice(0, -1)}_`,
    link!.replace(reader.id, colleague.user.id),
    link!.replace(/\.(\d+)(?=\.[\w-]+$)/, (_, day) => `.${Number(day) + 1}`),
    '/unsubscribe/x',
  ])
    expect([other, (await open(other, { method: 'POST' })).status]).toEqual([other, 404]);
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await open(link!, { method: 'POST', body })).status).toBe(200);
  expect([await gets(), await gets(colleague.token)]).toEqual([false, true]);
  await createTickets(1);
  expect(await workOnMonday(7)).toHaveLength(1);
  await set(true);
  clock.advance((UNSUBSCRIBE_LINK_DAYS - 30) * 24 * HOUR_MS);
  expect((await open(link!)).status).toBe(200);
  clock.advance(31 * 24 * HOUR_MS);
  expect([(await open(link!)).status, (await open(link!, { method: 'POST', body })).status]).toEqual([
    404, 404,
  ]);
});

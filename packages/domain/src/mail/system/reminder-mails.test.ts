import {
  createCalendar,
  createEvents,
  createSandbox,
  createUser,
  createWorkspace,
  startFarEnd,
  TestLog,
  type TestUser,
} from '@firmdesk/testing';
import { createMailUser, type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { dismissMember } from '../../access/workspaces/dismiss-member.ts';
import { resumeFirm, suspendFirm } from '../../app/firms/suspend-firm.ts';
import { queueDueReminders } from '../../index.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { TOO_LATE } from '../sending/reasons.ts';
import { sendMailJob } from '../sending/send-job.ts';
import { sendMail } from '../sending/send-mail.ts';
import { openSmtp } from '../sending/smtp.ts';
import { runSending } from '../sending/testing.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const farEnd = await startFarEnd();
const gateway = await suiteGateway();
const { services } = gateway;
const server = openSmtp({ url: farEnd.url, password: null, dkim: null, log: new TestLog() });
services.mail = { domains: ['desk.example'], server };
afterAll(async () => {
  await server.close();
  await farEnd[Symbol.asyncDispose]();
});

let firm: Firm;
let owner: TestUser;
let calendar: number;
/** A full hour, one to two hours ahead of the gateway's clock. */
let start: number;

beforeEach(async () => {
  firm = await createWorkspace(services);
  owner = await createUser(services, { firm });
  await services.pool.query(`update users set language = 'de', timezone = 'Asia/Kolkata' where id = $1`, [
    owner.id,
  ]);
  calendar = await createCalendar(services, { firm, owner });
  start = Math.ceil(gateway.clock.now().getTime() / HOUR + 1) * HOUR;
});

const iso = (moment: number) => new Date(moment).toISOString();
async function create(over: Record<string, unknown> = {}): Promise<number> {
  const [id] = await createEvents(services, [
    {
      calendar_id: calendar,
      title: 'Stand-up',
      location: 'Room 4 <west>',
      starts_at: iso(start),
      ends_at: iso(start + HOUR),
      reminders: [{ user_id: owner.id, minutes_before: 10, channel: 'email' }],
      ...over,
    },
  ]);
  return id!;
}
const moveTo = (moment: number) => gateway.clock.advance(moment - gateway.clock.now().getTime());
/** Queues the reminders that are due ten minutes before the event, and sends them. */
async function remind(at = start): Promise<void> {
  moveTo(at - 10 * MINUTE);
  await queueDueReminders(services);
  await runSending(services);
  await runSending(services);
}
const received = (email = owner.email) => farEnd.accepted.filter(({ to }) => to.includes(email));
const state = async (): Promise<{ state: string; detail: string | null }[]> =>
  (
    await services.pool.query(
      `select r.state, r.detail from outgoing_messages o
       join outgoing_recipients r on r.workspace_id = o.workspace_id and r.message_id = o.id
       where o.workspace_id = $1 and o.kind = 'event_reminder' order by o.send_at`,
      [firm.id],
    )
  ).rows;
const decoded = (raw: string) =>
  raw
    .replace(/=\r\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => decodeURIComponent(bytes.replaceAll('=', '%')));

test('is sent to the account, in its language and time zone, with the event', async () => {
  await create({
    conference: { provider: 'zoom', url: 'https://zoom.example/1', meeting_id: null, passcode: null },
  });
  await remind();
  const [mail, ...more] = received();
  expect(more).toEqual([]);
  const text = decoded(mail!.raw);
  const time = new Intl.DateTimeFormat('de', {
    timeZone: 'Asia/Kolkata',
    hour: 'numeric',
    minute: '2-digit',
  });
  expect(mail!.returnPath).toMatch(/^bounce\+.*@desk\.example$/);
  expect(text).toMatch(/^Auto-Submitted: auto-generated\r$/im);
  expect(text).toMatch(/^From: .*<no-reply@desk\.example>\r$/m);
  expect(text).toContain('multipart/alternative');
  expect(text).toContain(`${time.format(start)}`);
  expect(text).toContain('Wo: Room 4 <west>');
  expect(text).toContain('Room 4 &lt;west&gt;');
  expect(text).toContain('Teilnehmen: https://zoom.example/1');
  expect(await state()).toMatchObject([{ state: 'sent' }]);
});

test('has the wording of the firm, if it has written one', async () => {
  const templates = { reminder: { de: { subject: 'Bald: {{title}}', text: 'Ort: {{location}}' } } };
  await services.pool.query('update workspaces set mail_templates = $2 where id = $1', [
    firm.id,
    JSON.stringify(templates),
  ]);
  await create();
  await remind();
  const text = decoded(received()[0]!.raw);
  expect(text).toMatch(/^Subject: Bald: Stand-up\r$/m);
  expect(text).toContain('Ort: Room 4 &lt;west&gt;');
});

test('reaches a mailbox of this installation', async () => {
  const other = await createMailUser(gateway);
  await services.pool.query('update users set email = $2 where id = $1', [owner.id, other.mailbox.email]);
  await create();
  await remind();
  expect(await state()).toEqual([{ state: 'delivered_locally', detail: null }]);
  const body = { address_id: other.mailbox.id, folder: 'inbox' };
  const { data } = await gateway.rpc('mail.list', { token: other.token, body });
  expect(data.data).toMatchObject([{ subject: expect.stringContaining('Erinnerung: Stand-up') }]);
});

describe('exactly once', () => {
  test('per occurrence, with several workers and repeated jobs', async () => {
    await create({ recurrence_rule: 'FREQ=DAILY;COUNT=2' });
    for (let day = 0; day < 3; day++) {
      moveTo(start + day * 24 * HOUR - 10 * MINUTE);
      await Promise.all([queueDueReminders(services), queueDueReminders(services)]);
      await remind(start + day * 24 * HOUR);
    }
    expect(received()).toHaveLength(2);
  });

  test('also if the worker is killed after the server has accepted it', async () => {
    await create();
    await remind();
    const { rows } = await services.pool.query(
      'select id as message, send_at from outgoing_messages where workspace_id = $1',
      [firm.id],
    );
    const job = sendMailJob.payload.parse({ workspace: firm.id, ...rows[0], attempt: 0 });
    await Promise.all([sendMail(services, job), sendMail(services, job)]);
    expect(received()).toHaveLength(1);
  });

  test('with one Message-ID if it is refused for now', async () => {
    farEnd.behave(owner.email, 'greylist');
    await create();
    await remind();
    expect(await state()).toMatchObject([{ state: 'queued', detail: expect.stringContaining('450') }]);
    farEnd.behave(owner.email, 'drop');
    await runSending(services);
    farEnd.behave(owner.email, 'accept');
    await runSending(services);
    const ids = [...farEnd.unanswered, ...farEnd.accepted]
      .filter(({ to }) => to.includes(owner.email))
      .map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)![1]);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });

  test('and not after the event has started', async () => {
    farEnd.behave(owner.email, 'greylist');
    await create();
    await remind();
    farEnd.behave(owner.email, 'accept');
    moveTo(start + 1);
    await runSending(services);
    expect(received()).toEqual([]);
    expect(await state()).toEqual([{ state: 'not_sent', detail: TOO_LATE }]);
  });
});

describe('is not sent', () => {
  /** Queues the reminder, changes something, and runs its jobs. */
  const remindAfter = async (change: () => Promise<unknown>) => {
    moveTo(start - 10 * MINUTE);
    await queueDueReminders(services);
    await change();
    await runSending(services);
    await runSending(services);
    expect(received()).toEqual([]);
  };
  const sql = (text: string, values: unknown[]) => services.pool.query(text, values);

  test('for an event that was deleted, moved, or whose occurrence was cancelled', async () => {
    const id = await create();
    await remindAfter(() => sql('delete from events where id = $1', [id]));
    const moved = await create();
    await remindAfter(() =>
      sql(`update events set local_start = '2020-01-01T00:00:00' where id = $1`, [moved]),
    );
    const series = await create({ recurrence_rule: 'FREQ=DAILY;COUNT=3' });
    await remindAfter(() =>
      sql('update events set removed_dates = $2 where id = $1', [
        series,
        JSON.stringify([iso(start).slice(0, 19)]),
      ]),
    );
  });

  test('once the account has removed the reminder, or lost the calendar', async () => {
    const id = await create();
    await remindAfter(() => sql('delete from event_reminders where event_id = $1', [id]));
    const other = await createUser(services, { firm });
    await create();
    await remindAfter(() => sql('update calendars set owner_id = $2 where id = $1', [calendar, other.id]));
  });

  test('to an account that was dismissed', async () => {
    await create();
    await remindAfter(() =>
      withTransaction(services, (ctx) => dismissMember(ctx, { email: owner.email, workspace: firm.slug })),
    );
    expect(await state()).toEqual([{ state: 'not_sent', detail: 'The account has left the firm.' }]);
  });

  test('to the outside by a sandbox', async () => {
    const sandbox = await createSandbox(services, firm);
    calendar = await createCalendar(services, { firm: sandbox, owner });
    await create();
    await remind();
    expect(received()).toEqual([]);
    firm = sandbox;
    expect(await state()).toMatchObject([{ state: 'not_sent', detail: expect.stringContaining('sandbox') }]);
  });

  test('while the firm is suspended; and after it is resumed only if the event is still ahead', async () => {
    await create();
    await remindAfter(() => withTransaction(services, (ctx) => suspendFirm(ctx, firm.slug)));
    await withTransaction(services, (ctx) => resumeFirm(ctx, firm.slug));
    moveTo(start + 1);
    await runSending(services);
    await runSending(services);
    expect(received()).toEqual([]);
  });

  test('with more than “Busy” if the account may only see that time is taken', async () => {
    const reader = await createUser(services, { firm });
    await create({
      reminders: [{ user_id: reader.id, minutes_before: 10, channel: 'email' }],
      title: 'Secret',
    });
    await sql(
      `insert into calendar_shares (workspace_id, calendar_id, user_id, level) values ($1, $2, $3, 'busy')`,
      [firm.id, calendar, reader.id],
    );
    await remind();
    const { raw } = received(reader.email)[0]!;
    expect(raw).toContain('Busy');
    expect(raw).not.toMatch(/Secret|Room 4/);
  });
});

test('without a mail server it is recorded as not sent, with the reason', async () => {
  services.mail = { domains: ['desk.example'], server: null };
  try {
    await create();
    await remind();
    expect(await state()).toEqual([{ state: 'not_sent', detail: 'no mail server is configured' }]);
  } finally {
    services.mail = { domains: ['desk.example'], server };
  }
});

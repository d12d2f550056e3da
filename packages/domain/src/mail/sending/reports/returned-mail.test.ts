import { createMailbox, createUser, type TestMailbox, type TestUser } from '@firmdesk/testing';
import {
  createMailUser,
  createUserWithToken,
  type Firm,
  notificationsOf,
  suiteGateway,
} from '@firmdesk/testing/gateway';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { withTransaction } from '../../../platform/database/transaction.ts';
import { receiveMail } from '../../receiving/receive-mail.ts';
import { queueSystemMail } from '../../system/queue-system-mail.ts';
import type { SchedulingContent } from '../../system/system-mail.ts';
import { bounceAddress } from '../bounce-address.ts';
import type { MailServer } from '../mail-server.ts';
import { runSending } from '../testing.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const sent: { returnPath: string; to: string }[] = [];
/** Accepts everything: only what comes back is tested here. */
const server: MailServer = {
  async send({ returnPath, to }) {
    sent.push({ returnPath, to });
    return { state: 'sent', detail: '250 Ok' };
  },
  async check() {},
  async close() {},
};
services.mail = { domains: ['desk.example', 'other.example'], server };

let firm: Firm;
let me: TestUser;
let token: string;
let mailbox: TestMailbox;
let platform: string;

beforeEach(async () => {
  sent.length = 0;
  ({ firm, user: me, token, mailbox } = await createMailUser(gateway));
  ({ token: platform } = await createUserWithToken(gateway, { firm, scopes: ['platform:write'] }));
});

const send = async (to: string[]) => {
  const body = { address_id: mailbox.id, to, subject: 'Zahlen', body: 'Hello' };
  const answer = await gateway.request('POST /v1/me/mail/messages', { token, body });
  await runSending(services);
  return answer.body.data.id as string;
};
const deliver = (address: string, raw: string, by = platform) =>
  gateway.rpc('mail.deliver', { token: by, body: { mailbox: address, encoding: 'text', raw } });
const recipientsOf = async (id: string) =>
  (await gateway.request(`GET /v1/me/mail/messages/${id}`, { token })).body.data.delivery.recipients;
const inbox = async () =>
  (await gateway.rpc('mail.list', { token, body: { address_id: mailbox.id, folder: 'inbox' } })).data.data;

const lines = (...text: string[]) => text.join('\r\n');
const report = (type: string, ...fields: string[]) =>
  lines(
    'From: MAILER-DAEMON@mx.elsewhere.example',
    'Subject: Undelivered Mail Returned to Sender',
    `Content-Type: multipart/report; report-type=${type.split('/')[1]}; boundary=b`,
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'I am sorry.',
    '--b',
    `Content-Type: ${type}`,
    '',
    ...fields,
    '--b',
    'Content-Type: message/rfc822',
    '',
    'Subject: Zahlen',
    '',
    'Hello',
    '--b--',
  );
const dsn = (action: string, code = 'smtp; 550 5.1.1 <ann@elsewhere.example>: no such user') =>
  report(
    'message/delivery-status',
    'Reporting-MTA: dns; mx.elsewhere.example',
    '',
    'Final-Recipient: rfc822; ann@elsewhere.example',
    `Action: ${action}`,
    'Status: 5.1.1',
    `Diagnostic-Code: ${code}`,
  );
const complaint = report(
  'message/feedback-report',
  'Feedback-Type: abuse',
  'Version: 1',
  'User-Agent: FBL/1',
);

describe('mail that comes back', () => {
  test('is told from mail to a mailbox with the same name', async () => {
    const id = await send(['ann@elsewhere.example']);
    await createMailbox(services, { firm, email: 'bounce@desk.example', writes: [me] });
    expect((await deliver(sent[0]!.returnPath, dsn('failed'))).data.id).toBe(id);
    expect(await recipientsOf(id)).toMatchObject([{ state: 'failed' }]);
  });

  test('marks the recipient whom its address names, and tells the author', async () => {
    const id = await send(['ann@elsewhere.example', 'bob@elsewhere.example']);
    const [ann] = sent;
    expect(ann!.returnPath).toMatch(/^bounce\+\d+-\d+-1-[0-9a-f]{20}@desk\.example$/);
    const answer = await deliver(ann!.returnPath.toUpperCase(), dsn('failed'));
    expect(answer.data).toMatchObject({ object: 'mail_delivery', status: 'delivered', id });
    const reason = '550 5.1.1 <ann@elsewhere.example>: no such user';
    expect(await recipientsOf(id)).toEqual([
      { email: 'ann@elsewhere.example', state: 'failed', detail: reason },
      { email: 'bob@elsewhere.example', state: 'sent', detail: '250 Ok' },
    ]);
    await deliver(ann!.returnPath, dsn('failed'));
    const notices = await notificationsOf(gateway, firm);
    expect(notices.filter(({ user_id }) => user_id === me.id)).toMatchObject([
      { title: 'Not delivered: Zahlen' },
    ]);
    expect(await inbox()).toEqual([]);
  });

  test.each([
    ['is delayed', dsn('delayed', 'smtp; 450 4.2.0 try later')],
    ['was delivered', dsn('delivered')],
  ])('and says that a message %s leaves it as it is', async (_, raw) => {
    const id = await send(['ann@elsewhere.example']);
    await deliver(sent[0]!.returnPath, raw);
    expect(await recipientsOf(id)).toMatchObject([{ state: 'sent' }]);
  });

  test('in the words of a server marks the recipient too', async () => {
    const id = await send(['ann@elsewhere.example']);
    const raw = lines(
      'From: Mail Delivery Subsystem <mailer-daemon@qmail.example>',
      'Subject: failure notice',
      '',
      'Hi. This is the qmail-send program.',
      '<ann@elsewhere.example>:',
      '192.0.2.1 does not like recipient. 550 5.1.1 no mailbox here',
    );
    await deliver(sent[0]!.returnPath, raw);
    expect(await recipientsOf(id)).toMatchObject([
      { state: 'failed', detail: '192.0.2.1 does not like recipient. 550 5.1.1 no mailbox here' },
    ]);
  });

  test('and is no report is stored in the mailbox that sent the message', async () => {
    const id = await send(['ann@elsewhere.example']);
    const raw = lines(
      'From: ann@elsewhere.example',
      'Subject: Out of office',
      'Auto-Submitted: auto-replied',
      '',
      'I am away. 5.0.0',
    );
    await deliver(sent[0]!.returnPath, raw);
    expect(await recipientsOf(id)).toMatchObject([{ state: 'sent' }]);
    expect(await inbox()).toMatchObject([{ subject: 'Out of office' }]);
  });

  test('to an address that is not ours finds no mailbox', async () => {
    await send(['ann@elsewhere.example']);
    const { returnPath } = sent[0]!;
    const forged = returnPath.replace(/-1-[0-9a-f]/, (found) => (found.endsWith('0') ? '-1-1' : '-1-0'));
    const others = [
      forged,
      returnPath.replace('-1-', '-2-'),
      returnPath.replace('desk.', 'desk2.'),
      'bounce+1-1-1-x@desk.example',
    ];
    for (const address of others)
      expect((await deliver(address, dsn('failed'))).code, address).toBe('resource_not_found');
    const stranger = await createUserWithToken(gateway, { scopes: ['platform:write'] });
    expect((await deliver(returnPath, dsn('failed'), stranger.token)).code).toBe('resource_not_found');
  });

  test('of a message that was deleted finds no mailbox', async () => {
    const id = await send(['ann@elsewhere.example']);
    await services.pool.query('delete from mail_messages where id = $1', [id]);
    expect((await deliver(sent[0]!.returnPath, dsn('failed'))).code).toBe('resource_not_found');
  });

  test('of any content is accepted or refused with a code of the contract', async () => {
    const id = await send(['ann@elsewhere.example']);
    const piece = fc.constantFrom(
      'Action: failed',
      'Action:',
      ': :',
      'Diagnostic-Code: ;',
      '',
      '\t',
      '--b',
      'Feedback-Type: virus',
      '\0',
      '5.1.1',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('message/delivery-status', 'message/feedback-report', 'text/plain'),
        fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }),
        async (type, fields) => {
          const { code } = await deliver(sent[0]!.returnPath, report(type, ...fields));
          expect([null, 'validation_failed']).toContain(code);
        },
      ),
      { numRuns: 30 },
    );
    expect(await recipientsOf(id)).toHaveLength(1);
  });
});

describe('a system mail that comes back', () => {
  const content: SchedulingContent = {
    method: 'REQUEST',
    from: { email: 'me@desk.example', name: null },
    to: { email: 'ann@elsewhere.example', name: null },
    response: null,
    is_update: false,
    ics: 'BEGIN:VCALENDAR',
    event: {
      title: 'Stand-up',
      description: null,
      location: null,
      conference_url: null,
      starts_at: '2026-11-01T09:00:00Z',
      timezone: 'UTC',
      all_day: false,
    },
  };
  beforeEach(async () => {
    await withTransaction(services, (ctx) =>
      queueSystemMail(ctx, firm.id, {
        kind: 'scheduling',
        userId: me.id,
        about: 'scheduling 1',
        content,
        sendUntil: new Date(ctx.now.getTime() + 86_400_000).toISOString(),
      }),
    );
    for (let i = 0; i < 2; i++) await runSending(services);
    expect(sent).toMatchObject([{ to: 'ann@elsewhere.example' }]);
  });
  const receive = async (raw: string) => {
    const rules = { spamHeader: 'x-spam-flag', trustedHosts: [], dnsServers: null };
    const message = { raw: Buffer.from(raw), sender: '', recipients: [sent[0]!.returnPath] };
    return (await receiveMail(services, message, rules))[0]!.status;
  };
  const states = async () =>
    (await services.pool.query('select state from outgoing_recipients where workspace_id = $1', [firm.id]))
      .rows;

  test('marks its recipient and tells who has sent it, once', async () => {
    for (let i = 0; i < 2; i++) expect(await receive(dsn('failed'))).toBe('delivered');
    expect(await states()).toEqual([{ state: 'failed' }]);
    const notices = await notificationsOf(gateway, firm);
    expect(notices).toMatchObject([{ user_id: me.id, title: 'Not delivered: Stand-up' }]);
  });

  test('takes reports only, and none of a caller', async () => {
    expect(await receive(lines('From: ann@elsewhere.example', 'Subject: Hello', '', 'Hi'))).toBe(
      'unknown_mailbox',
    );
    expect((await deliver(sent[0]!.returnPath, dsn('failed'))).code).toBe('resource_not_found');
    expect(await states()).toEqual([{ state: 'sent' }]);
  });
});

describe('a firm', () => {
  const warnings = async () =>
    (await notificationsOf(gateway, firm)).filter(({ title }) => title.startsWith('Too much'));
  beforeEach(async () => {
    await createUser(services, { firm, permissions: ['view_mail_health'] });
  });
  const people = (count: number) => Array.from({ length: count }, (_, i) => `p${i}@elsewhere.example`);

  test('is warned once a day when more than 5 % of its mail comes back, of 100 or more', async () => {
    await send(people(100));
    for (const { returnPath } of sent.slice(0, 5)) await deliver(returnPath, dsn('failed'));
    expect(await warnings()).toEqual([]);
    for (const { returnPath } of sent.slice(5, 7)) await deliver(returnPath, dsn('failed'));
    expect(await warnings()).toHaveLength(1);
    gateway.clock.advance(86_400_000);
    for (const { returnPath } of sent.slice(7, 12)) await deliver(returnPath, dsn('failed'));
    expect(await warnings()).toHaveLength(2);
  });

  test('that sends little is warned when five of its messages come back', async () => {
    await send(people(20));
    for (const { returnPath } of sent.slice(0, 4)) await deliver(returnPath, dsn('failed'));
    await deliver(sent[0]!.returnPath, complaint);
    expect(await warnings()).toEqual([]);
    await deliver(sent[4]!.returnPath, dsn('failed'));
    expect(await warnings()).toHaveLength(1);
  });

  test('is warned when more than 0.1 % of its mail is called spam', async () => {
    const id = await send(['ann@elsewhere.example']);
    await services.pool.query(
      `insert into outgoing_recipients (workspace_id, message_id, position, email, state, answered_at)
       select $1, $2, i, 'x', 'sent', $3 from generate_series(2, 1000) i`,
      [firm.id, id, gateway.clock.now().toISOString()],
    );
    const second = await bounceAddress(services, {
      workspaceId: firm.id,
      alias: (await services.pool.query('select alias from mail_messages where id = $1', [id])).rows[0].alias,
      position: 2,
    });
    await deliver(sent[0]!.returnPath, complaint);
    await deliver(sent[0]!.returnPath, complaint);
    expect(await warnings()).toEqual([]);
    await deliver(second!, complaint);
    expect(await warnings()).toHaveLength(1);
  });
});

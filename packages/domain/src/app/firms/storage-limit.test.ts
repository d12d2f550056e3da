import { createMailbox } from '@firmdesk/testing';
import {
  createUserWithToken,
  notificationsOf,
  suiteGateway,
  type UserWithToken,
} from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';
import { withTransaction } from '../../platform/database/transaction.ts';
import { checkStorage, setStorageLimit } from './storage-limit.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const MB = 2 ** 20;
let me: UserWithToken;
let count = 0;

beforeEach(async () => {
  me = await createUserWithToken(gateway, {
    permissions: ['view_tickets', 'manage_tickets', 'view_storage'],
  });
});

const limit = (bytes: number | null) =>
  withTransaction(services, (ctx) => setStorageLimit(ctx, me.firm.slug, bytes));
/** Stores a file of received mail. */
const store = (size: number) =>
  services.pool.query(
    `insert into attachments (workspace_id, id, name, type, size, created_at, uploaded_at)
     values ($1, $2, 'a.pdf', 'application/pdf', $3, $4, $4)`,
    [me.firm.id, `matt_${String(++count).padStart(26, '0')}`, size, gateway.clock.now().toISOString()],
  );
const titles = async () => (await notificationsOf(gateway, me.firm)).map(({ title }) => title).sort();

test('tells the firm once for each share that its files pass, also if they are checked at once', async () => {
  await limit(100 * MB);
  await store(79 * MB);
  await checkStorage(services);
  expect(await titles()).toEqual([]);
  await store(MB);
  await Promise.all([checkStorage(services), checkStorage(services)]);
  await checkStorage(services);
  expect(await titles()).toEqual(['80 % of the firm’s storage is used']);
  await store(15 * MB);
  await checkStorage(services);
  expect(await titles()).toEqual([
    '80 % of the firm’s storage is used',
    '95 % of the firm’s storage is used',
  ]);
});

test('tells it again after files were deleted, and when the limit is lowered', async () => {
  await limit(100 * MB);
  await store(80 * MB);
  await checkStorage(services);
  await services.pool.query('update attachments set deleted_at = now() where workspace_id = $1', [
    me.firm.id,
  ]);
  await checkStorage(services);
  await store(50 * MB);
  await checkStorage(services);
  await limit(60 * MB);
  expect(await titles()).toEqual([
    '80 % of the firm’s storage is used',
    '80 % of the firm’s storage is used',
  ]);
});

test('refuses an upload that does not fit, and stores received mail', async () => {
  const mailbox = await createMailbox(services, { firm: me.firm, writes: [me.user] });
  const announce = (size: number) =>
    gateway.request('POST /v1/me/mail/attachments', {
      token: me.token,
      body: { address_id: mailbox.id, name: 'a.pdf', size },
    });
  await store(2 * MB);
  expect((await announce(MB)).status).toBe(201);
  await limit(3 * MB);
  const refused = await announce(MB);
  expect([refused.body.error.code, refused.body.error.message]).toEqual([
    'attachment_limit_reached',
    expect.stringContaining('storage of the firm is full'),
  ]);
  const raw = [
    ...['From: x@y.example', 'Message-ID: <full@y.example>', 'Content-Type: application/pdf; name=a.pdf', ''],
    ...['%PDF-1.7', ''],
  ].join('\r\n');
  const body = { mailbox: mailbox.email, encoding: 'text', raw };
  const { data } = await gateway.rpc('mail.deliver', { token: me.token, body });
  expect(data).toMatchObject({ status: 'delivered', left_out: [] });
  await limit(null);
  expect((await announce(MB)).status).toBe(201);
});

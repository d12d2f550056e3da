/** The scope of an idempotency key includes the firm that a call acts in. */
import { randomUUID } from 'node:crypto';
import { PLATFORM } from '@firmdesk/contract';
import { createMailbox, createStaff, createTicket, createUser, createWorkspace } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway, tokenOf } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;

/** Creates staff of two firms, and a ticket in the second. */
async function staffOfTwo() {
  const [wrong, right] = [await createWorkspace(services), await createWorkspace(services)];
  const staff = await createStaff(services, [wrong, right]);
  const trader = await createUser(services, { firm: right, role: 'trader' });
  const ticket = await createTicket(services, { firm: right, trader });
  return { wrong, right, ticket, token: await tokenOf(gateway, staff, PLATFORM) };
}

test('runs a retry with a corrected Service-Workspace over REST, and replays each firm’s own response', async () => {
  const { wrong, right, ticket, token } = await staffOfTwo();
  const key = randomUUID();
  const ask = (workspace: string) =>
    gateway.request(`POST /v1/admin/tickets/${ticket}/ai`, {
      token,
      workspace,
      key,
      body: { instruction: 'Say hello' },
    });
  expect((await ask(wrong.slug)).status).toBe(404);
  const corrected = await ask(right.slug);
  expect([corrected.status, corrected.headers.get('idempotent-replayed')]).toEqual([201, null]);
  const again = await ask(right.slug);
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([corrected.text, 'true']);
  const wrongAgain = await ask(wrong.slug);
  expect([wrongAgain.status, wrongAgain.headers.get('idempotent-replayed')]).toEqual([404, 'true']);
});

test('runs a retry with a corrected Service-Workspace over RPC', async () => {
  const { wrong, right, ticket, token } = await staffOfTwo();
  const key = randomUUID();
  const ask = (workspace: string) =>
    gateway.rpc('tickets.setPriority', { token, workspace, key, body: { ticket, priority: 'urgent' } });
  const refused = await ask(wrong.slug);
  expect([refused.status, refused.code]).toEqual([404, 'resource_not_found']);
  const corrected = await ask(right.slug);
  expect([corrected.status, corrected.data]).toMatchObject([200, { priority: 'urgent' }]);
});

test('scopes the key of a call that names no firm by the token’s own firm', async () => {
  const { firm, user, token } = await createUserWithToken(gateway, {
    permissions: ['view_tickets', 'manage_tickets'],
  });
  const trader = await createUser(services, { firm, role: 'trader' });
  const ticket = await createTicket(services, { firm, trader });
  const key = randomUUID();
  const ask = (workspace?: string) =>
    gateway.request(`POST /v1/admin/tickets/${ticket}/ai`, {
      token,
      key,
      body: { instruction: 'Say hello' },
      ...(workspace !== undefined && { workspace }),
    });
  const first = await ask();
  expect(first.status).toBe(201);
  for (const workspace of [firm.slug, '', undefined]) expect((await ask(workspace)).text).toBe(first.text);
  // A call that acts in the token's own workspace ignores the header, so it runs once.
  const mailbox = await createMailbox(services, { firm, writes: [user] });
  const draftKey = randomUUID();
  const save = (workspace?: string) =>
    gateway.request('POST /v1/me/mail/drafts', {
      token,
      key: draftKey,
      body: { address_id: mailbox.id },
      ...(workspace !== undefined && { workspace }),
    });
  expect((await save('another-firm')).text).toBe((await save()).text);
});

/** The body of a call can arrive long after its headers. A call whose rights have ended meanwhile changes nothing. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createTicketFixture, rpcInput, suiteGateway, type TicketFixture } from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';

const LIMIT = 1_000;
const gateway = await suiteGateway({ rateLimitPerMinute: LIMIT });
const { pool } = gateway.services;
let fixture: TicketFixture;
let ticket: string;
beforeEach(async () => {
  fixture = await createTicketFixture(gateway);
  ticket = await fixture.createTicket();
});

/** Sends all of a request but the end of its body. Returns a function that sends this, and returns the response. */
async function sendSlowly(path: string, body: object): Promise<() => Promise<string>> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  const text = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    `Authorization: Bearer ${fixture.token}`,
    `Idempotency-Key: ${randomUUID()}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${text.slice(0, 5)}`);
  let response = '';
  socket.setEncoding('utf8').on('data', (part) => {
    response += part;
  });
  const used = async () =>
    (await pool.query('select from tokens where id = $1 and last_used_at is not null', [fixture.tokenId]))
      .rowCount;
  // It is authorized.
  await expect.poll(used).toBe(1);
  return async () => {
    socket.write(text.slice(5));
    await once(socket, 'close');
    return response;
  };
}

const calls: [name: string, send: () => Promise<() => Promise<string>>][] = [
  ['typed RPC', () => sendSlowly('/trpc/tickets.reply', rpcInput({ ticket, body: 'Too late.' }))],
  [
    'a batch',
    () => sendSlowly('/trpc/tickets.reply?batch=1', { 0: rpcInput({ ticket, body: 'Too late.' }) }),
  ],
  ['REST', () => sendSlowly(`/v1/admin/tickets/${ticket}/ai`, { instruction: 'Too late.' })],
];
const losses: [name: string, code: string, statement: (fixture: TicketFixture) => [string, unknown]][] = [
  [
    'the membership',
    'admin_access_required',
    ({ agent }) => ['update memberships set active = false where user_id = $1', agent.id],
  ],
  [
    'a permission',
    'forbidden',
    ({ agent }) => [`update memberships set permissions = '{view_tickets}' where user_id = $1`, agent.id],
  ],
  [
    'the token',
    'revoked_token',
    ({ tokenId }) => ['update tokens set revoked_at = now() where id = $1', tokenId],
  ],
  [
    'the account',
    'revoked_token',
    ({ agent }) => ['update users set deactivated_at = now() where id = $1', agent.id],
  ],
  [
    'the firm',
    'workspace_not_permitted',
    ({ firm }) => ['update workspaces set suspended_at = now() where id = $1', firm.id],
  ],
];

test.each(losses.flatMap((loss) => calls.map((call) => [loss[0], call[0], loss, call] as const)))(
  'after the loss of %s, %s changes nothing',
  async (_loss, _call, [, code, statement], [, send]) => {
    const finish = await send();
    const [text, id] = statement(fixture);
    await pool.query(text, [id]);
    gateway.clock.advance(1_001);
    expect(await finish()).toContain(`"${code}"`);
    expect(await fixture.messagesOf(ticket)).toEqual([]);
  },
);

test.each(calls)('with its rights, %s that arrives late has its effect, and counts once', async (_, send) => {
  const finish = await send();
  gateway.clock.advance(60_000);
  const response = await finish();
  expect(response).toMatch(/^HTTP\/1\.1 20[01] /);
  expect(response.toLowerCase()).toContain(`ratelimit-remaining: ${LIMIT - 1}\r\n`);
  expect(await fixture.messagesOf(ticket)).not.toEqual([]);
});

import { openTcpProxy } from '@firmdesk/testing';
import { openTestGateway, type TicketFixture, ticketCalls } from '@firmdesk/testing/gateway';
import { expect, inject, test } from 'vitest';
import { createFirmOn, serversOf } from './cluster.ts';

test.each(['cut', 'stall', 'silence'] as const)(
  'answers 503 for the firms of a server that is lost (%s), serves all others, and serves them again when it is back',
  async (how) => {
    await using gateway = await openTestGateway(inject('postgresUrl'));
    const [lost, kept] = await serversOf(gateway);
    const away = await createFirmOn(gateway, lost!);
    const other = await createFirmOn(gateway, kept!);
    const tickets = new Map([
      [away, await away.createTicket()],
      [other, await other.createTicket()],
    ]);
    await using proxy = await openTcpProxy(`postgres://${lost!.host}:${lost!.port}/`);
    await gateway.services.pool.query(`select citus_update_node($1, '127.0.0.1', $2)`, [
      lost!.id,
      Number(new URL(proxy.url).port),
    ]);
    const note = (of: TicketFixture) =>
      ticketCalls(gateway, () => of.token).rpc('addNote', { ticket: tickets.get(of), body: 'hello' });
    const read = (of: TicketFixture) => gateway.rpc('tickets.list', { token: of.token, body: {} });
    expect([(await note(away)).status, (await note(other)).status]).toEqual([200, 200]);

    proxy[how]();
    const [refused, served, unread, listed] = await Promise.all([
      note(away),
      note(other),
      read(away),
      read(other),
    ]);
    expect([refused.status, refused.code, unread.status, unread.code]).toEqual([
      503,
      'unavailable',
      503,
      'unavailable',
    ]);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect([served.status, listed.status]).toEqual([200, 200]);

    proxy.restore();
    await expect.poll(async () => (await note(away)).status).toBe(200);
    expect((await read(away)).status).toBe(200);
    gateway.log.lines.length = 0;
  },
);

/** The limit of a statement: whoever waits for the silent server waits as long. */
const STATEMENT_MS = 15_000;
/** More than the connections of a process. */
const CALLS = 30;

test('a silent server delays no call of the firms on others, whatever its own firms ask for', async ({
  annotate,
}) => {
  await using gateway = await openTestGateway(inject('postgresUrl'));
  const [silent, kept] = await serversOf(gateway);
  const away = [await createFirmOn(gateway, silent!), await createFirmOn(gateway, silent!)];
  const other = await createFirmOn(gateway, kept!);
  const tickets = new Map<TicketFixture, string>();
  for (const firm of [...away, other]) tickets.set(firm, await firm.createTicket());
  await using proxy = await openTcpProxy(`postgres://${silent!.host}:${silent!.port}/`);
  await gateway.services.pool.query(`select citus_update_node($1, '127.0.0.1', $2)`, [
    silent!.id,
    Number(new URL(proxy.url).port),
  ]);
  const timed = async (answer: Promise<{ status: number; headers: Headers }>) => {
    const started = performance.now();
    const { status, headers } = await answer;
    return { status, retryAfter: headers.get('retry-after'), ms: performance.now() - started };
  };
  const calls = (of: TicketFixture) => [
    timed(ticketCalls(gateway, () => of.token).rpc('addNote', { ticket: tickets.get(of), body: 'hello' })),
    timed(gateway.rpc('tickets.list', { token: of.token, body: {} })),
  ];
  const longest = (answers: readonly { ms: number }[]) =>
    Math.round(Math.max(...answers.map(({ ms }) => ms)));
  for (const firm of [...away, other]) await Promise.all(calls(firm));

  proxy.silence();
  const refused = Array.from({ length: CALLS }, () => away.flatMap(calls)).flat();
  const served: Awaited<ReturnType<typeof timed>>[] = [];
  let isRefusing = true;
  const refusals = Promise.all(refused).finally(() => {
    isRefusing = false;
  });
  do served.push(...(await Promise.all(calls(other))));
  while (isRefusing);
  const answers = await refusals;
  expect(new Set(answers.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(
    new Set(['503 1']),
  );
  expect(new Set(served.map(({ status }) => status))).toEqual(new Set([200]));
  expect(longest(served)).toBeLessThan(STATEMENT_MS);
  expect(longest(answers)).toBeLessThan(STATEMENT_MS);
  // It is known to be silent.
  const later = await Promise.all(away.flatMap(calls));
  expect(new Set(later.map(({ status }) => status))).toEqual(new Set([503]));
  await annotate(
    `refused within ${longest(answers)} ms, later within ${longest(later)} ms; ${served.length} other calls within ${longest(served)} ms`,
  );

  proxy.restore();
  for (const firm of away)
    await expect
      .poll(async () => (await Promise.all(calls(firm))).map(({ status }) => status))
      .toEqual([200, 200]);
  gateway.log.lines.length = 0;
});

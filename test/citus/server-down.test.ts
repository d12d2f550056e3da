import { queryPool } from '@firmdesk/domain';
import { openTcpProxy } from '@firmdesk/domain/testing';
import { openTestGateway, type TicketFixture, ticketCalls } from '@firmdesk/gateway/testing';
import { expect, inject, test } from 'vitest';
import { createFirmOn, serversOf } from './cluster.ts';

test.each(['cut', 'stall'] as const)(
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
    await queryPool(gateway.services.pool, `select citus_update_node($1, '127.0.0.1', $2)`, [
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

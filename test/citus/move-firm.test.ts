import { administer } from '@firmdesk/testing';
import { followTicket, openTestGateway, ticketCalls } from '@firmdesk/testing/gateway';
import { expect, inject, test } from 'vitest';
import { createFirmOn, placeOf, serversOf } from './cluster.ts';

const WRITERS = 3;

test('moves a firm to another server while its team writes and a viewer reads: nothing is lost or doubled', async () => {
  await using gateway = await openTestGateway(inject('postgresUrl'));
  const { pool } = gateway.services;
  const [from, to] = await serversOf(gateway);
  const { firm, token, createTicket } = await createFirmOn(gateway, from!);
  const ticket = await createTicket();
  using viewer = await followTicket({ url: gateway.url, token, ticket });
  const { rpc } = ticketCalls(gateway, () => token);
  const written: string[] = [];
  const other: number[] = [];
  let isMoving = true;
  const write = async (writer: number) => {
    for (let n = 0; isMoving; n++) {
      const body = `${writer}-${n}`;
      const key = crypto.randomUUID();
      // As clients do: again with the same key, until it is accepted.
      for (;;) {
        const answer = await gateway.rpc('tickets.addNote', { token, key, body: { ticket, body } });
        if (answer.status === 200) break;
        other.push(answer.status);
        expect(answer.status).toBe(503);
      }
      written.push(body);
    }
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  writing.catch(() => {});
  await expect.poll(() => written.length).toBeGreaterThan(10);

  // The shard with other firms becomes one of this firm only: writes wait for the copy, because Citus 13.2 does not end a split without
  // blocking while rows are updated. Then it moves while they continue.
  const { rows } = await administer(
    gateway.databaseUrl,
    `select isolate_tenant_to_new_shard('tickets', ${firm.id}, 'CASCADE', shard_transfer_mode => 'block_writes') as shard`,
  );
  const before = written.length;
  await administer(
    gateway.databaseUrl,
    `select citus_move_shard_placement(${rows[0].shard}, '${from!.host}', ${from!.port}, '${to!.host}', ${to!.port},
       shard_transfer_mode => 'force_logical')`,
  );
  const during = written.length - before;
  const moved = written.length;
  await expect.poll(() => written.length).toBeGreaterThan(moved + 10);
  isMoving = false;
  await writing;

  expect((await placeOf(gateway, firm.id)).server).toBe(to!.id);
  expect(during).toBeGreaterThan(0);
  const { rows: stored } = await pool.query<{ body: string }>(
    'select body from ticket_messages where workspace_id = $1 and ticket_id = $2 and internal',
    [firm.id, ticket],
  );
  expect(stored.map(({ body }) => body).sort()).toEqual([...written].sort());
  await expect
    .poll(() =>
      viewer
        .messages()
        .map(({ body }) => body)
        .sort(),
    )
    .toEqual([...written].sort());
  const created = viewer.events.filter(({ data }) => data.type === 'message.created');
  expect(created).toHaveLength(written.length);
  expect((await rpc('get', { ticket })).status).toBe(200);
});

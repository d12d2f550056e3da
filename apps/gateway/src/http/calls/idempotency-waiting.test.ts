import { randomUUID } from 'node:crypto';
import { createToken, createUser, createWorkspace, unique } from '@firmdesk/testing';
import { EFFECTS, gate, openTestGateway, testRouter } from '@firmdesk/testing/gateway';
import { expect, inject, test } from 'vitest';

// In its own file, because it takes the 10 s for which a call waits for a lock.
test('returns 409 while the first call with the key is running, in the same process and in another', async () => {
  await using gateway = await openTestGateway(inject('postgresUrl'), { router: testRouter });
  await gateway.services.pool.query(EFFECTS);
  const otherNode = await gateway.secondNode();
  const firm = await createWorkspace(gateway.services);
  const user = await createUser(gateway.services, { firm });
  const { text: token } = await createToken(gateway.services, { user, workspace: firm.slug });
  const value = unique('effect');
  const open = gate(value);
  const sent = { token, key: randomUUID(), body: { value } };
  const first = gateway.request('POST /v1/test/effects', sent);
  await expect
    .poll(async () => {
      const { rows } = await gateway.services.pool.query(
        `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
      );
      return rows.length;
    })
    .toBe(1);
  const others = await Promise.all(
    [gateway, otherNode].map((node) => node.request('POST /v1/test/effects', sent)),
  );
  for (const { status, body, headers } of others) {
    expect([status, body.error.code]).toEqual([409, 'idempotency_key_in_use']);
    expect(headers.get('retry-after')).toBe('1');
  }
  open();
  const answer = await first;
  expect(answer.status).toBe(201);
  const replay = await otherNode.request('POST /v1/test/effects', sent);
  expect(replay.text).toBe(answer.text);
});

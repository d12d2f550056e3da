import { setTimeout } from 'node:timers/promises';
import { closeServices, createServices, migrate, queryPool, withSetupLock } from '@firmdesk/domain';
import { createMailbox, createToken, createUser, createWorkspace } from '@firmdesk/domain/testing';
import { expect, test } from 'vitest';
import { hasServerPrograms, openPatroniCluster } from './patroni.ts';
import { isInstalled } from './pgbouncer.ts';
import { startGateway } from './started-gateway.ts';

const what = 'Patroni switchovers';
const canRun = isInstalled('patroni', what) && isInstalled('etcd', what) && hasServerPrograms;
const WRITERS = 8;

test.skipIf(!canRun)(
  'loses and doubles no write in a switchover and when the primary is killed',
  async () => {
    await using cluster = await openPatroniCluster();
    const services = await createServices({ databaseUrl: cluster.url, lanes: { main: 2 } });
    await withSetupLock(cluster.url, () => migrate(services));
    const firm = await createWorkspace(services);
    const user = await createUser(services, { firm });
    const { id: mailbox } = await createMailbox(services, { firm, writes: [user] });
    const { text: token } = await createToken(services, { user, workspace: firm.slug });
    const gateway = startGateway({
      DATABASE_URL: cluster.url,
      DEMO: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'silent',
    });
    try {
      const url = await gateway.listening;
      const acknowledged: string[] = [];
      const statuses = new Set<number>();
      let isOver = false;
      const write = async (code: string) => {
        const key = crypto.randomUUID();
        for (;;) {
          const response = await fetch(`${url}/v1/me/mail/drafts`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${token}`,
              'content-type': 'application/json',
              'idempotency-key': key,
            },
            body: JSON.stringify({ address_id: mailbox, to: [], subject: code, body: '' }),
          });
          await response.arrayBuffer();
          statuses.add(response.status);
          if (response.status === 200) return void acknowledged.push(code);
          await setTimeout(100);
        }
      };
      const writer = async (n: number) => {
        for (let i = 0; !isOver; i++) await write(`W${n}-${i}`);
      };
      const writers = Promise.all(Array.from({ length: WRITERS }, (_, n) => writer(n)));
      const moreWrites = async () => {
        const before = acknowledged.length;
        await expect
          .poll(() => acknowledged.length, { timeout: 60_000, interval: 100 })
          .toBeGreaterThan(before + 10 * WRITERS);
      };
      await moreWrites();
      await cluster.switchOver();
      await moreWrites();
      await cluster.killPrimary();
      await moreWrites();
      isOver = true;
      await writers;
      const { rows } = await queryPool<{ code: string; times: number }>(
        services.pool,
        `select subject as code, count(*)::integer as times from mail_messages where workspace_id = $1 group by 1`,
        [firm.id],
      );
      const stored = new Map(rows.map(({ code, times }) => [code, times]));
      expect(acknowledged.filter((code) => !stored.has(code))).toEqual([]);
      expect(rows.filter(({ times }) => times > 1)).toEqual([]);
      expect([...statuses].filter((status) => ![200, 409, 503].includes(status))).toEqual([]);
    } finally {
      gateway.child.kill('SIGKILL');
      await gateway.exited;
      await closeServices(services);
    }
  },
  240_000,
);

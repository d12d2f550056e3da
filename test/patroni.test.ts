import { setTimeout } from 'node:timers/promises';
import { closeServices, createServices, migrate, withSetupLock } from '@firmdesk/domain';
import { createMailbox, createToken, createUser, createWorkspace } from '@firmdesk/testing';
import { expect, test } from 'vitest';
import { hasServerPrograms, openPatroniCluster } from './patroni.ts';
import { isInstalled } from './pgbouncer.ts';
import { startGateway } from './started-gateway.ts';

const what = 'Patroni switchovers';
const canRun =
  isInstalled('patroni', what) &&
  isInstalled('etcd', what) &&
  isInstalled('haproxy', what) &&
  hasServerPrograms;
const WRITERS_PER_GATEWAY = 4;

test.skipIf(!canRun)(
  'loses and doubles no write in a switchover and when the primary is killed, with both servers in the URL and behind HAProxy',
  async () => {
    await using cluster = await openPatroniCluster();
    const services = await createServices({ databaseUrl: cluster.url, poolSizes: { main: 2 } });
    await withSetupLock(cluster.url, () => migrate(services));
    const firm = await createWorkspace(services);
    const user = await createUser(services, { firm });
    const { id: mailbox } = await createMailbox(services, { firm, writes: [user] });
    const { text: token } = await createToken(services, { user, workspace: firm.slug });
    const gateways = [cluster.url, cluster.proxyUrl].map((databaseUrl) =>
      startGateway({
        DATABASE_URL: databaseUrl,
        DEMO: '0',
        RATE_LIMIT_PER_MINUTE: '0',
        LOG_LEVEL: 'silent',
      }),
    );
    try {
      const urls = await Promise.all(gateways.map(({ listening }) => listening));
      /** The acknowledged writes of each gateway. */
      const acknowledged: string[][] = gateways.map(() => []);
      const statuses = new Set<number>();
      let isOver = false;
      const write = async (at: number, code: string) => {
        const key = crypto.randomUUID();
        for (;;) {
          const response = await fetch(`${urls[at]}/v1/me/mail/drafts`, {
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
          if (response.status === 200) return void acknowledged[at]!.push(code);
          await setTimeout(100);
        }
      };
      const writer = async (n: number) => {
        for (let i = 0; !isOver; i++) await write(n % gateways.length, `W${n}-${i}`);
      };
      const writers = Promise.all(
        Array.from({ length: WRITERS_PER_GATEWAY * gateways.length }, (_, n) => writer(n)),
      );
      const moreWrites = async () => {
        const before = acknowledged.map(({ length }) => length);
        const fewest = () => Math.min(...acknowledged.map(({ length }, at) => length - before[at]!));
        await expect
          .poll(fewest, { timeout: 60_000, interval: 100 })
          .toBeGreaterThan(10 * WRITERS_PER_GATEWAY);
      };
      await moreWrites();
      await cluster.switchOver();
      await moreWrites();
      await cluster.killPrimary();
      await moreWrites();
      isOver = true;
      await writers;
      const { rows } = await services.pool.query<{ code: string; times: number }>(
        `select subject as code, count(*)::integer as times from mail_messages where workspace_id = $1 group by 1`,
        [firm.id],
      );
      const stored = new Map(rows.map(({ code, times }) => [code, times]));
      expect(acknowledged.flat().filter((code) => !stored.has(code))).toEqual([]);
      expect(rows.filter(({ times }) => times > 1)).toEqual([]);
      expect([...statuses].filter((status) => ![200, 409, 503].includes(status))).toEqual([]);
    } finally {
      for (const { child } of gateways) child.kill('SIGKILL');
      await Promise.all(gateways.map(({ exited }) => exited));
      await closeServices(services);
    }
  },
  240_000,
);

import { closeServices, createServices, ensureOwnSessions, migrate, withSetupLock } from '@firmdesk/domain';
import { openTemporaryServer } from '@firmdesk/postgres';
import { createMailbox, createToken, createUser, createWorkspace } from '@firmdesk/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isInstalled, openPgBouncer } from './pgbouncer.ts';
import { ops, startGateway, stop } from './started-gateway.ts';

const POOL_MAX = 12;

describe.skipIf(!isInstalled('pgbouncer', 'poolers'))(
  'behind PgBouncer, on a server in another time zone',
  () => {
    let server: Awaited<ReturnType<typeof openTemporaryServer>>;
    let token: string;
    let mailbox: number;
    beforeAll(async () => {
      server = await openTemporaryServer({ settings: { timezone: 'Europe/Berlin' } });
      const services = await createServices({ databaseUrl: server.url, poolSizes: { main: 2 } });
      await withSetupLock(server.url, () => migrate(services));
      const firm = await createWorkspace(services);
      const user = await createUser(services, { firm });
      ({ id: mailbox } = await createMailbox(services, { firm, writes: [user] }));
      ({ text: token } = await createToken(services, { user, workspace: firm.slug }));
      await closeServices(services);
    });
    afterAll(() => server?.release());

    test('works in session mode with a pool as large as DATABASE_POOL_MAX, and answers times in UTC', async () => {
      await using pooler = await openPgBouncer(server.url, 'session', POOL_MAX);
      const gateway = startGateway({
        DATABASE_URL: pooler.url,
        DATABASE_POOL_MAX: `${POOL_MAX}`,
        DEMO: '0',
        LOG_LEVEL: 'error',
      });
      try {
        const url = await gateway.listening;
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const before = Date.now();
        const calls = Array.from({ length: 40 }, async () => {
          const response = await fetch(`${url}/v1/me/mail/drafts`, {
            method: 'POST',
            headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
            body: JSON.stringify({ address_id: mailbox, to: [], subject: 'Payout', body: '' }),
          });
          expect(response.status).toBe(200);
          return (await response.json()) as { data: { message_at: string } };
        });
        const times = (await Promise.all(calls)).map(({ data }) => Date.parse(data.message_at));
        expect(Math.min(...times)).toBeGreaterThan(before - 5_000);
        expect(Math.max(...times)).toBeLessThan(Date.now() + 5_000);
        expect((await fetch(`${url}/readyz`)).status).toBe(200);
        // The workers hold leases, so that the queue works through the pooler.
        const services = await createServices({ databaseUrl: server.url, poolSizes: { main: 1 } });
        const { rows } = await services.pool.query('select count(pool_id)::integer as workers from workers');
        await closeServices(services);
        expect(rows).toEqual([{ workers: 2 }]);
        expect(gateway.stderr()).toBe('');
      } finally {
        expect(await stop(gateway)).toBe(0);
      }
    });

    test.each(['transaction', 'statement'] as const)('refuses to start in %s mode', async (mode) => {
      await using pooler = await openPgBouncer(server.url, mode, 20);
      const gateway = startGateway({ DATABASE_URL: pooler.url, DEMO: '0' });
      expect(await gateway.exited).toBe(1);
      expect(gateway.stderr()).toContain('pool_mode = session');
      const check = await ops({ DATABASE_URL: pooler.url }, ['check']);
      expect(check.code).toBe(1);
      expect(check.stdout).toContain('pool_mode = session');
    });

    test('notices shared sessions while other connections take and return them', async () => {
      await using pooler = await openPgBouncer(server.url, 'transaction', 20);
      const others = new pg.Pool({ connectionString: pooler.url, max: 4 });
      let isDone = false;
      const work = Array.from({ length: 4 }, async () => {
        while (!isDone) await others.query('select');
      });
      try {
        for (let attempt = 0; attempt < 20; attempt++)
          await expect(ensureOwnSessions(pooler.url)).rejects.toThrow('pool_mode = session');
      } finally {
        isDone = true;
        await Promise.all(work);
        await others.end();
      }
    });
  },
);

import { openTemporaryServer } from '@firmdesk/postgres';
import { administer } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ops, startGateway, stop, temporaryFolder } from './started-gateway.ts';

const PASSWORD = 'firmdesk-test';
/** A scheduled job runs every minute. */
const TIMEOUT_MS = 200_000;

let server: Awaited<ReturnType<typeof openTemporaryServer>>;
const urlOf = (username: string | null) => {
  const url = new URL(server.url);
  url.pathname = '/desk';
  return username === null ? url.href : Object.assign(url, { username, password: PASSWORD }).href;
};
beforeAll(async () => {
  server = await openTemporaryServer();
  await administer(server.url, 'create database desk');
});
afterAll(() => server?.release());

test('prints the statements without running them', async () => {
  const printed = await ops({ DATABASE_URL: urlOf(null) }, ['roles']);
  expect([printed.stderr, printed.code]).toEqual(['', 0]);
  expect(printed.stdout).toMatch(/^create role firmdesk_owner login;$/m);
  const { rows } = await administer(server.url, `select from pg_roles where rolname like 'firmdesk%'`);
  expect(rows).toEqual([]);
});

test(
  'runs calls and jobs under an account that cannot change the schema',
  async () => {
    await using folder = await temporaryFolder();
    const applied = await ops({ DATABASE_URL: urlOf(null) }, ['roles', '--apply', '--json']);
    expect(applied.code, applied.stderr).toBe(0);
    for (const role of ['firmdesk_owner', 'firmdesk'])
      await administer(server.url, `alter role ${role} password '${PASSWORD}'`);
    const early = await ops({ DATABASE_URL: urlOf('firmdesk') }, ['migrate']);
    expect(early.stderr).toMatch(
      /may not change the schema.*Run `pnpm ops migrate` with the DATABASE_URL of the owner/,
    );
    const migrated = await ops({ DATABASE_URL: urlOf('firmdesk_owner') }, ['migrate']);
    expect(migrated.code, migrated.stderr).toBe(0);
    await expect(administer(urlOf('firmdesk'), 'create table intruder ()')).rejects.toThrow(
      'permission denied',
    );
    await expect(administer(urlOf('firmdesk'), 'alter table users add intruder text')).rejects.toThrow(
      'must be owner',
    );

    const gateway = startGateway({
      DATABASE_URL: urlOf('firmdesk'),
      DEMO: '1',
      DATA_DIR: folder.path,
      LOG_LEVEL: 'error',
    });
    try {
      const url = await gateway.listening;
      const [token] = /fd_live_\w+/.exec(gateway.stdout())!;
      const headers = { authorization: `Bearer ${token}` };
      const document = (await (await fetch(`${url}/v1/openapi.json`)).json()) as { paths: object };
      const paths = Object.entries(document.paths)
        .filter(([path, operations]) => 'get' in operations && !path.includes('{'))
        .map(([path]) => path);
      expect(paths.length).toBeGreaterThan(3);
      for (const path of paths) expect((await fetch(url + path, { headers })).status, path).toBeLessThan(500);
      const { rows } = await administer(
        urlOf(null),
        'select distinct mailbox_id as id from mailbox_members order by 1',
      );
      const drafts = await Promise.all(
        rows.map(({ id }) =>
          fetch(`${url}/v1/me/mail/drafts`, {
            method: 'POST',
            headers: {
              ...headers,
              'content-type': 'application/json',
              'idempotency-key': crypto.randomUUID(),
            },
            body: JSON.stringify({ address_id: id, to: [], subject: 'Payout', body: '' }),
          }),
        ),
      );
      expect(drafts.map(({ status }) => status)).toContain(200);
      // The audit trail is added to and read, and expires; nothing else changes it.
      for (const statement of [
        `update audit_events set actor = 'nobody'`,
        'delete from audit_events',
        'truncate audit_events',
        ...['northgate', 'platform'].map(
          (slug) => `update workspaces set suspended_at = now(), deletion_started_at = now();
            select delete_audit_events(id, 10) from workspaces where slug = '${slug}'`,
        ),
      ])
        await expect(administer(urlOf('firmdesk'), statement), statement).rejects.toThrow(
          /permission denied|has not begun/,
        );
      await administer(
        urlOf('firmdesk'),
        `insert into audit_events (workspace_id, created_at, actor_kind, action, target_type, target_id)
         select id, now() - interval '89 days' * n, 'system', 'firm.added', 'firm', slug
         from workspaces, generate_series(1, 2) n where slug = 'northgate'`,
      );
      // Another account of the database, which makes backups or reads for reports.
      await administer(urlOf(null), `create role reporting login password '${PASSWORD}'`);
      await administer(urlOf(null), 'grant usage on schema public to reporting');
      await expect(
        administer(urlOf('reporting'), 'select expire_audit_events(1, now(), 10)'),
      ).rejects.toThrow('permission denied');
      const expired = await administer(
        urlOf('firmdesk'),
        `select expire_audit_events(id, now(), 10) as deleted from workspaces where slug = 'northgate'`,
      );
      expect(expired.rows).toEqual([{ deleted: 1 }]);
      // A job indexes the texts of the demo data.
      await expect
        .poll(
          async () =>
            (
              await administer(
                urlOf(null),
                'select exists (select from tickets where not search_pending) as indexed',
              )
            ).rows,
          { timeout: 120_000 },
        )
        .toEqual([{ indexed: true }]);
      expect(gateway.stderr()).toBe('');
    } finally {
      expect(await stop(gateway)).toBe(0);
    }
    for (const args of [
      ['suspend', 'harbor-point'],
      ['delete', 'harbor-point', '--yes'],
    ]) {
      const done = await ops({ DATABASE_URL: urlOf('firmdesk'), DATA_DIR: folder.path }, ['firm', ...args]);
      expect([done.stderr, done.code], args.join(' ')).toEqual([expect.any(String), 0]);
    }
    const check = await ops({ DATABASE_URL: urlOf('firmdesk') }, ['check', '--json']);
    expect([check.stdout, check.code]).toEqual([
      expect.stringContaining('calls and jobs may read and write'),
      0,
    ]);

    // Applied again after a migration, the statements change nothing that works.
    // They also end what everybody could run before.
    await administer(urlOf(null), 'grant execute on function expire_audit_events to public');
    expect((await ops({ DATABASE_URL: urlOf(null) }, ['roles', '--apply'])).code).toBe(0);
    const called = 'select expire_audit_events(1, now(), 10)';
    await expect(administer(urlOf('reporting'), called)).rejects.toThrow('permission denied');
    await administer(urlOf('firmdesk'), called);
  },
  TIMEOUT_MS,
);

test('finds that the account may not run jobs, before calls are accepted', async () => {
  await administer(urlOf(null), 'revoke delete on graphile_worker._private_jobs from firmdesk');
  const reason = /may not: delete graphile_worker\._private_jobs\. Run `pnpm ops roles --apply`/;
  const check = await ops({ DATABASE_URL: urlOf('firmdesk') }, ['check']);
  expect([check.code, check.stdout]).toEqual([1, expect.stringMatching(reason)]);
  const gateway = startGateway({ DATABASE_URL: urlOf('firmdesk'), DEMO: '0' });
  expect([await gateway.exited, gateway.stderr()]).toEqual([1, expect.stringMatching(reason)]);
});

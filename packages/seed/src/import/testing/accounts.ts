import { authenticate } from '@firmdesk/domain';
import { matchesHash } from '@firmdesk/domain/import';
import { expect, test } from 'vitest';
import type { RoundTrip } from './round-trip.ts';

/** Tests the accounts of an import: users, tokens and devices. */
export function testAccounts(trip: RoundTrip): void {
  const { rows, ago, now } = trip;
  test('imports users with their permissions', async () => {
    const found = await rows(`
    select id, email, name, language, timezone, is_staff, staff_of_all_firms, deleted_at, created_at,
      (select array_agg(w.slug) from staff_firms s join workspaces w on w.id = s.workspace_id where s.user_id = u.id) as staff_of
    from users u order by email`);
    const plain = {
      language: 'en',
      timezone: 'UTC',
      is_staff: false,
      staff_of_all_firms: false,
      deleted_at: null,
    };
    const { anna, ben, gone, iris, jon } = trip.imported.ids.users;
    expect(found).toEqual([
      {
        ...plain,
        id: anna,
        email: 'Anna@north.example',
        name: 'Anna Ek',
        language: 'sv',
        timezone: 'Europe/Stockholm',
        created_at: now(),
        staff_of: null,
      },
      { ...plain, id: ben, email: 'ben@example.net', name: 'Ben Ørn', created_at: now(), staff_of: null },
      {
        ...plain,
        id: gone,
        email: 'gone@example.net',
        name: 'Gone',
        deleted_at: now(),
        created_at: now(),
        staff_of: null,
      },
      {
        ...plain,
        id: iris,
        email: 'iris@firmdesk.example',
        name: 'Iris',
        is_staff: true,
        staff_of_all_firms: true,
        created_at: now(),
        staff_of: null,
      },
      {
        ...plain,
        id: jon,
        email: 'jon@firmdesk.example',
        name: 'Jon',
        is_staff: true,
        created_at: now(),
        staff_of: ['south'],
      },
    ]);
    expect(ben).toBe('usr_oldben');
    const memberships = await rows(`
    select w.slug, m.user_id, m.role, m.active, m.permissions from memberships m join workspaces w on w.id = m.workspace_id
    order by w.slug, m.role`);
    expect(memberships).toEqual([
      {
        slug: 'north',
        user_id: anna,
        role: 'admin',
        active: true,
        permissions: ['view_tickets', 'manage_tickets'],
      },
      { slug: 'north', user_id: ben, role: 'trader', active: true, permissions: [] },
      { slug: 'south', user_id: anna, role: 'admin', active: false, permissions: [] },
    ]);
  });

  test('stores the hash of a password, and null for an account without one', async () => {
    const found = await rows(`select name, password_hash from users order by email`);
    const [anna, ben] = found as { password_hash: string | null }[];
    expect(await matchesHash('a password of hers', anna!.password_hash)).toBe(true);
    expect(await matchesHash('another', anna!.password_hash)).toBe(false);
    expect(ben!.password_hash).toBeNull();
  });

  test('imports tokens; only the result contains their plaintext', async () => {
    const found = await rows(`
    select t.name, t.created_at, t.last_used_at, t.expires_at, t.revoked_at, w.slug
    from tokens t join workspaces w on w.id = t.workspace_id order by t.created_at, w.slug`);
    expect(found).toEqual([
      {
        name: 'CI',
        created_at: ago(30 * 24),
        last_used_at: ago(24),
        expires_at: ago(-60 * 24),
        revoked_at: null,
        slug: 'north.test',
      },
      {
        name: null,
        created_at: now(),
        last_used_at: null,
        expires_at: null,
        revoked_at: null,
        slug: 'north',
      },
      {
        name: null,
        created_at: now(),
        last_used_at: null,
        expires_at: null,
        revoked_at: ago(1),
        slug: 'platform',
      },
    ]);
    expect(Object.keys(trip.imported.tokens)).toEqual(['api', 'phone', 'lost']);
    const identity = await authenticate(
      trip.base.services,
      trip.imported.tokens['api']!,
      trip.base.clock.now(),
    );
    expect(identity).toMatchObject({
      kind: 'api_key',
      environment: 'test',
      scopes: ['mail:read', 'admin:read'],
      user: { id: trip.imported.ids.users['anna'] },
      home: { slug: 'north.test' },
    });
    await expect(
      authenticate(trip.base.services, trip.imported.tokens['lost']!, trip.base.clock.now()),
    ).rejects.toMatchObject({
      apiCode: 'revoked_token',
    });
  });

  test('imports devices', async () => {
    const found = await rows(`
    select d.app, d.environment, d.device_token, d.locale, d.timezone, d.app_version, d.os_version, d.created_at, d.last_seen_at
    from devices d join tokens t on t.id = d.token_id where t.kind = 'device'`);
    expect(found).toEqual([
      {
        app: 'mail',
        environment: 'production',
        device_token: 'ab'.repeat(32),
        locale: 'sv-SE',
        timezone: 'Europe/Stockholm',
        app_version: '4.1',
        os_version: '26.0',
        created_at: now(),
        last_seen_at: now(),
      },
    ]);
  });
}

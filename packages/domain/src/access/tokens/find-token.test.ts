import { createStaff, createToken, createUser, createWorkspace, openTestServices } from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { authenticate, authenticateForWorkspace } from './authenticate.ts';

test('looks up concurrent calls in one statement, and returns each its own token', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services, clock } = base;
  const firms = [await createWorkspace(services), await createWorkspace(services)] as const;
  const staff = await createStaff(services, [firms[0]]);
  const user = await createUser(services, { firm: firms[1] });
  const staffToken = await createToken(services, { user: staff, workspace: 'platform' });
  const token = await createToken(services, { user, workspace: firms[1].slug });
  const ended = await createToken(services, { user, workspace: firms[1].slug });
  await services.pool.query('update tokens set last_used_at = $1', [clock.now()]);
  await services.pool.query('update tokens set revoked_at = $2 where id = $1', [ended.id, clock.now()]);
  const now = clock.now();
  let statements = 0;
  services.pool.on('acquire', () => void statements++);

  const outcomes = await Promise.allSettled([
    authenticateForWorkspace(services, staffToken.text, firms[0].slug, now),
    authenticateForWorkspace(services, staffToken.text, firms[1].slug, now),
    authenticateForWorkspace(services, token.text, firms[0].slug, now),
    authenticateForWorkspace(services, staffToken.text, 'a\0b', now),
    authenticate(services, ended.text, now),
    authenticate(services, token.text, now),
    authenticate(services, 'fd_live_nonsense', now),
  ]);

  expect(statements).toBe(1);
  expect(outcomes).toMatchObject([
    {
      value: {
        identity: { tokenId: staffToken.id },
        membership: {
          namedFirm: firms[0],
          belongsToWorkspace: true,
          administersWorkspace: true,
          permissions: [],
        },
      },
    },
    { value: { identity: { tokenId: staffToken.id }, membership: { namedFirm: null } } },
    {
      value: {
        identity: { tokenId: token.id },
        membership: { namedFirm: null, belongsToWorkspace: true, administersWorkspace: true },
      },
    },
    { value: { identity: { tokenId: staffToken.id }, membership: { namedFirm: null } } },
    { reason: { apiCode: 'revoked_token' } },
    { value: { tokenId: token.id, home: firms[1] } },
    { reason: { apiCode: 'invalid_token' } },
  ]);
});

test('rejects a token that was revoked after the previous call', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services, clock } = base;
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const token = await createToken(services, { user, workspace: firm.slug });
  await authenticate(services, token.text, clock.now());
  await services.pool.query('update tokens set revoked_at = $2 where id = $1', [token.id, clock.now()]);
  await expect(authenticate(services, token.text, clock.now())).rejects.toMatchObject({
    apiCode: 'revoked_token',
  });
});

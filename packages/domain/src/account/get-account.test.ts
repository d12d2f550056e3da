import { Account, PLATFORM, permissions } from '@firmdesk/contract';
import { createStaff, createToken, createUser, createWorkspace, dismiss } from '@firmdesk/testing';
import { type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';

const gateway = await suiteGateway();
let firm: Firm;
beforeEach(async () => {
  firm = await createWorkspace(gateway.services);
});

async function tokenOf(user: Parameters<typeof createToken>[1]['user'], workspace = firm.slug) {
  return (await createToken(gateway.services, { user, workspace, scopes: ['mail:read'] })).text;
}
async function accountOf(token: string, workspace?: string) {
  const answer = await gateway.rpc('account.get', { token, ...(workspace !== undefined && { workspace }) });
  if (answer.code === null) expect(Account.strict().parse(answer.data)).toEqual(answer.data);
  return answer;
}
const nameOf = ({ slug, name }: { slug: string; name: string }) => ({ slug, name, logo_url: null });

test('returns an administrator’s account, permissions and firm', async () => {
  const admin = await createUser(gateway.services, { firm, permissions: ['view_tickets', 'view_risk'] });
  const token = await tokenOf(admin);
  const { data } = await accountOf(token);
  expect(data).toEqual({
    object: 'account',
    needs_reason: false,
    user: { id: admin.id, name: 'Robin Example', email: admin.email, timezone: 'UTC', language: 'en' },
    avatar_url: null,
    is_staff: false,
    workspace: { ...nameOf(firm), role: 'admin' },
    permissions: ['view_tickets', 'view_risk'],
    scopes: ['mail:read'],
    workspaces: [nameOf(firm)],
  });
  expect((await accountOf(token, firm.slug)).data).toEqual(data);
});

test('returns no permissions for a trader and for a dismissed administrator', async () => {
  const trader = await createUser(gateway.services, { firm, role: 'trader', permissions: ['view_tickets'] });
  const former = await createUser(gateway.services, { firm, permissions: [...permissions] });
  await dismiss(gateway.services, former);
  const seen = await Promise.all(
    [trader, former].map(async (user) => (await accountOf(await tokenOf(user))).data),
  );
  expect(seen.map(({ workspace, permissions }) => [workspace.role, permissions])).toEqual([
    ['trader', []],
    [null, []],
  ]);
});

test('returns no permissions for staff without a firm, all in a named firm, and their firms by name', async () => {
  const others = [await createWorkspace(gateway.services), await createWorkspace(gateway.services)];
  const token = await tokenOf(await createStaff(gateway.services, [others[0]!, firm]), PLATFORM);
  const theirs = [others[0]!, firm].sort((a, b) => (a.name < b.name ? -1 : 1)).map(nameOf);
  const { data: nowhere } = await accountOf(token);
  expect(nowhere).toMatchObject({
    is_staff: true,
    workspace: { slug: PLATFORM, role: 'staff' },
    permissions: [],
    workspaces: theirs,
  });
  const { data: there } = await accountOf(token, firm.slug);
  // The header is checked as in every call, which the log shows.
  await expect
    .poll(() => gateway.log.lines.findLast(({ message }) => message === 'request')?.fields)
    .toMatchObject({ route: '/trpc/account.get', workspace: firm.slug });
  expect(there).toEqual({
    ...nowhere,
    workspace: { ...nameOf(firm), role: 'staff' },
    permissions: [...permissions],
  });
  const everywhere = await tokenOf(await createStaff(gateway.services, 'all'), PLATFORM);
  const { data: all } = await accountOf(everywhere);
  expect(all.workspaces).toEqual(expect.arrayContaining([firm, ...others].map(nameOf)));
  expect(all.workspaces.map(({ slug }: { slug: string }) => slug)).not.toContain(PLATFORM);
});

test('rejects a firm in which the caller may not act with the same error as a nonexistent one', async () => {
  const foreign = await createWorkspace(gateway.services);
  const own = await tokenOf(await createUser(gateway.services, { firm }));
  const staff = await tokenOf(await createStaff(gateway.services, [firm]), PLATFORM);
  for (const token of [own, staff]) {
    for (const workspace of [foreign.slug, 'no-such-firm', `${firm.slug}, ${firm.slug}`]) {
      expect((await accountOf(token, workspace)).code).toBe('workspace_not_permitted');
    }
  }
  expect((await accountOf(staff, PLATFORM)).code).toBe('workspace_not_permitted');
});

test('returns no workspaces for an account that is no longer staff', async () => {
  const user = await createStaff(gateway.services, 'all');
  const token = await tokenOf(user, PLATFORM);
  await gateway.services.pool.query(
    'update users set is_staff = false, staff_of_all_firms = false where id = $1',
    [user.id],
  );
  expect((await accountOf(token)).data).toMatchObject({
    is_staff: false,
    workspace: { role: null },
    workspaces: [],
  });
  expect((await accountOf(token, firm.slug)).code).toBe('workspace_not_permitted');
});

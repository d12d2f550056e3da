import { PLATFORM, permissions } from '@firmdesk/contract';
import { createStaff, createToken, createWorkspace, unique } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;

const rpc = (name: string, body: object, token: string, workspace?: string) =>
  gateway.rpc(name, { token, body, ...(workspace && { workspace }) });
async function staffOf(firms: Parameters<typeof createStaff>[1] = 'all') {
  const user = await createStaff(services, firms);
  const { text } = await createToken(services, {
    user,
    workspace: PLATFORM,
    scopes: ['admin:read', 'admin:write'],
  });
  return { user, token: text };
}
const trail = async (slug: string) => {
  const { rows } = await services.pool.query(
    `select e.action, e.actor, e.after from audit_events e join workspaces w on w.id = e.workspace_id
     where w.slug = $1 and e.target_type = 'firm' order by e.id`,
    [slug],
  );
  return rows;
};

test('staff create, find, suspend and resume firms, each with the reason in the audit log of the firm', async () => {
  const { user, token } = await staffOf();
  const slug = unique('firm');
  const created = await rpc('staff.firms.create', { slug, name: 'Northgate 100%' }, token);
  expect(created.data).toMatchObject({ workspace: slug, state: 'served', members: 0 });
  expect((await rpc('staff.firms.create', { slug, name: 'Again' }, token)).code).toBe('validation_failed');
  const find = async (q: string) => (await rpc('staff.firms.list', { q }, token)).data.data;
  expect(await find(slug.toUpperCase())).toHaveLength(1);
  expect((await find('gate 100%')).map((firm: { workspace: string }) => firm.workspace)).toContain(slug);
  expect(await find(`${slug}%`)).toEqual([]);

  const change = (name: string) => rpc(`staff.firms.${name}`, { workspace: slug, reason: 'Unpaid' }, token);
  expect((await change('enter')).code).toBeNull();
  expect((await change('suspend')).data).toMatchObject({ state: 'suspended' });
  expect((await change('enter')).code).toBe('resource_not_found');
  expect(await find(slug)).toMatchObject([{ state: 'suspended' }]);
  expect((await change('resume')).data).toMatchObject({ state: 'served' });
  expect((await change('resume')).code).toBeNull();
  const actor = user.id;
  expect(await trail(slug)).toEqual([
    { action: 'firm.added', actor, after: null },
    { action: 'firm.entered_by_staff', actor, after: { reason: 'Unpaid' } },
    { action: 'firm.suspended', actor, after: { reason: 'Unpaid' } },
    { action: 'firm.resumed', actor, after: { reason: 'Unpaid' } },
  ]);
  // The staff invite the first member.
  const invited = await rpc(
    'firm.invites.create',
    { email: `${slug}@example.com`, permissions: [...permissions], by_mail: false },
    token,
    slug,
  );
  expect(invited.data).toMatchObject({ state: 'pending' });
});

test('pages of firms hold each firm once', async () => {
  const { token } = await staffOf();
  const name = unique('Paged');
  const slugs = [];
  for (let i = 0; i < 5; i++) {
    const slug = unique('paged');
    await rpc('staff.firms.create', { slug, name }, token);
    slugs.push(slug);
  }
  const found = [];
  for (let from: string | null | undefined; from !== null; ) {
    const page = await rpc(
      'staff.firms.list',
      { q: name, limit: 2, ...(from && { starting_after: from }) },
      token,
    );
    found.push(...page.data.data.map((firm: { workspace: string }) => firm.workspace));
    from = page.data.meta.next_cursor;
  }
  expect(found).toEqual(slugs.sort());
});

test('others than staff are refused, and staff of some firms see only those and change none', async () => {
  const [mine, other] = [await createWorkspace(services), await createWorkspace(services)];
  const { token } = await staffOf([mine]);
  const admin = await createUserWithToken(gateway, { firm: mine, permissions: [...permissions] });
  const listed = (await rpc('staff.firms.list', {}, token)).data.data;
  expect(listed.map((firm: { workspace: string }) => firm.workspace)).toEqual([mine.slug]);
  const reasoned = (workspace: string) => ({ workspace, reason: 'Because' });
  expect((await rpc('staff.firms.enter', reasoned(mine.slug), token)).code).toBeNull();
  expect((await rpc('staff.firms.enter', reasoned(other.slug), token)).code).toBe('resource_not_found');
  const calls: [string, object][] = [
    ['create', { slug: unique('firm'), name: 'New' }],
    ['suspend', reasoned(mine.slug)],
    ['resume', reasoned(mine.slug)],
  ];
  for (const [name, body] of calls)
    expect((await rpc(`staff.firms.${name}`, body, token)).code, name).toBe('forbidden');
  for (const [name, body] of [...calls, ['list', {}], ['enter', reasoned(mine.slug)]] as [string, object][])
    expect((await rpc(`staff.firms.${name}`, body, admin.token)).code, name).toBe('forbidden');
});

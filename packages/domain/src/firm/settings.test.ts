import { permissions } from '@firmdesk/contract';
import { createSandbox, createTeam, createUser } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';
import { auditRetention } from '../access/audit/audit.ts';

const DAY_MS = 86_400_000;
const gateway = await suiteGateway();
const { services } = gateway;

test('the set-up of a firm names the steps that are done, of this firm alone', async () => {
  const { firm, token } = await createUserWithToken(gateway, { permissions: [...permissions] });
  const other = await createUserWithToken(gateway, { permissions: [...permissions] });
  const call = async (name: string, body: object) => {
    const answer = await gateway.rpc(name, { token, body });
    expect(answer.code, answer.text).toBeNull();
  };
  const done = async (as = token) => (await gateway.rpc('firm.setup', { token: as })).data.done;
  expect(await done()).toEqual([]);
  await createUser(services, { firm, role: 'trader' });
  const domain = `${firm.slug}.example`;
  await call('firm.mailboxes.create', { email: `support@${domain}`, name: 'Support' });
  expect(await done()).toEqual([]);
  await createUser(services, { firm });
  await createTeam(services, { firm });
  await call('firm.mailboxes.create', {
    email: `desk@${domain}`,
    name: 'Desk',
    opens_tickets: 'anyone',
  });
  await call('macros.create', { name: 'Paid', texts: [{ language: 'en', text: 'Paid.' }] });
  await call('knowledge.create', { title: 'Payouts', text: 'On Monday.' });
  expect(await done()).toEqual(['members', 'teams', 'mailboxes', 'knowledge', 'macros']);
  expect(await done(other.token)).toEqual([]);
});

test('the general settings of a firm are changed one by one, with its sandbox, and are in the audit trail', async () => {
  const { firm, user, token } = await createUserWithToken(gateway, { permissions: [...permissions] });
  const sandbox = await createSandbox(services, firm);
  const set = async (body: object) => {
    const answer = await gateway.rpc('firm.settings.set', { token, body });
    expect(answer.code, answer.text).toBeNull();
    return answer.data;
  };
  const before = (await gateway.rpc('firm.settings.get', { token })).data;
  expect(before).toMatchObject({ language: 'en', timezone: 'UTC', push_content: 'full', audit_days: 730 });
  await set({ name: 'Northlight', push_content: 'none' });
  await set({ language: 'de', timezone: 'Europe/Berlin', audit_days: 90 });
  await set({ language: 'de' });
  expect((await gateway.rpc('firm.settings.get', { token })).data).toEqual({
    object: 'firm_settings',
    name: 'Northlight',
    logo_url: null,
    language: 'de',
    timezone: 'Europe/Berlin',
    push_content: 'none',
    audit_days: 90,
  });
  const { rows } = await services.pool.query('select name, push_content from workspaces where id = $1', [
    sandbox.id,
  ]);
  expect(rows).toEqual([{ name: 'Northlight', push_content: 'none' }]);
  for (const [field, body] of Object.entries({
    name: { name: '' },
    language: { language: 'German' },
    timezone: { timezone: 'Berlin' },
    audit_days: { audit_days: 89 },
  }))
    expect((await gateway.rpc('firm.settings.set', { token, body })).fields?.[0]?.path).toBe(field);
  const trail = await services.pool.query(
    `select actor, before, after from audit_events where workspace_id = $1 and action = 'firm.settings_changed' order by id`,
    [firm.id],
  );
  expect(trail.rows).toEqual([
    {
      actor: user.id,
      before: { name: before.name, push_content: 'full' },
      after: { name: 'Northlight', push_content: 'none' },
    },
    {
      actor: user.id,
      before: { language: 'en', timezone: 'UTC', audit_days: 730 },
      after: { language: 'de', timezone: 'Europe/Berlin', audit_days: 90 },
    },
  ]);
});

test('the audit log is kept as long as the firm has set it, shorter or longer than by default', async () => {
  const firms = [];
  for (const audit_days of [90, 3_650, null]) {
    const { firm, token } = await createUserWithToken(gateway, { permissions: [...permissions] });
    await createUser(services, { firm });
    if (audit_days !== null) await gateway.rpc('firm.settings.set', { token, body: { audit_days } });
    for (const days of [100, 1_000, 4_000])
      await services.pool.query(
        `insert into audit_events (workspace_id, created_at, actor_kind, action, target_type, target_id)
         values ($1, $2, 'system', 'test.aged', 'user', $3)`,
        [firm.id, new Date(gateway.clock.now().getTime() - days * DAY_MS).toISOString(), String(days)],
      );
    firms.push(firm);
  }
  await auditRetention.mark!(services);
  await auditRetention.prune(services, new Date(gateway.clock.now().getTime() - auditRetention.keptMs), 100);
  const left = [];
  for (const { id } of firms) {
    const { rows } = await services.pool.query(
      `select target_id from audit_events where workspace_id = $1 and action = 'test.aged' order by created_at desc`,
      [id],
    );
    left.push(rows.map((row) => row.target_id));
  }
  expect(left).toEqual([[], ['100', '1000'], ['100']]);
});

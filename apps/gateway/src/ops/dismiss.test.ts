import { PLATFORM } from '@firmdesk/contract';
import { createStaff, createToken, createUser, createWorkspace } from '@firmdesk/testing';
import { openSocket, registerPhone, suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';
import { suiteCommands } from './testing/suite-commands.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const { ops } = await suiteCommands(gateway);
const dismiss = (email: string, workspace: string) =>
  ops('user', 'dismiss', '--user', email, '--workspace', workspace, '--json');
const codeOf = async (token: string) =>
  (await gateway.request('GET /v1/ping', { token })).body.error?.code ?? null;

test('dismisses a member: revokes the tokens of that firm only, removes its devices and closes its sockets', async () => {
  const [firm, other] = [await createWorkspace(services), await createWorkspace(services)];
  const user = await createUser(services, { firm });
  await ops('user', 'add', '--email', user.email, '--workspace', other.slug);
  const key = await createToken(services, { user, workspace: firm.slug });
  const phone = await registerPhone(gateway, user, firm.slug, 'mail');
  const elsewhere = await createToken(services, { user, workspace: other.slug });
  const colleague = await createToken(services, {
    user: await createUser(services, { firm }),
    workspace: firm.slug,
  });
  const socket = await openSocket(gateway.url, { params: { token: key.text } });
  await socket.call('query', 'ping', {});

  const { code, stdout } = await dismiss(user.email.toUpperCase(), firm.slug);
  expect(code).toBe(0);
  const { revoked, ...rest } = JSON.parse(stdout);
  expect(rest).toEqual({ user: user.email.toUpperCase(), workspace: firm.slug });
  expect(revoked.sort()).toEqual([key.id, phone.session].sort());
  expect((await socket.closed)[0]).toBe(4401);
  for (const token of [key.text, phone.text]) expect(await codeOf(token)).toBe('revoked_token');
  for (const token of [elsewhere.text, colleague.text]) expect(await codeOf(token)).toBe(null);
  const devices = await services.pool.query('select from devices where token_id = $1', [phone.session]);
  expect(devices.rows).toEqual([]);
  const issue = await ops(
    ...['token', 'issue', '--user', user.email, '--workspace', firm.slug, '--scopes', 'mail:read'],
  );
  expect(issue.code).toBe(1);

  const again = await dismiss(user.email, firm.slug);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is not a member of')]);
  const back = await ops('user', 'add', '--email', user.email, '--workspace', firm.slug);
  expect(back.code, back.stderr).toBe(0);
  const { rows } = await services.pool.query(
    'select active from memberships where user_id = $1 and workspace_id = $2',
    [user.id, firm.id],
  );
  expect(rows).toEqual([{ active: true }]);
});

test('dismisses a staff account: revokes platform tokens and keeps those of firms', async () => {
  const firm = await createWorkspace(services);
  const staff = await createStaff(services, [firm]);
  await ops('user', 'add', '--email', staff.email, '--workspace', firm.slug);
  const platform = await createToken(services, { user: staff, workspace: PLATFORM });
  const own = await createToken(services, { user: staff, workspace: firm.slug });
  const { code, stdout } = await dismiss(staff.email, PLATFORM);
  expect([code, JSON.parse(stdout).revoked]).toEqual([0, [platform.id]]);
  expect([await codeOf(platform.text), await codeOf(own.text)]).toEqual(['revoked_token', null]);
  const { rows } = await services.pool.query(
    `select is_staff, staff_of_all_firms, (select count(*)::int from staff_firms where user_id = id) as firms
     from users where id = $1`,
    [staff.id],
  );
  expect(rows).toEqual([{ is_staff: false, staff_of_all_firms: false, firms: 0 }]);
});

test('rejects an unknown account, workspace or member, and lists its options with --help', async () => {
  const firm = await createWorkspace(services);
  const outsider = await createUser(services, { firm: await createWorkspace(services) });
  for (const [email, workspace] of [
    ['nobody@example.com', firm.slug],
    [outsider.email, 'no-such-firm'],
    [outsider.email, firm.slug],
    [outsider.email, PLATFORM],
  ] as const) {
    const { code, stdout } = await dismiss(email, workspace);
    expect([code, stdout], `${email} ${workspace}`).toEqual([1, '']);
  }
  const help = await ops('user', 'dismiss', '--help');
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('--workspace <slug>')]);
});

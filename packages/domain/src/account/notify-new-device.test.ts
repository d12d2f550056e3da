import { randomUUID } from 'node:crypto';
import { createWorkspace, runPushJobs, type TestUser } from '@firmdesk/testing';
import {
  createUserWithPassword,
  type Firm,
  PASSWORD,
  registerPhone,
  suitePushGateway,
} from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';

const gateway = await suitePushGateway();
let firm: Firm;
let user: TestUser;
beforeEach(async () => {
  ({ firm, user } = await createUserWithPassword(gateway));
});

async function signIn(name?: string, over: { workspace?: string; key?: string } = {}) {
  const answer = await gateway.request('POST /v1/sessions', {
    ...(over.key && { key: over.key }),
    body: { email: user.email, password: PASSWORD, name, workspace: over.workspace ?? firm.slug },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data as { id: string; token: string };
}
async function notifications(workspace = firm) {
  const { rows } = await gateway.services.pool.query(
    `select kind, title, body, action_url from notifications where user_id = $1 and workspace_id = $2
     order by created_at, body`,
    [user.id, workspace.id],
  );
  return rows;
}

test('notifies of a new device once, with its name, and not of the first session', async () => {
  await signIn('iPhone');
  expect(await notifications()).toEqual([]);
  await signIn('Mac');
  const expected = {
    kind: 'new_device_signed_in',
    title: 'New sign-in',
    body: `Mac signed in to ${firm.name}. If this was not you, sign the device out.`,
    action_url: '/account/sessions',
  };
  expect(await notifications()).toEqual([expected]);
  await signIn('Mac');
  await signIn('iPhone');
  expect(await notifications()).toEqual([expected]);
  await signIn();
  await signIn();
  expect((await notifications()).map(({ body }) => body.split(' signed in')[0])).toEqual(['A device', 'Mac']);
});

test('does not notify of a known device after a sign-out, or in another workspace of the account', async () => {
  const other = await createWorkspace(gateway.services);
  await gateway.services.pool.query(
    `insert into memberships (workspace_id, user_id, role, created_at) values ($1, $2, 'admin', now())`,
    [other.id, user.id],
  );
  const phone = await signIn('Phone');
  await signIn('Tablet');
  await gateway.request('DELETE /v1/me/session', { token: phone.token });
  await signIn('Phone');
  await signIn('Phone', { workspace: other.slug });
  expect(await notifications()).toHaveLength(1);
  expect(await notifications(other)).toEqual([]);
  await signIn('Watch', { workspace: other.slug });
  expect((await notifications(other)).map(({ body }) => body)).toEqual([expect.stringContaining('Watch')]);
});

test('notifies once for a repeated key, and not for a wrong password', async () => {
  await signIn('One');
  const key = randomUUID();
  await signIn('Two', { key });
  await signIn('Two', { key });
  const failed = await gateway.request('POST /v1/sessions', {
    body: { email: user.email, password: 'another password', name: 'Three', workspace: firm.slug },
  });
  expect(failed.status).toBe(401);
  expect(await notifications()).toHaveLength(1);
});

test('pushes to the account’s admin devices in its language, except the new one', async () => {
  await gateway.services.pool.query(`update users set language = 'de' where id = $1`, [user.id]);
  const phone = await registerPhone(gateway, user, firm.slug, 'admin');
  const fresh = await signIn('Neues Telefon');
  const deviceToken = 'cd'.repeat(32);
  await gateway.request('POST /v1/me/devices', {
    token: fresh.token,
    body: { app: 'admin', environment: 'production', token: deviceToken },
  });
  await runPushJobs(gateway.services);
  expect(gateway.apns.received.map(({ deviceToken }) => deviceToken)).toEqual([phone.deviceToken]);
  expect(gateway.apns.received[0]!.payload).toMatchObject({
    type: 'admin.notification',
    kind: 'new_device_signed_in',
    user_id: user.id,
    workspace: firm.slug,
    aps: {
      alert: {
        title: 'Neue Anmeldung',
        body: expect.stringMatching(/^Neues Telefon hat sich bei .* angemeldet\./),
      },
    },
  });
});

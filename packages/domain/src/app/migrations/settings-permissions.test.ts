import { type Permission, permissions } from '@firmdesk/contract';
import { createUser, createWorkspace } from '@firmdesk/testing';
import { openTestGateway } from '@firmdesk/testing/gateway';
import { expect, inject, test } from 'vitest';
import { migrate } from '../../platform/database/migrations/migrate.ts';

const NAME = '0028-settings-permissions';
const added: Permission[] = [
  'manage_members',
  'manage_settings',
  'manage_tokens',
  'view_audit',
  'view_reports',
];

test('who held every permission before the upgrade can run the firm after it, and nobody else', async () => {
  await using gateway = await openTestGateway(inject('postgresUrl'));
  const { services } = gateway;
  const firm = await createWorkspace(services);
  const before = permissions.filter((one) => !added.includes(one));
  const lead = await createUser(services, { firm, permissions: before });
  const agent = await createUser(services, { firm, permissions: before.slice(1) });
  await services.pool.query('delete from mikro_orm_migrations where name = $1', [NAME]);
  expect(await migrate(services)).toEqual([NAME]);
  const held = async (userId: string) => {
    const { rows } = await services.pool.query('select permissions from memberships where user_id = $1', [
      userId,
    ]);
    return rows[0].permissions;
  };
  expect(await held(lead.id)).toEqual([...before, ...added]);
  expect(await held(agent.id)).toEqual(before.slice(1));
});

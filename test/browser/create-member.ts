import { createUser } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { type ConsoleUnderTest, PASSWORD } from './browser.ts';

type Firm = ConsoleUnderTest['firm'];

/** Creates an agent who is a member of several firms, with the same permissions in each. */
export async function createMember(
  { services }: ConsoleUnderTest,
  [first, ...others]: readonly [Firm, ...Firm[]],
  name = 'Robin Example',
) {
  const user = await createUser(services, {
    firm: first,
    name,
    password: PASSWORD,
    permissions: ['view_tickets', 'manage_tickets', 'manage_assistant'],
  });
  for (const { id } of others) {
    await services.pool.query(
      `insert into memberships (workspace_id, user_id, role, permissions, created_at)
       select $1, user_id, role, permissions, now() from memberships where user_id = $2 and workspace_id = $3`,
      [id, user.id, first.id],
    );
  }
  return user;
}

/** Switches a window to another firm's tickets by the menu. */
export async function switchFirm(page: Page, { name, slug }: Firm): Promise<void> {
  await page.getByRole('button', { name: /switch firm/ }).click();
  await page.getByRole('menuitemcheckbox', { name }).click();
  await page.waitForURL(`**/firms/${slug}/tickets**`);
}

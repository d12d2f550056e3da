/** What can go wrong at a sign-in, and how to get in again. `new-firm.test.ts` signs in by passkey, by code and by single sign-on. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { addAuthenticator, codeOf, sendPassword, serveAtLocalhost } from './sign-in-steps.ts';

describeInBrowser('signing in', () => {
  let app: ConsoleUnderTest;
  let url: string;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
    url = serveAtLocalhost(app);
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const openSettings = async (page: Page) => {
    await page.goto(`${url}${app.pathOf('/account/sign-in')}`);
    await page.getByRole('heading', { name: 'Password and sign-in', level: 1 }).waitFor();
  };

  test('must be fresh for another way to sign in, and a recovery code stands for the authenticator app', async () => {
    const agent = await app.agent({ isSignedOut: true });
    const { page, email, password } = agent;
    const signIn = async () => {
      await page.goto(`${url}/sign-in`);
      await sendPassword(page, email, password);
    };
    const isSignedIn = () => page.waitForURL(`${url}/firms/**`);
    await addAuthenticator(page);
    await signIn();
    await isSignedIn();
    // As after some minutes.
    await app.services.pool.query(
      `update tokens set verified_at = verified_at - interval '10 minutes' where user_id = $1`,
      [agent.id],
    );
    await openSettings(page);
    await page.getByText('No passkeys yet').waitFor();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name').fill('My laptop');
    await page.getByRole('button', { name: 'Continue' }).click();
    const confirm = page.getByRole('dialog', { name: 'Confirm that it’s you' });
    await confirm.getByLabel('Password').fill('not this one');
    await confirm.getByRole('button', { name: 'Confirm' }).click();
    await confirm.getByText('This is not the password of this account.').waitFor();
    await expectAccessible(page);
    await confirm.getByLabel('Password').fill(password);
    await confirm.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Passkey added').waitFor();
    await page.getByText('My laptop').waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Set up' }).click();
    const setUp = page.getByRole('dialog', { name: 'Set up an authenticator app' });
    const secret = (await setUp.locator('code').textContent())!;
    await setUp.getByRole('img', { name: 'QR code of the key' }).waitFor();
    await expectAccessible(page);
    await setUp.getByRole('textbox', { name: 'Code' }).fill('000000');
    await setUp.getByRole('button', { name: 'Turn on' }).click();
    await setUp.getByRole('alert').waitFor();
    await setUp.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret));
    await setUp.getByRole('button', { name: 'Turn on' }).click();
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    const recovery = (await codes.first().textContent())!;
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('10 recovery codes left').waitFor();
    await page.context().clearCookies();
    await signIn();
    await page.getByLabel('Code').fill('not a code');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The code is wrong or was used before.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Code').fill(recovery);
    await page.getByRole('button', { name: 'Continue' }).click();
    await isSignedIn();
  });

  test('with a new password, by the link of a mail', async () => {
    const agent = await app.agent({ isSignedOut: true });
    const { page } = agent;
    await page.goto(`${url}/sign-in`);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Email').fill(agent.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('a mail with a link is on its way').waitFor();
    await expectAccessible(page);
    await page.goto('about:blank');
    await page.goto(`${url}/reset-password#not-a-link`);
    await page.getByLabel('New password').fill('a much better password');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('has expired or was used').waitFor();
    await expect
      .poll(
        async () =>
          (
            await app.services.pool.query(
              `select r.state from outgoing_messages o join outgoing_recipients r on r.workspace_id = o.workspace_id and r.message_id = o.id
               where o.user_id = $1 and o.kind = 'password_reset'`,
              [agent.id],
            )
          ).rows.length,
        { timeout: 30_000 },
      )
      .toBe(1);
  });

  test('refuses an answer of a provider for which this window has not asked, such as a link of somebody else', async () => {
    const { page } = await app.agent({ isSignedOut: true });
    await page.goto(`${url}/sign-in/provider?state=x&code=y`);
    await page.getByText('This window has not begun this sign-in').waitFor();
    await expectAccessible(page);
  });
});

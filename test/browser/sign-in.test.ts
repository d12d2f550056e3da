import { createHmac } from 'node:crypto';
import { startOpenIdProvider } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type Agent, type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';

/** Returns what an authenticator app shows for a secret in base32. */
function codeOf(secret: string, steps = 0): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits
    .join('')
    .match(/.{8}/g)!
    .map((byte) => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
  const number = (mac.readUInt32BE(mac.at(-1)! & 15) & 0x7f_ff_ff_ff) % 1_000_000;
  return String(number).padStart(6, '0');
}

describeInBrowser('signing in', () => {
  let app: ConsoleUnderTest;
  /** The address of the console at which browsers accept passkeys: they do not for an IP address. */
  let url: string;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
    url = app.url.replace('127.0.0.1', 'localhost');
    app.services.publicUrl = () => url;
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  async function signIn(page: Page, { email, password }: Pick<Agent, 'email' | 'password'>) {
    await page.goto(`${url}/sign-in`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }
  const isSignedIn = (page: Page) => page.waitForURL(`${url}/firms/**`);
  const signOut = (page: Page) => page.context().clearCookies();
  const openSettings = async (page: Page) => {
    await page.goto(`${url}${app.pathOf('/account/sign-in')}`);
    await page.getByRole('heading', { name: 'Password and sign-in', level: 1 }).waitFor();
  };
  /** Makes the sessions of the account as old as they are after some minutes. */
  const letTimePass = ({ id }: Agent) =>
    app.services.pool.query(
      `update tokens set verified_at = verified_at - interval '10 minutes' where user_id = $1`,
      [id],
    );

  test('with a passkey, which the account added after it has confirmed who it is', async () => {
    const agent = await app.agent({ isSignedOut: true });
    const { page, context } = agent;
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await signIn(page, agent);
    await isSignedIn(page);
    await letTimePass(agent);
    await openSettings(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name').fill('My laptop');
    await page.getByRole('button', { name: 'Continue' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' });
    await dialog.getByLabel('Password').fill('not this one');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('This is not the password of this account.').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Password').fill(agent.password);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Passkey added').waitFor();
    await page.getByText('My laptop').waitFor();
    await expectAccessible(page);
    await signOut(page);
    await page.goto(`${url}/sign-in`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await isSignedIn(page);
    await page.goto(`${url}${app.pathOf('/account/sessions')}`);
    await page.getByText('Signed in with a passkey:').waitFor();
  });

  test('with the code of an authenticator app, or a recovery code', async () => {
    const agent = await app.agent({ isSignedOut: true });
    const { page } = agent;
    await signIn(page, agent);
    await isSignedIn(page);
    await openSettings(page);
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
    const secret = (await dialog.locator('code').textContent())!;
    await dialog.getByRole('img', { name: 'QR code of the key' }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('textbox', { name: 'Code' }).fill('000000');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret, -1));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    const recovery = await codes.first().textContent();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('10 recovery codes left').waitFor();
    for (const code of [() => codeOf(secret, 1), () => recovery!]) {
      await signOut(page);
      await signIn(page, agent);
      await page.getByLabel('Code').fill('not a code');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('alert').waitFor();
      await expectAccessible(page);
      await page.getByLabel('Code').fill(code());
      await page.getByRole('button', { name: 'Continue' }).click();
      await isSignedIn(page);
    }
    await page.goto(`${url}${app.pathOf('/account/sessions')}`);
    await page.getByText('Signed in with the password and a code:').first().waitFor();
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

  test('with the single sign-on of the firm, which an administrator sets up', async () => {
    const admin = await app.agent({ isSignedOut: true });
    const { page } = admin;
    await using provider = await startOpenIdProvider(`${url}/sign-in/provider`);
    app.services.singleSignOn = { allowsPrivateProviders: true, dnsServers: [] };
    provider.person = { sub: 'ada', email: admin.email, email_verified: true };
    await signIn(page, admin);
    await isSignedIn(page);
    await page.goto(`${url}${app.pathOf('/settings/sign-in')}`);
    await page.getByLabel('Issuer').fill(provider.issuer);
    await page.getByLabel('Client id').fill(provider.clientId);
    await page.getByLabel('Client secret').fill(provider.clientSecret);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Provider saved').waitFor();
    await page.getByLabel('Domain', { exact: true }).fill('Example.com');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('_firmdesk.example.com').waitFor();
    await expectAccessible(page);
    // As if the DNS had the record.
    await app.services.pool.query('update sign_in_domains set verified_at = now()');

    await signOut(page);
    await page.goto(`${url}/sign-in`);
    await page.getByLabel('Email').fill(admin.email);
    await page.getByRole('button', { name: 'Use single sign-on' }).click();
    await isSignedIn(page);
    await page.goto(`${url}${app.pathOf('/account/sessions')}`);
    await page.getByText('Signed in with single sign-on:').waitFor();
    // An answer that this window has not asked for, such as a link of somebody else.
    await signOut(page);
    await page.goto(`${url}/sign-in/provider?state=x&code=y`);
    await page.getByText('This window has not begun this sign-in').waitFor();
    await expectAccessible(page);
  });
});

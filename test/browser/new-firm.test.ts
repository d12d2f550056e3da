/** A firm is built from nothing in the console: by the staff who create it, and by the members who are invited. */
import { createStaff, startOpenIdProvider, unique } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole, PASSWORD } from './browser.ts';
import { selectValue } from './select-value.ts';
import { addAuthenticator, codeOf, sendPassword, serveAtLocalhost } from './sign-in-steps.ts';

/** A picture of 40 by 20 pixels. */
const LOGO = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#1b6e53' } })
  .png()
  .toBuffer();

describeInBrowser('a new firm', () => {
  let app: ConsoleUnderTest;
  let url: string;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
    url = serveAtLocalhost(app);
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  const submit = (page: Page, dialog: string, button: string) =>
    page.getByRole('dialog', { name: dialog }).getByRole('button', { name: button, exact: true }).click();
  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

  /** Invites a person with the rights of a preset, and returns the link. */
  async function invite(page: Page, email: string, preset: string): Promise<string> {
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await field(page, 'Email').fill(email);
    await page.getByRole('checkbox', { name: 'Send the link by mail' }).uncheck();
    await page.getByRole('button', { name: preset, exact: true }).click();
    await submit(page, 'Invite to the team', 'Create link');
    await page.getByText(`Link for ${email} copied`).first().waitFor();
    await page.getByRole('row').filter({ hasText: email }).getByText('Pending').waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  }

  /** Opens an invite in a browser of its own, and returns the page in the firm. */
  async function accept(link: string, name: string): Promise<Page> {
    const { page } = await app.agent({ isSignedOut: true, viewport: { width: 1440, height: 900 } });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(link);
    await field(page, 'Name').fill(name);
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('must have at least 10 characters').waitFor();
    // What was typed is kept.
    expect(await field(page, 'Name').inputValue()).toBe(name);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.waitForURL('**/firms/**');
    return page;
  }

  test('is created by the staff, and then runs itself without an operator, all of it in the audit log', async () => {
    const staff = await createStaff(app.services, 'all', PASSWORD);
    const slug = unique('newfirm');
    const { page: office } = await app.agent({ isSignedOut: true, viewport: { width: 1440, height: 900 } });
    await office.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await office.goto(`${url}/sign-in?back=/staff`);
    await sendPassword(office, staff.email, PASSWORD);
    await heading(office, 'Firms');
    await office.getByRole('button', { name: 'New firm' }).click();
    await field(office, 'Name').fill('Northlight');
    await field(office, 'Slug').fill('Not a slug');
    await submit(office, 'New firm', 'Create');
    await office.getByText('The slug must be').waitFor();
    await field(office, 'Slug').fill(slug);
    await submit(office, 'New firm', 'Create');
    await office.getByRole('searchbox', { name: 'Search firms' }).fill(slug);
    await expectAccessibleInBothThemes(office, 'staff-1440');
    await office.getByRole('button', { name: 'Actions of Northlight' }).click();
    await office.getByRole('menuitem', { name: 'Open…' }).click();
    await field(office, 'Reason').fill('Onboarding 17');
    await submit(office, 'Open Northlight', 'Open');
    await office.getByRole('region', { name: 'Staff' }).getByText('Northlight').waitFor();
    await office.goto(`${url}/firms/${slug}/settings/members`);
    const leadLink = await invite(office, `lead@${slug}.example`, 'Administrator');

    const lead = await accept(leadLink, 'Lea Lead');
    const go = (to: string) => lead.goto(`${url}/firms/${slug}/settings/${to}`);
    const setup = lead.getByRole('region', { name: 'Set up the firm' });
    await setup.getByText('0 of 6 done').waitFor();
    await expectAccessibleInBothThemes(lead, 'setup-1440');
    // On a phone, in the list.
    await lead.setViewportSize({ width: 390, height: 844 });
    await setup.getByText('0 of 6 done').waitFor();
    await setup.getByRole('link', { name: /Write the answers/ }).waitFor();
    await expectAccessibleInBothThemes(lead, 'setup-390');
    await lead.setViewportSize({ width: 1440, height: 900 });
    await setup.getByRole('link', { name: /Invite your colleagues/ }).click();
    await heading(lead, 'Members');
    await lead.getByRole('row').filter({ hasText: 'Lea Lead' }).getByText('Administrator').waitFor();
    const agentLink = await invite(lead, `agent@${slug}.example`, 'Agent');
    await expectAccessibleInBothThemes(lead, 'invites-1440');
    const alex = await accept(agentLink, 'Alex Agent');
    // Shown without a reload.
    await lead
      .getByRole('row')
      .filter({ hasText: 'Alex Agent' })
      .getByText('Agent', { exact: true })
      .waitFor();
    await lead.getByRole('row').filter({ hasText: 'agent@' }).getByText('Accepted').waitFor();

    await go('teams');
    for (const team of ['Payouts', 'Fraud']) {
      await lead.getByRole('button', { name: 'New team' }).click();
      await field(lead, 'Name').fill(team);
      await lead.getByRole('checkbox', { name: 'Alex Agent' }).check();
      await submit(lead, 'New team', 'Create');
      await lead.getByRole('rowheader', { name: team }).waitFor();
    }
    await expectAccessibleInBothThemes(lead, 'teams-1440');
    await lead.getByRole('searchbox', { name: 'Filter: Teams, by name' }).fill('fra');
    expect(await lead.getByRole('rowheader').allTextContents()).toEqual(['Fraud']);

    await go('tags');
    for (const tag of ['KYC', 'Refund']) {
      await lead.getByRole('button', { name: 'New tag' }).click();
      await field(lead, 'Name').fill(tag);
      await submit(lead, 'New tag', 'Create');
      await lead.getByRole('rowheader', { name: tag }).waitFor();
    }
    await lead.getByRole('button', { name: 'Actions of Refund' }).click();
    await lead.getByRole('menuitem', { name: 'Merge…' }).click();
    await selectValue(lead.getByRole('combobox', { name: 'Into' }), 'KYC');
    await submit(lead, 'Merge Refund', 'Merge');
    await lead.getByRole('rowheader', { name: 'Refund' }).waitFor({ state: 'detached' });

    await go('shared-mailboxes');
    await lead.getByRole('button', { name: 'New mailbox' }).click();
    await field(lead, 'Address').fill(`support@${slug}.example`);
    await field(lead, 'Name').fill('Support');
    await selectValue(lead.getByRole('combobox', { name: 'Rights of Alex Agent' }), 'Reads and writes');
    await submit(lead, 'New mailbox', 'Create');
    await lead
      .getByRole('row')
      .filter({ hasText: `support@${slug}.example` })
      .getByText('Alex Agent')
      .waitFor();
    await expectAccessibleInBothThemes(lead, 'shared-mailboxes-1440');

    await go('keys');
    await lead.getByRole('button', { name: 'New key' }).click();
    await field(lead, 'Name').fill('Reports');
    await lead.getByRole('checkbox', { name: 'admin:read' }).check();
    await submit(lead, 'New API key', 'Create');
    await lead
      .getByRole('dialog', { name: 'Copy the key now' })
      .getByRole('button', { name: 'Done' })
      .click();

    await go('sla');
    await lead.getByRole('textbox', { name: /First response, Urgent/i }).fill('30m');
    await lead.getByRole('button', { name: 'Save' }).click();
    await lead.getByText('SLA saved').first().waitFor();

    await go('macros');
    await lead.getByRole('button', { name: 'New macro' }).click();
    await field(lead, 'Name').fill('Paid');
    await lead.getByRole('textbox', { name: /Text in/ }).fill('Your payout has left us.');
    await submit(lead, 'New macro', 'Save');
    await lead.getByRole('rowheader', { name: /Paid/ }).waitFor();

    await go('assistant');
    await lead.getByRole('button', { name: 'New article' }).click();
    await field(lead, 'Title').fill('Payouts');
    await field(lead, 'Text').fill('They leave us on Mondays.');
    await submit(lead, 'New article', 'Save');
    await lead.getByRole('rowheader', { name: 'Payouts' }).waitFor();

    await go('general');
    await lead.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: LOGO });
    await lead.getByText('Logo saved').waitFor();
    // What the contract refuses is not sent.
    let sent = 0;
    lead.on('request', (request) => {
      if (request.url().includes('firm.settings.set')) sent++;
    });
    await field(lead, 'Language').fill('German');
    await lead.getByRole('button', { name: 'Save' }).click();
    await lead.getByText('The language must be a language tag, such as "en" or "pt-BR".').waitFor();
    expect(sent).toBe(0);
    expect(await field(lead, 'Language').inputValue()).toBe('German');
    await field(lead, 'Language').fill('de');
    await lead.getByRole('button', { name: 'Save' }).click();
    await lead.getByText('Settings saved').waitFor();
    const logo = lead
      .getByRole('banner')
      .getByRole('button', { name: /switch firm/ })
      .locator('img');
    await expect.poll(() => logo.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(40);
    await expectAccessibleInBothThemes(lead, 'general-1440');

    await lead.goto(`${url}/firms/${slug}/tickets`);
    await setup.getByText('5 of 6 done').waitFor();
    await setup.getByRole('link', { name: /^Done Make teams/ }).waitFor();
    await setup.getByRole('link', { name: /^To do Let traders write by mail/ }).waitFor();

    const email = `lead@${slug}.example`;
    const signOut = async () => {
      await lead.goto('about:blank');
      await lead.context().clearCookies();
    };
    const isSignedInBy = async (method: string) => {
      await lead.waitForURL(`${url}/firms/**`);
      await lead.goto(`${url}/firms/${slug}/account/sessions`);
      await lead.getByText(`Signed in with ${method}:`).first().waitFor();
    };
    const openSignIn = () => lead.goto(`${url}/sign-in?back=${encodeURIComponent(`/firms/${slug}`)}`);
    await addAuthenticator(lead);
    // As if she had just signed in: a slow machine takes longer than the five minutes after which she is asked again.
    await app.services.pool.query('update tokens set verified_at = now()');
    await lead.goto(`${url}/firms/${slug}/account/sign-in`);
    await lead.getByRole('button', { name: 'Add a passkey' }).click();
    await field(lead, 'Name').fill('My laptop');
    await lead.getByRole('button', { name: 'Continue' }).click();
    await lead.getByText('Passkey added').waitFor();
    await lead.getByRole('button', { name: 'Set up' }).click();
    const setUp = lead.getByRole('dialog', { name: 'Set up an authenticator app' });
    const secret = (await setUp.locator('code').textContent())!;
    await setUp.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret));
    await setUp.getByRole('button', { name: 'Turn on' }).click();
    await lead.getByRole('button', { name: 'Done' }).click();
    await using provider = await startOpenIdProvider(`${url}/sign-in/provider`);
    app.services.singleSignOn = { allowsPrivateProviders: true, dnsServers: [] };
    provider.person = { sub: 'lea', email, email_verified: true };
    await go('sign-in');
    await lead.getByLabel('Issuer').fill(provider.issuer);
    await lead.getByLabel('Client id').fill(provider.clientId);
    await lead.getByLabel('Client secret').fill(provider.clientSecret);
    await lead.getByRole('button', { name: 'Save' }).click();
    await lead.getByText('Provider saved').waitFor();
    await lead.getByLabel('Domain', { exact: true }).fill(`${slug}.example`);
    await lead.getByRole('button', { name: 'Add', exact: true }).click();
    await lead.getByText(`_firmdesk.${slug}.example`).waitFor();
    await expectAccessibleInBothThemes(lead, 'single-sign-on-1440');
    // As if the DNS had the record.
    await app.services.pool.query('update sign_in_domains set verified_at = now()');

    await signOut();
    await openSignIn();
    await lead.locator('main img').waitFor();
    await expectAccessibleInBothThemes(lead, 'sign-in-1440');
    await lead.getByRole('button', { name: 'Use a passkey' }).click();
    await isSignedInBy('a passkey');
    await signOut();
    await openSignIn();
    await sendPassword(lead, email, PASSWORD);
    await lead.getByLabel('Code').fill(codeOf(secret, 1));
    await lead.getByRole('button', { name: 'Continue' }).click();
    await isSignedInBy('the password and a code');
    await signOut();
    await openSignIn();
    await lead.getByRole('button', { name: 'Use single sign-on' }).click();
    await isSignedInBy('single sign-on');

    const socket = alex.waitForEvent('websocket');
    await alex.reload();
    const closed = (await socket).waitForEvent('close', { timeout: 60_000 });
    await go('members');
    await lead.getByRole('button', { name: 'Actions of Alex Agent' }).click();
    await lead.getByRole('menuitem', { name: 'Dismiss…' }).click();
    await submit(lead, 'Dismiss Alex Agent?', 'Dismiss');
    await lead.getByRole('row').filter({ hasText: 'Alex Agent' }).getByText('Dismissed').waitFor();
    await closed;
    await alex.waitForURL('**/sign-in**');

    await go('audit');
    const entries = lead.getByRole('list', { name: 'Entries, newest first' });
    const showOldest = async () => {
      await entries.locator('> li').last().scrollIntoViewIfNeeded();
      return entries.getByText('Firm: added').count();
    };
    await expect.poll(showOldest, { timeout: 60_000 }).toBe(1);
    for (const entry of [
      'Firm: entered by staff',
      'Firm: read by staff',
      'Invite: created',
      'Invite: accepted',
      'User: added',
      'Team: created',
      'Tag: created',
      'Tag: merged',
      'Mailbox: created',
      'Token: issued',
      'Firm: service targets changed',
      'Macro: created',
      'Article: created',
      'Firm: settings changed',
      'User: provider linked',
      'User: signed in',
      'User: dismissed',
    ])
      await entries.getByText(entry).first().waitFor();
    await entries.getByText('Sam Staff').first().waitFor();
  }, 400_000);
});

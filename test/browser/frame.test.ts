import { createStaff, createWorkspace } from '@firmdesk/domain/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';

describeInBrowser('the frame', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('asks for sign-in and returns to the requested page', async () => {
    const { page, email, password } = await app.agent({ isSignedOut: true });
    await page.goto('/notifications');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('not the password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Incorrect email or password.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/firms/${app.firm.slug}/notifications`);
  });

  test('signs out every window of the browser', async () => {
    const { page, context } = await app.agent();
    await page.goto('/tickets');
    const other = await context.newPage();
    await other.goto('/notifications');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Firmdesk' }).waitFor();
    await other.getByRole('heading', { name: 'Firmdesk' }).waitFor();
  });

  test('lets staff choose and switch the firm', async () => {
    const other = await createWorkspace(app.services);
    await app.ticket({ subject: 'Of the first firm' });
    const password = 'correct horse battery';
    const { email } = await createStaff(app.services, [app.firm, other], password);
    const { page } = await app.agent({ isSignedOut: true });
    await page.goto('/tickets');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Choose a firm' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: app.firm.name }).click();
    await page.getByText('Of the first firm').first().waitFor();
    await page.getByRole('button', { name: /switch firm/ }).click();
    await page.getByRole('menuitemcheckbox', { name: other.name }).click();
    await page.getByText('No tickets yet').waitFor();
    expect(await page.getByText('Of the first firm').count()).toBe(0);
  });

  test('reaches every page by keyboard and lists the shortcuts', async () => {
    const { page } = await app.agent();
    await page.goto('/tickets');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.waitForURL('**/calendar');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Command menu').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Type a command').fill('Notifications');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/notifications');
  });

  test('turns single-key shortcuts off', async () => {
    const { page } = await app.agent();
    await page.goto('/tickets');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Type a command').waitFor();
    expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(0);
  });
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible, expectContrast } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole, openTicket, QUESTION } from './browser.ts';

const HOUR_MS = 3_600_000;

describeInBrowser('the SLA', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('are set in the settings, and shown in lists and tickets until they are met', async () => {
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
    const messages = [{ body: QUESTION }];
    const late = await app.ticket({ subject: 'Late payout', createdAt: hoursAgo(5), messages });
    const timely = await app.ticket({ subject: 'Timely payout', createdAt: hoursAgo(0.1), messages });
    await app.ticket({ subject: 'Card payout', status: 'awaiting_trader' });
    const [ada, ben] = await Promise.all([
      app.agent({ name: 'Ada Able' }),
      app.agent({ name: 'Ben Best', viewport: { width: 1440, height: 900 } }),
    ]);
    const list = ben.page.getByRole('listbox');
    await ben.page.goto('/tickets?status=open');
    const row = (subject: RegExp) => list.getByRole('option', { name: subject });
    await row(/Timely payout/).waitFor();
    expect(await list.getByText(/due in|overdue by/).count()).toBe(0);

    const { page } = ada;
    await page.goto('/tickets');
    await page.getByRole('listbox').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('sla');
    await page.getByRole('option', { name: 'SLA Settings' }).waitFor();
    await page.keyboard.press('Enter');
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    const timeOf = (name: string) => page.getByRole('spinbutton', { name, exact: true });
    await field('First response, Normal').fill('soon');
    await field('Resolution, Normal').fill('8h');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a time such as 30m, 4h or 1h 30m.', { exact: true }).waitFor();
    await page.getByRole('switch', { name: 'Business hours' }).click();
    await expectAccessible(page);
    await field('First response, Normal').fill('2h');
    await page.getByRole('button', { name: 'Add hours on Saturday' }).click();
    await page.getByRole('button', { name: 'Add hours on Sunday' }).click();
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
      for (const time of ['opens', 'closes']) await timeOf(`${day}: ${time}`).fill('00:00');
    await page.getByRole('button', { name: 'Add hours on Monday' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter both times.').waitFor();
    await page.getByRole('button', { name: 'Remove hours of Monday (2)' }).click();
    await page.getByRole('button', { name: 'Add a holiday' }).click();
    await page.getByLabel('Holiday 1', { exact: true }).fill('25 Dec 2031');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('SLA saved').waitFor();
    await page.reload();
    await expect.poll(() => field('First response, Normal').inputValue()).toBe('2h');
    expect(await timeOf('Sunday: closes').inputValue()).toBe('00:00');
    expect(await page.getByLabel('Holiday 1', { exact: true }).inputValue()).toBe('25 Dec 2031');

    // What a colleague saves appears, but not in a field that is typed in.
    await page.locator('[data-connection=open]').waitFor();
    await field('First response, Low').fill('1d?');
    const saved = await app.services.pool.query('select sla_policy from workspaces where id = $1', [
      app.firm.id,
    ]);
    const { sla_policy: stored } = saved.rows[0];
    expect(stored.hours).toMatchObject({
      week: { monday: [{ from: '00:00', to: '24:00' }], sunday: [{ from: '00:00', to: '24:00' }] },
      holidays: ['2031-12-25'],
    });
    const low = { first_response_minutes: 180, resolution_minutes: 900 };
    await app.call(ben, 'tickets.serviceTargets.set', { ...stored, targets: { ...stored.targets, low } });
    await expect.poll(() => field('Resolution, Low').inputValue()).toBe('15h');
    expect(await field('First response, Low').inputValue()).toBe('1d?');

    // It also stays when a refresh fails.
    await page.route('**/trpc/tickets.serviceTargets.get**', (route) =>
      route.fulfill({ status: 400, body: '{}' }),
    );
    const refreshed = page.waitForResponse(/serviceTargets\.get/);
    await app.call(ben, 'tickets.serviceTargets.set', stored);
    await (await refreshed).finished();
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    expect(await field('First response, Low').inputValue()).toBe('1d?');
    await page.unroute('**/trpc/tickets.serviceTargets.get**');
    await app.call(ben, 'tickets.serviceTargets.set', { ...stored, targets: { ...stored.targets, low } });
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('input:focus[aria-invalid=true]').waitFor();

    // The colleague's window learns the due times.
    await row(/Late payout/)
      .getByText('overdue by 3 h')
      .waitFor();
    await row(/Timely payout.*First response due in 1 h/).waitFor();
    expect(
      await row(/Card payout/)
        .getByText(/due in|overdue by/)
        .count(),
    ).toBe(0);
    await expectAccessible(ben.page);
    await ben.page.emulateMedia({ colorScheme: 'dark' });
    await expectContrast(ben.page);

    await ben.page.getByRole('button', { name: /^Sort: / }).click();
    await ben.page.getByRole('menuitemcheckbox', { name: 'Due first' }).click();
    await ben.page.waitForURL(/sort=next_due_at/);
    const first = list.getByRole('option').first();
    await first.getByText('Late payout').waitFor();
    await ben.page.getByRole('button', { name: 'Filters' }).click();
    await ben.page.keyboard.type('overdue');
    await ben.page.keyboard.press('Enter');
    await ben.page.waitForURL(/due=breached/);
    await row(/Timely payout/).waitFor({ state: 'detached' });
    await row(/Late payout/).waitFor();

    // A reply meets the target; the clock stands still while the trader is waited for.
    await openTicket(ben.page, timely);
    const headerOn = (each: Page) =>
      each.getByRole('region', { name: 'Ticket', exact: true }).locator('header');
    const header = headerOn(ben.page);
    await header.getByText('First response due in 1 h').waitFor();
    await openTicket(page, late);
    await page.setViewportSize({ width: 390, height: 844 });
    await headerOn(page).getByText('First response overdue by 3 h').waitFor();
    await expectAccessible(page);
    await ben.page.getByRole('textbox', { name: /^Reply to/ }).fill('It is on its way.');
    await ben.page.keyboard.press('Control+Enter');
    await header.getByText('First response due in 1 h').waitFor({ state: 'detached' });
    const dueTimes = 'select status, first_response_due_at, resolution_due_at from tickets where id = $1';
    await expect
      .poll(async () => (await app.services.pool.query(dueTimes, [timely])).rows)
      .toEqual([{ status: 'awaiting_trader', first_response_due_at: null, resolution_due_at: null }]);
  });

  test('that were saved without a network do not overwrite those of a colleague', async () => {
    const [ada, ben] = await Promise.all([app.agent(), app.agent()]);
    const { page } = ada;
    const none = { first_response_minutes: null, resolution_minutes: null };
    const targets = { urgent: none, high: none, normal: none, low: none };
    const settings = { targets, warn_minutes: 15, hours: null };
    const stored = async () => {
      const { rows } = await app.services.pool.query('select sla_policy from workspaces where id = $1', [
        app.firm.id,
      ]);
      return rows[0].sla_policy;
    };
    await app.call(ben, 'tickets.serviceTargets.set', settings);
    await page.goto('/settings/sla');
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    const save = page.getByRole('button', { name: 'Save' });
    await expect.poll(() => field('Notify before a target is missed').inputValue()).toBe('15m');
    await ada.context.setOffline(true);
    await field('First response, Low').fill('2h');
    await save.click();
    // The second one is based on the first one.
    await page.getByText('1 change isn’t saved yet.').waitFor();
    await field('Resolution, Low').fill('9h');
    await save.click();
    await page.getByText('2 changes aren’t saved yet.').waitFor();
    await app.call(ben, 'tickets.serviceTargets.set', { ...settings, warn_minutes: 30 });
    await ada.context.setOffline(false);
    await page.getByText('Couldn’t change the SLA').first().waitFor();
    await page.getByText('Your last changes were not saved.').waitFor();
    await page.getByText(/saved yet/).waitFor({ state: 'hidden' });
    expect(await stored()).toEqual({ ...settings, warn_minutes: 30 });
    await page.reload();
    await page.getByText('Your last changes were not saved.').waitFor();
    await expectAccessible(page);
    await expect.poll(() => field('Notify before a target is missed').inputValue()).toBe('30m');
    expect(await field('First response, Low').inputValue()).toBe('2h');
    expect(await field('Resolution, Low').inputValue()).toBe('9h');
    await save.click();
    await page.getByText('Your last changes were not saved.').waitFor({ state: 'detached' });
    const low = { first_response_minutes: 120, resolution_minutes: 540 };
    expect(await stored()).toEqual({ targets: { ...targets, low }, warn_minutes: 30, hours: null });

    // Without a conflict, both of a series are saved.
    await ada.context.setOffline(true);
    await field('First response, Low').fill('3h');
    await save.click();
    await page.getByText('1 change isn’t saved yet.').waitFor();
    await field('Resolution, Low').fill('');
    await save.click();
    await ada.context.setOffline(false);
    await expect
      .poll(async () => (await stored()).targets.low)
      .toEqual({ first_response_minutes: 180, resolution_minutes: null });
  });
});

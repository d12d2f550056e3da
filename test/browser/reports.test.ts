import { createUnsubscribeLink, rebuildReports } from '@firmdesk/domain';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { selectValue } from './select-value.ts';

const DAY_MS = 86_400_000;

describeInBrowser('reports', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('show figures, charts and tables, which open their tickets', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
    for (const days of [1, 2, 2, 45])
      await app.ticket({
        subject: `Asked ${days} days ago`,
        createdAt: daysAgo(days),
        messages: [{ body: 'Where?' }],
      });
    await rebuildReports(app.services, {});
    const { page } = await app.agent({ viewport: { width: 1440, height: 900 } });
    await page.goto('/tickets');
    await page.getByRole('link', { name: 'Reports' }).click();
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
    const created = page.locator('dl > div', { hasText: 'Created' });
    await created.getByText('3', { exact: true }).waitFor();
    expect(await created.textContent()).toContain('1 before, +200%');
    expect(await page.locator('.recharts-surface').count()).toBeGreaterThan(4);

    const byDay = page.getByRole('region', { name: 'Tickets by day' });
    await byDay.getByText('As a table').click();
    const day = daysAgo(2).toISOString().slice(0, 10);
    await byDay
      .getByRole('row', { name: new RegExp(day) })
      .getByRole('cell', { name: '2' })
      .waitFor();
    await expectAccessibleInBothThemes(page, 'reports');

    const byWeekday = page.getByRole('region', { name: 'Created by weekday' });
    await byWeekday.getByText('As a table').click();
    const weekday = daysAgo(2).toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' });
    await byWeekday
      .getByRole('row', { name: new RegExp(weekday) })
      .getByRole('link', { name: '2' })
      .click();
    await page.getByText(`Created on ${weekday.toLowerCase()}`).waitFor();
    await page
      .getByRole('option', { name: /Asked 2 days ago/ })
      .nth(1)
      .waitFor();
    expect(await page.getByRole('listbox', { name: 'Tickets' }).getByRole('option').count()).toBe(2);
    await page.goBack();

    await selectValue(page.getByLabel('Period'), 'Last 90 days');
    await created.getByText('4', { exact: true }).waitFor();
    expect(page.url()).toMatch(/from=\d{4}-/);
    await page.reload();
    await created.getByRole('link', { name: '4' }).click();
    await page.getByRole('option', { name: /Asked 45 days ago/ }).waitFor();
    expect(await page.getByRole('listbox', { name: 'Tickets' }).getByRole('option').count()).toBe(4);
    await page.getByText(/^Created .*20\d\d$/).waitFor();
  });

  test('are mailed each week to who asks for it in the settings, which the link of the mail undoes', async () => {
    const { page, id } = await app.agent();
    await page.goto('/account/notifications#weekly-report');
    const wants = page.getByRole('switch', { name: 'Mail me the report of each week' });
    await wants.click();
    await expect.poll(() => wants.getAttribute('aria-checked')).toBe('true');
    await page.reload();
    await expect.poll(() => wants.getAttribute('aria-checked')).toBe('true');
    await wants.scrollIntoViewIfNeeded();
    await expectAccessibleInBothThemes(page, 'weekly-report');
    const link = await createUnsubscribeLink(app.services, { workspaceId: app.firm.id, userId: id });
    await page.goto(new URL(link, page.url()).href);
    await page.getByText(`Stop the weekly mail with the reports of ${app.firm.name}?`).waitFor();
    await page.getByRole('button', { name: 'Stop it' }).click();
    await page.getByRole('heading', { name: 'The weekly mail is stopped.' }).waitFor();
    await page.goto('/account/notifications#weekly-report');
    await expect.poll(() => wants.getAttribute('aria-checked')).toBe('false');
  });
});

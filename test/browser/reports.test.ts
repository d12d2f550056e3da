import { rebuildReports } from '@firmdesk/domain';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';

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

    await page.getByLabel('Period').selectOption('Last 90 days');
    await created.getByText('4', { exact: true }).waitFor();
    expect(page.url()).toMatch(/from=\d{4}-/);
    await page.reload();
    const download = page.waitForEvent('download');
    await created.getByText('4', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^report-.*\.csv$/);

    await created.getByRole('link', { name: '4' }).click();
    await page.getByRole('option', { name: /Asked 45 days ago/ }).waitFor();
    expect(await page.getByRole('listbox', { name: 'Tickets' }).getByRole('option').count()).toBe(4);
    await page.getByText(/^Created .*20\d\d$/).waitFor();
  });
});

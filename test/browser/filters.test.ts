import { type CreateTicketInput, createTag, createTeam, createUser } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';

describeInBrowser('the filter menu', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  async function openCase(tickets: Partial<CreateTicketInput>[]) {
    const trader = await createUser(app.services, { firm: app.firm, role: 'trader', name: 'Casey Trader' });
    for (const [i, over] of tickets.entries())
      await app.ticket({ trader, createdAt: new Date(Date.now() - (9 - i) * 60_000), ...over });
    return `/tickets?q=${trader.id}&sort=created_at`;
  }
  /** Also behind the menu. */
  const subjects = (page: Page) =>
    page
      .locator('#ticket-list [role=option]')
      .evaluateAll((rows) => rows.map((row) => /Case \w+/.exec(row.textContent)?.[0]));
  const chip = (page: Page, label: string) => page.getByRole('button', { name: `Change filter: ${label}` });

  test('filters by several values and without some, by keyboard alone, and keeps that in the URL', async () => {
    const vip = await createTag(app.services, { firm: app.firm, name: 'vip' });
    const fee = await createTag(app.services, { firm: app.firm, name: 'fee' });
    const path = await openCase([
      { subject: 'Case urgent', priority: 'urgent', tags: [vip] },
      { subject: 'Case high', priority: 'high', tags: [vip, fee] },
      { subject: 'Case low', priority: 'low' },
    ]);
    const { page } = await app.agent();
    await page.goto(path);
    await expect.poll(() => subjects(page)).toEqual(['Case urgent', 'Case high', 'Case low']);
    await page.keyboard.type('Fprio');
    await page.keyboard.press('Enter');
    const menu = page.getByRole('dialog', { name: 'Filter by priority' });
    await menu.waitFor();
    await page.keyboard.type('urg');
    await page.keyboard.press('Enter');
    await expect.poll(() => subjects(page)).toEqual(['Case urgent']);
    await page.keyboard.type('low');
    await page.keyboard.press('Enter');
    await expect.poll(() => subjects(page)).toEqual(['Case urgent', 'Case low']);
    await menu.getByRole('option', { name: 'Urgent (chosen)' }).waitFor();
    await expectAccessible(page);
    // Without them.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect.poll(() => subjects(page)).toEqual(['Case high']);
    expect(new URL(page.url()).searchParams.get('priority')).toBe('-urgent,low');
    // Backspace goes back to the fields.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Backspace');
    await page.getByRole('dialog', { name: 'Filter tickets' }).waitFor();
    await page.keyboard.press('Escape');
    await page.reload();
    await expect.poll(() => subjects(page)).toEqual(['Case high']);
    await page.getByRole('button', { name: 'Remove filter: Priority is not Urgent or Low' }).click();
    await expect.poll(() => subjects(page)).toEqual(['Case urgent', 'Case high', 'Case low']);
    // A value is found without its field, and its chip changes it.
    await page.keyboard.type('Fvip');
    await page.keyboard.press('Enter');
    await expect.poll(() => subjects(page)).toEqual(['Case urgent', 'Case high']);
    await chip(page, 'Tag is vip').click();
    await page.getByRole('dialog', { name: 'Filter by tag' }).getByRole('option', { name: 'vip' }).click();
    await page.getByRole('option', { name: 'fee' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => subjects(page)).toEqual(['Case high']);
    await chip(page, 'Tag is fee').waitFor();
    // A change of somebody else is told from the filters, too: the list says that there is more.
    await page.keyboard.type('/');
    await page.keyboard.type('-tag:fee ');
    await expect.poll(() => subjects(page)).toEqual(['Case urgent', 'Case low']);
    await chip(page, 'Tag is not fee').waitFor();
  });

  test('a saved view keeps its name while its filters change, and is updated', async () => {
    await createTeam(app.services, { firm: app.firm, name: 'Payments' });
    const path = await openCase([
      { subject: 'Case urgent', priority: 'urgent' },
      { subject: 'Case low', priority: 'low' },
    ]);
    const { page } = await app.agent({ viewport: { width: 1024, height: 768 } });
    await page.goto(path);
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.keyboard.type('Casey');
    await page.keyboard.press('Enter');
    const title = page.getByRole('heading', { name: 'Casey', level: 1 });
    await title.waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('ticket-list');
    await page.keyboard.type('Flow');
    await page.keyboard.press('Enter');
    await expect.poll(() => subjects(page)).toEqual(['Case low']);
    await page.getByText('Edited', { exact: true }).waitFor();
    await title.waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Update view' }).click();
    await page.getByText('Edited', { exact: true }).waitFor({ state: 'detached' });
    await page.goto('/tickets');
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: /^Casey/ })
      .click();
    await expect.poll(() => subjects(page)).toEqual(['Case low']);
    await title.waitFor();
  });

  test('offers days, due times and the trader', async () => {
    const path = await openCase([
      { subject: 'Case old', lastMessageAt: new Date('2026-03-01T12:00:00Z') },
      { subject: 'Case new' },
    ]);
    const { page } = await app.agent({ viewport: { width: 390, height: 844 } });
    await page.goto(path);
    await expect.poll(() => subjects(page)).toEqual(['Case old', 'Case new']);
    for (const [field, text, label] of [
      ['active before', '2026-04-01', 'Active before 2026-04-01'],
      ['due', 'no due', 'Has no due time'],
      ['trader', 'casey', 'Trader: casey'],
    ] as const) {
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.keyboard.type(field);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: /^Filter by/ }).waitFor();
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await chip(page, label).waitFor();
    }
    await expect.poll(() => subjects(page)).toEqual(['Case old']);
    // Without the tooltip of the button.
    await page.keyboard.press('Escape');
    await expectAccessible(page);
  });

  test('leaves out values of a link that no filter has', async () => {
    await openCase([{ subject: 'Case linked' }]);
    const { page } = await app.agent();
    for (const unknown of [
      'priority=mega',
      'status=lost',
      'assignee=robin',
      'tag=vip',
      'before=2026-99-99',
      'created=yesterday',
      'hour=24',
      'sla=x',
      'snoozed=x',
      'sort=x',
    ]) {
      await page.goto(`/tickets?${unknown}&from=Casey`);
      await expect.poll(() => subjects(page), { message: unknown }).toContain('Case linked');
      expect(await page.getByRole('list', { name: 'Filters' }).getByRole('listitem').count()).toBe(1);
    }
  });
});

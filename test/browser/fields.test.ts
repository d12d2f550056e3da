import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessibleInBothThemes, phone } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';

describeInBrowser('fields of forms', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('a select opens on its value and is chosen by keyboard, in a dialog too', async () => {
    const { page } = await app.agent();
    await page.goto('/pre-registrations');
    const status = page.getByRole('combobox', { name: 'Status' });
    await status.focus();
    // Letters open it, and are no shortcuts of the page.
    await page.keyboard.type('c');
    const active = () =>
      status.evaluate((field) => {
        const id = field.getAttribute('aria-activedescendant');
        return id && document.getElementById(id)?.textContent;
      });
    await expect.poll(active).toBe('Claimed');
    await page.keyboard.press('Enter');
    await expect.poll(() => status.textContent()).toBe('Claimed');
    await page.keyboard.press('Enter');
    await expect.poll(active).toBe('Claimed');
    await expectAccessibleInBothThemes(page, 'select', '[role=listbox]');
    await page.keyboard.type('exp');
    await expect.poll(active).toBe('Expired');
    await page.keyboard.press('Home');
    await expect.poll(active).toBe('All');
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await expect.poll(() => status.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await status.textContent()).toBe('Claimed');

    await page.goto('/settings/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel('Name');
    await name.fill('Phone app');
    await dialog.getByLabel('Expires after').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('End');
    await page.keyboard.press('Tab');
    await expect.poll(() => dialog.getByLabel('Expires after').textContent()).toBe('Never');
    await dialog.getByLabel('Expires after').click();
    await page.getByRole('listbox').waitFor();
    // Escape closes the list, not the dialog.
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Phone app');
  });

  test('a day is typed in the person’s own way or chosen from a month by keyboard', async () => {
    const { page } = await app.agent();
    await page.goto('/pre-registrations');
    await page.getByRole('button', { name: 'New pre-registration' }).click();
    const dialog = page.getByRole('dialog', { name: 'New pre-registration' });
    const day = dialog.getByLabel('Expires on');
    await day.fill('12/24/2031');
    await page.keyboard.press('Tab');
    expect(await day.inputValue()).toBe('24 Dec 2031');

    await page.keyboard.press('Enter');
    const focused = page.locator('[data-day]:focus');
    const at = () => focused.getAttribute('data-day');
    await expect.poll(at).toBe('2031-12-24');
    await expectAccessibleInBothThemes(page, 'month', '[role=dialog]');
    for (const [key, next] of [
      ['ArrowRight', '2031-12-25'],
      ['ArrowDown', '2032-01-01'],
      ['Home', '2031-12-29'],
      ['End', '2032-01-04'],
      ['PageDown', '2032-02-04'],
      ['Shift+PageUp', '2031-02-04'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(at).toBe(next);
    }
    await page.keyboard.press('Escape');
    await expect.poll(() => focused.count()).toBe(0);
    expect(await day.inputValue()).toBe('24 Dec 2031');
    await page.keyboard.press('Enter');
    await expect.poll(at).toBe('2031-12-24');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => day.inputValue()).toBe('17 Dec 2031');

    // What cannot be read stays as it was typed, and the form is not sent.
    await day.fill('next wek');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Enter a date, such as').waitFor();
    expect(await day.inputValue()).toBe('next wek');
    await expect.poll(() => day.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  test('a time has its day, its zone and its limit', async () => {
    const ticket = await app.ticket();
    const { page } = await app.agent({ viewport: phone });
    await page.goto(`/tickets/${ticket}`);
    await page.getByRole('button', { name: 'Status: Needs reply' }).waitFor();
    await page.keyboard.press('h');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Time zone:').waitFor();
    const time = dialog.getByLabel('Date: time');
    await time.fill('9.10 pm');
    await time.press('Tab');
    expect(await time.inputValue()).toBe('21:10');
    await time.press('ArrowUp');
    await expect.poll(() => time.inputValue()).toBe('21:15');
    await dialog.getByLabel('Date', { exact: true }).fill('1 Jan 2020');
    await time.focus();
    await dialog.getByText(/^Choose .* or later\.$/).waitFor();
    await dialog.getByRole('button', { name: 'Choose a day' }).click();
    await page.locator('[data-day]:focus').waitFor();
    await expectAccessibleInBothThemes(page, 'month-phone', '[role=dialog]');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Snooze', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('a table is one stop of Tab, and arrow keys go through its cells', async () => {
    await Promise.all([app.agent({ name: 'Ann Able' }), app.agent({ name: 'Bob Best' })]);
    const { page } = await app.agent({ name: 'Cy Cole' });
    await page.goto('/settings/members');
    const table = page.getByRole('grid').first();
    await table.getByRole('rowheader', { name: /Bob Best/ }).waitFor();
    const stops = () => table.evaluate((grid) => grid.querySelectorAll('[tabindex="0"]').length);
    expect(await stops()).toBe(1);
    await page
      .getByRole('searchbox', { name: /Filter/ })
      .first()
      .focus();
    await page.keyboard.press('Tab');
    const inside = () =>
      table.evaluate((grid) => {
        const cell = grid.contains(document.activeElement) && document.activeElement!.closest('td, th');
        return cell ? [cell.closest('tr')!.rowIndex, (cell as HTMLTableCellElement).cellIndex] : null;
      });
    const last = await table.evaluate((grid) => (grid as HTMLTableElement).rows[0]!.cells.length - 1);
    expect(await inside()).toEqual([1, last]);
    await page.keyboard.press('ArrowDown');
    expect(await inside()).toEqual([2, last]);
    expect(await page.getByRole('menu').count()).toBe(0);
    await page.keyboard.press('Home');
    expect(await inside()).toEqual([2, 0]);
    await page.keyboard.press('Control+Home');
    expect(await inside()).toEqual([0, 0]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    expect(await inside()).toEqual([1, last]);
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    expect(await stops()).toBe(1);
  });
});

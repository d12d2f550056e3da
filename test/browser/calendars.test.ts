import { createCalendar, createEvents, createUser } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessibleInBothThemes, phone } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { selectValue } from './select-value.ts';

describeInBrowser('calendars', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('are created, coloured, shared, hidden and deleted, and colleagues see it at once', async () => {
    const [ada, ben] = await Promise.all([
      app.agent({ name: 'Ada Able', viewport: { width: 1440, height: 900 } }),
      app.agent({ name: 'Ben Best', viewport: { width: 1024, height: 768 } }),
    ]);
    const { page } = ada;
    await createCalendar(app.services, { firm: app.firm, owner: ada });
    await ben.page.goto('/calendar?day=2026-11-24');
    const list = ben.page.getByRole('region', { name: 'Calendars' });
    await list.getByText('No calendars yet.').waitFor();

    await page.goto('/calendar?day=2026-11-24');
    await page.getByRole('button', { name: 'New calendar' }).click();
    const created = page.getByRole('dialog', { name: 'New calendar' });
    await created.getByLabel('Name').fill('Shifts');
    await created.getByText('pink').click();
    await expectAccessibleInBothThemes(page, 'calendar-new-1440', '[role=dialog]');
    await created.getByRole('button', { name: 'Create' }).click();
    await created.waitFor({ state: 'hidden' });
    const { rows } = await app.services.pool.query<{ id: number; color: string }>(
      `select id, color from calendars where name = 'Shifts'`,
    );
    expect(rows[0]!.color).toBe('pink');
    await createEvents(app.services, [
      {
        calendar_id: rows[0]!.id,
        title: 'Early shift',
        starts_at: '2026-11-24T08:00:00Z',
        ends_at: '2026-11-24T09:00:00Z',
      },
    ]);

    // By keyboard: the menu of the calendar, a colleague by a part of the name, what the colleague may do.
    await page.getByRole('button', { name: 'Actions for Shifts' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Share…' }).press('Enter');
    const share = page.getByRole('dialog', { name: 'Share Shifts' });
    const add = share.getByRole('combobox', { name: 'Add a colleague' });
    await add.fill('best');
    await share.getByRole('option', { name: /Ben Best/ }).waitFor();
    await add.press('Enter');
    const may = share.getByRole('combobox', { name: 'What Ben Best may do' });
    await may.waitFor();
    await expectAccessibleInBothThemes(page, 'calendar-share-1440', '[role=dialog]');
    await list.getByRole('checkbox', { name: 'Shifts' }).waitFor();
    await ben.page.getByRole('button', { name: /^Early shift/ }).waitFor();
    await selectValue(may, 'See busy times');
    await ben.page.getByRole('button', { name: /^Busy/ }).waitFor();
    await selectValue(may, 'Change events');
    await ben.page.getByRole('button', { name: /^Early shift/ }).waitFor();
    await share.getByRole('button', { name: 'Done' }).click();

    await list.getByRole('checkbox', { name: 'Shifts' }).uncheck();
    await ben.page.getByRole('button', { name: /^Early shift/ }).waitFor({ state: 'hidden' });
    await list.getByRole('checkbox', { name: 'Shifts' }).check();
    await expectAccessibleInBothThemes(ben.page, 'calendar-1024');

    // What is done in one window is seen in the other.
    await ben.page.keyboard.press('n');
    const event = ben.page.getByRole('dialog', { name: 'New event' });
    await event.getByLabel('Title').fill('Late shift');
    await event.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: /^Late shift/ }).waitFor();

    await page.goto('/settings/calendars');
    const row = page.getByRole('row').filter({ hasText: 'Shifts' });
    await row.getByRole('button', { name: 'Actions of Shifts' }).click();
    await page.getByRole('menuitem', { name: 'Name and colour…' }).click();
    const change = page.getByRole('dialog', { name: 'Change Shifts' });
    await change.getByLabel('Name').fill('Desk shifts');
    await change.getByRole('switch', { name: 'Colleagues see when you are busy' }).click();
    await change.getByRole('button', { name: 'Save' }).click();
    await list.getByRole('checkbox', { name: 'Desk shifts' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'Desk shifts' }).waitFor();
    // Ends the tooltip of the button that has the focus again.
    await page.getByRole('heading', { name: 'Calendars', level: 1 }).click();
    await expectAccessibleInBothThemes(page, 'settings-calendars-1440');
    await page.setViewportSize(phone);
    await expectAccessibleInBothThemes(page, 'settings-calendars-390');

    await page.getByRole('button', { name: 'Actions of Desk shifts' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    const remove = page.getByRole('dialog', { name: 'Delete Desk shifts?' });
    await remove.getByText('2 events are in it. This can’t be undone.').waitFor();
    await remove.getByText('1 colleague can’t see it any more.').waitFor();
    await expectAccessibleInBothThemes(page, 'calendar-delete-390', '[role=dialog]');
    await selectValue(remove.getByLabel('Its events'), 'Move to Diary');
    await remove.getByRole('button', { name: 'Move events and delete' }).click();
    await remove.waitFor({ state: 'hidden' });
    await list.getByText('No calendars yet.').waitFor();
    await page.goto('/calendar?day=2026-11-24');
    await page.getByRole('button', { name: /^Early shift/ }).waitFor();
    const audit = await app.services.pool.query(
      `select action from audit_events where target_type = 'calendar' and target_id = $1 order by id`,
      [String(rows[0]!.id)],
    );
    expect(audit.rows.map(({ action }) => action)).toEqual([
      'calendar.created',
      'calendar.shared',
      'calendar.shared',
      'calendar.shared',
      'calendar.changed',
      'calendar.deleted',
    ]);
  });

  test('that a colleague shares can be removed from the own list', async () => {
    const ada = await app.agent({ viewport: phone });
    const colleague = await createUser(app.services, { firm: app.firm });
    await createCalendar(app.services, {
      firm: app.firm,
      owner: colleague,
      shares: [{ user: ada, level: 'read' }],
    });
    const { page } = ada;
    await page.goto('/settings/calendars');
    await page.getByRole('button', { name: 'Actions of Diary' }).click();
    await page.getByRole('menuitem', { name: 'Remove from my calendars' }).click();
    await page.getByText('No calendars yet').waitFor();
  });
});

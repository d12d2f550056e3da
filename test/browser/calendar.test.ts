import { createCalendar, createEvents, createUser } from '@firmdesk/domain/testing';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';

const REMINDERS = 'select minutes_before, channel from event_reminders where user_id = $1';

describeInBrowser('the calendar', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const boxOf = async (chip: Locator) => (await chip.boundingBox())!;

  test('shows overlapping events side by side, and only busy times of a busy calendar', async () => {
    const agent = await app.agent();
    const colleague = await createUser(app.services, { firm: app.firm });
    const own = await createCalendar(app.services, { firm: app.firm, owner: agent });
    const theirs = await createCalendar(app.services, {
      firm: app.firm,
      owner: colleague,
      shares: [{ user: agent, level: 'busy' }],
    });
    await createEvents(app.services, [
      {
        calendar_id: own,
        title: 'Stand-up',
        starts_at: '2026-11-24T09:00:00Z',
        ends_at: '2026-11-24T10:00:00Z',
      },
      {
        calendar_id: own,
        title: 'Review',
        starts_at: '2026-11-24T09:30:00Z',
        ends_at: '2026-11-24T10:30:00Z',
      },
      {
        calendar_id: theirs,
        title: 'Secret talks',
        starts_at: '2026-11-25T09:00:00Z',
        ends_at: '2026-11-25T10:00:00Z',
      },
      { calendar_id: own, title: 'Trip', starts_at: '2026-11-26', ends_at: '2026-11-28', all_day: true },
    ]);
    const { page } = agent;
    await page.goto('/calendar?day=2026-11-24');
    const day = page.getByRole('list', { name: 'Tuesday 24 November' });
    const standUp = await boxOf(day.getByRole('button', { name: /^Stand-up/ }));
    const review = await boxOf(day.getByRole('button', { name: /^Review/ }));
    expect(review.x).toBeGreaterThanOrEqual(standUp.x + standUp.width);
    expect(review.y).toBeGreaterThan(standUp.y);
    expect(review.y).toBeLessThan(standUp.y + standUp.height);

    await page
      .getByRole('list', { name: 'Wednesday 25 November' })
      .getByRole('button', { name: /^Busy/ })
      .click();
    await page.getByRole('dialog', { name: 'Busy' }).waitFor();
    await expectAccessible(page);
    expect(await page.getByText('Secret talks').count()).toBe(0);
    await page.keyboard.press('Escape');

    const trip = await boxOf(
      page.getByRole('list', { name: 'All day' }).getByRole('button', { name: /^Trip/ }),
    );
    expect(trip.width).toBeGreaterThan(standUp.width * 3);
    await page.keyboard.press('m');
    await page.getByRole('heading', { name: 'November 2026' }).waitFor();
    await page.getByRole('button', { name: /^Trip/ }).waitFor();
    await expectAccessible(page);
  });

  test('creates, edits and deletes an event, and the chosen occurrences of a series', async () => {
    const agent = await app.agent();
    await createCalendar(app.services, { firm: app.firm, owner: agent });
    const { page } = agent;
    await page.goto('/calendar?day=2026-11-23');
    await page.getByRole('button', { name: 'New event' }).click();
    const dialog = page.getByRole('dialog', { name: 'New event' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/^The title must have between 1 and 1000 characters/).waitFor();
    await dialog.getByLabel('Title').fill('Morning round');
    await dialog.getByLabel('Repeats').selectOption('Custom…');
    // The rule of "Every week" on the way to another one: the field stays.
    await dialog.getByLabel('Recurrence rule').fill('FREQ=WEEKLY');
    await dialog.getByLabel('Recurrence rule').fill('FREQ=WEEKLY;INTERVAL=3');
    await dialog.getByLabel('Repeats').selectOption('Every weekday');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const rounds = page.getByRole('button', { name: /^Morning round/ });
    await expect.poll(() => rounds.count()).toBe(5);

    await rounds.nth(1).click();
    await page.getByText('Every week on Monday, Tuesday').waitFor();
    await page.getByLabel('Remind me').selectOption('Remind me 10 minutes before');
    await expect
      .poll(async () => (await app.services.pool.query(REMINDERS, [agent.id])).rows)
      .toEqual([{ minutes_before: 10, channel: 'push' }]);
    await page.getByRole('button', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit event' });
    await edit.getByLabel('Title').fill('Late round');
    await edit.getByLabel('Starts at').fill('16:00');
    await edit.getByRole('button', { name: 'Save' }).click();
    const late = page.getByRole('button', { name: /^Late round ?, Tuesday,? 24 November 2026, 16:00/ });
    await late.waitFor();
    await expect.poll(() => rounds.count()).toBe(4);

    await rounds.nth(1).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete “Morning round”?' });
    await question.getByLabel('This and all following').check();
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => rounds.count()).toBe(1);
    await late.waitFor();
  });
});

import { createCalendar, createEvents, createUser } from '@firmdesk/testing';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible, expectAccessibleInBothThemes, phone } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, holdNext, openConsole } from './browser.ts';
import { selectValue } from './select-value.ts';

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
    // The first click beside the details closes them, the next one creates an event.
    const free = page.getByRole('list', { name: 'Monday 23 November' });
    await free.click({ position: { x: 20, y: 14 * 48 } });
    await page.getByRole('dialog', { name: 'Busy' }).waitFor({ state: 'hidden' });
    expect(await page.getByRole('dialog', { name: 'New event' }).count()).toBe(0);
    await free.click({ position: { x: 20, y: 14 * 48 } });
    await page.getByRole('dialog', { name: 'New event' }).waitFor();
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

  test('creates, moves and resizes an event by dragging, and goes through the events by arrow keys', async () => {
    const agent = await app.agent({ viewport: { width: 1024, height: 768 } });
    const calendar_id = await createCalendar(app.services, { firm: app.firm, owner: agent });
    const { page } = agent;
    await page.goto('/calendar?day=2026-11-24');
    const grid = page.getByRole('grid', { name: 'Week' });
    const column = await boxOf(page.getByRole('list', { name: 'Tuesday 24 November' }));
    const { width } = column;
    const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
      await page.mouse.move(to.x, to.y);
      await page.mouse.up();
    };
    const at = (hour: number) => ({ x: column.x + width / 2, y: column.y + hour * 48 });
    await drag(at(12.05), at(13.45));
    const dialog = page.getByRole('dialog', { name: 'New event' });
    expect(await dialog.getByLabel('Starts at').inputValue()).toBe('12:00');
    expect(await dialog.getByLabel('Ends at').inputValue()).toBe('13:30');
    await dialog.getByLabel('Title').fill('Payouts');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const isAt = (day: string, times: string) =>
      page.getByRole('button', { name: new RegExp(`^Payouts ?, ${day}.*, ${times}`) }).waitFor();
    await isAt('Tuesday', '12:00–13:30');
    const chip = page.getByRole('button', { name: /^Payouts/ });
    const box = await boxOf(chip);
    const inside = { x: box.x + 20, y: box.y + 20 };
    await drag(inside, { x: inside.x + width, y: inside.y + 48 });
    await isAt('Wednesday', '13:00–14:30');
    const moved = await boxOf(chip);
    const edge = { x: moved.x + 20, y: moved.y + moved.height - 2 };
    await drag(edge, { x: edge.x, y: edge.y + 46 });
    await isAt('Wednesday', '13:00–15:30');
    await page.keyboard.press('z');
    await isAt('Wednesday', '13:00–14:30');
    expect(await page.getByRole('dialog').count(), 'a drag opens nothing').toBe(0);
    expect(await grid.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);

    await createEvents(app.services, [
      { calendar_id, title: 'Early', starts_at: '2026-11-23T08:00:00Z', ends_at: '2026-11-23T09:00:00Z' },
      { calendar_id, title: 'Later', starts_at: '2026-12-01T08:00:00Z', ends_at: '2026-12-01T09:00:00Z' },
    ]);
    await page.reload();
    await chip.focus();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toMatch(/^Early/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(focused, { message: 'the first event of the next week' }).toMatch(/^Later/);
    expect(await grid.locator('[data-grid-item][tabindex="0"]').count(), 'one stop of Tab').toBe(1);
    await expectAccessible(page);
  });

  test('moves the line of the time, and the day of today, also without a network', async () => {
    const agent = await app.agent();
    const { page, context } = agent;
    await createCalendar(app.services, { firm: app.firm, owner: agent });
    const morning = new Date().setUTCHours(9, 0, 0, 0);
    await page.clock.install({ time: morning });
    await page.goto(`/calendar?view=day&day=${new Date(morning).toISOString().slice(0, 10)}`);
    const line = page.locator('li.border-danger');
    await line.waitFor();
    await context.setOffline(true);
    const top = () => line.evaluate(({ style }) => Number.parseFloat(style.top));
    const before = await top();
    await page.clock.fastForward(2 * 3_600_000);
    await expect.poll(async () => (await top()) - before).toBeGreaterThan(90);
    await page.clock.fastForward(24 * 3_600_000);
    await line.waitFor({ state: 'detached' });
  });

  test('creates, edits and deletes an event, and the chosen occurrences of a series', async () => {
    const agent = await app.agent();
    await createCalendar(app.services, { firm: app.firm, owner: agent });
    const { page } = agent;
    await page.goto('/calendar?day=2026-11-23');
    await page.getByRole('button', { name: 'New event' }).click();
    const dialog = page.getByRole('dialog', { name: 'New event' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('The title must not be empty.').waitFor();
    await dialog.getByLabel('Title').fill('Morning round');
    await selectValue(dialog.getByLabel('Repeats'), 'Custom…');
    // The rule of "Every week" on the way to another one: the fields stay.
    await dialog.getByRole('spinbutton', { name: 'Every' }).fill('1');
    await dialog.getByRole('spinbutton', { name: 'Every' }).fill('3');
    await selectValue(dialog.getByLabel('Repeats'), 'Every weekday');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const rounds = page.getByRole('button', { name: /^Morning round/ });
    await expect.poll(() => rounds.count()).toBe(5);

    await rounds.nth(1).click();
    await page.getByText('Every week on Monday, Tuesday').waitFor();
    await selectValue(page.getByLabel('Remind me'), 'Remind me 10 minutes before');
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

  test('keeps what was typed until it is saved or cancelled, and leaves another dialog open', async () => {
    const agent = await app.agent({ viewport: { width: 390, height: 500 } });
    await createCalendar(app.services, { firm: app.firm, owner: agent });
    const { page } = agent;
    await page.goto('/calendar?view=day&day=2026-11-23');
    const dialog = page.getByRole('dialog', { name: 'New event' });
    const open = async () => {
      await page.getByRole('button', { name: 'New event' }).click();
      await dialog.waitFor();
    };
    await open();
    await dialog.getByLabel('Description').fill('About the payouts');
    await dialog.getByRole('button', { name: 'Save' }).click();
    // The invalid field is shown: it is out of view, above the button.
    await dialog.getByText('The title must not be empty.').waitFor();
    await dialog.locator('input:focus[aria-invalid=true]').waitFor();
    await expectAccessible(page);

    // A rejection is told also when the dialog was closed, and the text is still there.
    let held = await holdNext(page, 'calendar.create');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await held.asked;
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    held.release();
    await page.getByText('Couldn’t save “”').waitFor();
    await open();
    expect(await dialog.getByLabel('Description').inputValue()).toBe('About the payouts');

    // A save that ends late closes its own dialog only.
    await dialog.getByLabel('Title').fill('Payouts');
    held = await holdNext(page, 'calendar.create');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await held.asked;
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await open();
    await dialog.getByLabel('Title').fill('Refunds');
    held.release();
    await page.getByRole('button', { name: /^Payouts/, includeHidden: true }).waitFor();
    expect(await dialog.getByLabel('Title').inputValue()).toBe('Refunds');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await open();
    expect(await dialog.getByLabel('Title').inputValue()).toBe('');

    // An event of a whole day gets times when they are switched on.
    await dialog.getByLabel('Title').fill('Offsite');
    await dialog.getByLabel('All day').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: /^Offsite/ }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit event' });
    await edit.getByLabel('All day').uncheck();
    expect(await edit.getByLabel('Starts at').inputValue()).toBe('09:00');
    expect(await edit.getByLabel('Ends at').inputValue()).toBe('10:00');
  });

  test('changes one occurrence without the rule that was typed for all', async () => {
    const agent = await app.agent();
    const calendar_id = await createCalendar(app.services, { firm: app.firm, owner: agent });
    await createEvents(app.services, [
      {
        calendar_id,
        title: 'Round',
        starts_at: '2026-11-23T09:00:00Z',
        ends_at: '2026-11-23T10:00:00Z',
        recurrence_rule: 'FREQ=DAILY',
      },
    ]);
    const { page } = agent;
    await page.goto('/calendar?day=2026-11-23');
    await page
      .getByRole('button', { name: /^Round/ })
      .nth(2)
      .click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit event' });
    await edit.getByLabel('All events').check();
    await selectValue(edit.getByLabel('Repeats'), 'Every week');
    await edit.getByLabel('This event').check();
    await edit.getByLabel('Title').fill('Late round');
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: /^Late round/ }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Round/ }).count()).toBe(6);
  });

  test('puts a rule together in words, invites guests, reminds by mail, and downloads the event', async () => {
    const agent = await app.agent({ viewport: { width: 1024, height: 900 } });
    await createUser(app.services, { firm: app.firm, name: 'Nadia Okafor', permissions: ['view_tickets'] });
    await createCalendar(app.services, { firm: app.firm, owner: agent });
    const { page } = agent;
    await page.goto('/calendar?day=2026-12-07');
    await page.getByRole('button', { name: 'New event' }).click();
    const dialog = page.getByRole('dialog', { name: 'New event' });
    await dialog.getByLabel('Title').fill('Payout review');
    await dialog.getByLabel('Starts', { exact: true }).fill('2026-12-07');
    await selectValue(dialog.getByLabel('Repeats'), 'Custom…');
    await dialog.getByRole('spinbutton', { name: 'Every' }).fill('2');
    expect(await dialog.getByRole('checkbox', { name: 'Monday' }).isChecked()).toBe(true);
    await dialog.getByRole('checkbox', { name: 'Thursday' }).check();
    await selectValue(dialog.getByLabel('Ends', { exact: true }).last(), 'On a date');
    await dialog.getByLabel('Until').fill('2026-12-24');

    const guests = dialog.getByRole('combobox', { name: 'Guests' });
    await guests.fill('okaf');
    await dialog.getByRole('option', { name: /Nadia Okafor/ }).waitFor();
    await expectAccessible(page);
    await guests.press('Enter');
    await guests.fill('half@');
    await guests.press('Enter');
    await dialog.getByText('“half@” is not an address.').waitFor();
    await guests.fill('kim@elsewhere.example');
    await guests.press(',');
    const invited = dialog.getByRole('list', { name: 'Invited' });
    expect(await invited.getByRole('listitem').allTextContents()).toEqual([
      'Nadia Okafor',
      'kim@elsewhere.example',
    ]);
    await selectValue(dialog.getByLabel('Reminder'), 'Remind me 30 minutes before by mail');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const { rows } = await app.services.pool.query(
      `select recurrence_rule, jsonb_array_length(attendees) as guests from events where title = 'Payout review'`,
    );
    expect(rows).toEqual([
      {
        recurrence_rule: expect.stringMatching(/^FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;UNTIL=20261224T/),
        guests: 2,
      },
    ]);
    expect((await app.services.pool.query(REMINDERS, [agent.id])).rows).toEqual([
      { minutes_before: 30, channel: 'email' },
    ]);

    await page
      .getByRole('button', { name: /^Payout review/ })
      .first()
      .click();
    await page.getByText('Every 2 weeks on Monday and Thursday, until 24 Dec 2026').waitFor();
    await page.getByText('kim@elsewhere.example').first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('Payout review.ics');
  });

  test('lists the events of four weeks by day', async () => {
    const agent = await app.agent({ viewport: { width: 390, height: 844 } });
    const calendar_id = await createCalendar(app.services, { firm: app.firm, owner: agent });
    await createEvents(app.services, [
      { calendar_id, title: 'Late', starts_at: '2026-12-08T15:00:00Z', ends_at: '2026-12-08T16:00:00Z' },
      { calendar_id, title: 'Early', starts_at: '2026-12-08T08:00:00Z', ends_at: '2026-12-08T09:00:00Z' },
      { calendar_id, title: 'Trip', starts_at: '2026-12-08', ends_at: '2026-12-10', all_day: true },
      { calendar_id, title: 'Next year', starts_at: '2027-01-08T08:00:00Z', ends_at: '2027-01-08T09:00:00Z' },
    ]);
    const { page } = agent;
    await page.goto('/calendar?day=2026-12-07');
    await page.getByRole('link', { name: 'Agenda' }).click();
    const events = page.getByRole('list', { name: 'Agenda' }).getByRole('button');
    await expect
      .poll(async () => (await events.allTextContents()).map((text) => text.replace(/ ?,.*/, '')))
      .toEqual(['Trip', '08:00Early', '15:00Late', 'Trip']);
    await events.first().click();
    await page.getByRole('dialog', { name: 'Trip' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Next four weeks' }).click();
    await page.getByRole('button', { name: /^Next year/ }).waitFor();
  });

  test('shows as many events of a day as its month has place for, and counts the others below them', async () => {
    const agent = await app.agent({ viewport: { width: 1280, height: 800 } });
    const calendar_id = await createCalendar(app.services, { firm: app.firm, owner: agent });
    await createEvents(
      app.services,
      Array.from({ length: 8 }, (_, at) => ({
        calendar_id,
        title: `Call ${at}`,
        starts_at: `2026-12-09T${10 + at}:00:00Z`,
        ends_at: `2026-12-09T${11 + at}:00:00Z`,
      })),
    );
    const { page } = agent;
    await page.goto('/calendar?view=month&day=2026-12-09');
    const shown = page.getByRole('button', { name: /Call/ });
    const more = page.getByRole('link', { name: /^\+\d more on Wednesday/ });
    const counts = async () => [await shown.count(), Number((await more.textContent())?.match(/\d/)?.[0])];
    await more.waitFor();
    const [few, hidden] = await counts();
    expect(few! + hidden!).toBe(8);
    const last = await boxOf(shown.last());
    expect((await boxOf(more)).y).toBeGreaterThanOrEqual(last.y + last.height);
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 1100 });
    await expect.poll(async () => (await counts())[0]).toBeGreaterThan(few!);
    await page.setViewportSize({ width: 1280, height: 1900 });
    await expect.poll(() => shown.count()).toBe(8);
    expect(await more.count()).toBe(0);
  });

  test('begins an event small at its place, and opens the whole form with what was typed', async () => {
    const agent = await app.agent({ viewport: { width: 1440, height: 900 } });
    await createCalendar(app.services, { firm: app.firm, owner: agent });
    await app.services.pool.query(
      `insert into calendars (workspace_id, owner_id, name, created_at) values ($1, $2, 'Shifts', now())`,
      [app.firm.id, agent.id],
    );
    const { page } = agent;
    await page.goto('/calendar?day=2026-11-24');
    const at = (day: string, hour: number) =>
      page.getByRole('list', { name: day }).click({ position: { x: 20, y: hour * 48 + 4 } });
    const dialog = page.getByRole('dialog', { name: 'New event' });
    await at('Tuesday 24 November', 14);
    await dialog.getByText('Tuesday, 24 November').or(dialog.getByText('Tuesday 24 November')).waitFor();
    expect(await dialog.getByLabel('Title').evaluate((field) => field === document.activeElement)).toBe(true);
    const place = (await page.locator('[data-new-event]').boundingBox())!;
    const small = (await dialog.boundingBox())!;
    expect(small.x, 'beside the place').toBeGreaterThanOrEqual(place.x + place.width);
    await expectAccessibleInBothThemes(page, 'quick-create-1440');
    await page.keyboard.press('Enter');
    await dialog.getByText('The title must').waitFor();
    await page.keyboard.type('Lunch');
    await selectValue(dialog.getByLabel('Calendar'), 'Shifts');
    await dialog.getByLabel('Title').press('Enter');
    await page.getByRole('button', { name: /^Lunch ?, Tuesday.*, 14:00–15:00/ }).waitFor();
    const { rows } = await app.services.pool.query(
      `select c.name from events e join calendars c on c.id = e.calendar_id where title = 'Lunch'`,
    );
    expect(rows).toEqual([{ name: 'Shifts' }]);

    await at('Wednesday 25 November', 9);
    await dialog.getByLabel('Title').fill('Review');
    await dialog.getByLabel('Starts at').fill('10:30');
    await dialog.getByRole('button', { name: 'More options' }).click();
    await dialog.getByLabel('Location').fill('Room 4');
    expect(await dialog.getByLabel('Title').inputValue()).toBe('Review');
    expect(await dialog.getByLabel('Ends at').inputValue()).toBe('11:30');
    expect(await dialog.getByLabel('Calendar').textContent()).toBe('Shifts');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    // What was typed is kept, and moves to the next place.
    await at('Thursday 26 November', 8);
    expect(await dialog.getByLabel('Title').inputValue()).toBe('Review');
    expect(await dialog.getByLabel('Starts at').inputValue()).toBe('08:00');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.setViewportSize(phone);
    await page.goto('/calendar?view=day&day=2026-11-24');
    await at('Tuesday 24 November', 8);
    await dialog.waitFor();
    const box = (await dialog.boundingBox())!;
    expect(box.x >= 0 && box.x + box.width <= phone.width).toBe(true);
    await expectAccessibleInBothThemes(page, 'quick-create-390');
  });

  test('finds events by words from the page and the command menu, and shows the day of the chosen one', async () => {
    const agent = await app.agent({ viewport: { width: 1024, height: 768 } });
    const calendar_id = await createCalendar(app.services, { firm: app.firm, owner: agent });
    await createEvents(app.services, [
      {
        calendar_id,
        title: 'Crème brûlée',
        location: 'Kitchen',
        starts_at: '2031-05-06T12:00:00Z',
        ends_at: '2031-05-06T13:00:00Z',
      },
      {
        calendar_id,
        title: 'Creme every week',
        starts_at: '2020-01-01T12:00:00Z',
        ends_at: '2020-01-01T13:00:00Z',
        recurrence_rule: 'FREQ=WEEKLY',
      },
    ]);
    const { page } = agent;
    await page.goto('/calendar?view=week');
    await page.getByRole('button', { name: 'Find events' }).waitFor();
    await page.keyboard.press('/');
    const finder = page.getByRole('dialog', { name: 'Find events' });
    await finder.getByText('Type words of the title').waitFor();
    await page.keyboard.type('creme');
    const options = finder.getByRole('option');
    await expect.poll(() => options.count()).toBe(2);
    expect(await options.first().textContent(), 'the next occurrence comes first').toMatch(
      /^Creme every week/,
    );
    await expectAccessibleInBothThemes(page, 'find-events-1024', '[role=dialog]');
    await page.keyboard.type(' KITCHEN');
    await expect.poll(() => options.count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/calendar?*day=2031-05-06*');
    await page.getByRole('button', { name: /^Crème brûlée/ }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('nothing like it');
    await finder.getByText('No event has these words.').waitFor();
    await page.keyboard.press('Escape');
    await page.goto('/tickets');
    await page.getByRole('button', { name: 'Search and commands' }).click();
    await page.getByRole('dialog').getByRole('combobox').fill('brulee');
    await page.getByRole('option', { name: /Crème brûlée/ }).click();
    await page.waitForURL('**/calendar?*day=2031-05-06*');
  });

  test('shows when guests are busy beside the form, and takes a proposed time when all are free', async () => {
    const agent = await app.agent({ viewport: { width: 1440, height: 900 } });
    const [nadia, sofia] = [
      await createUser(app.services, { firm: app.firm, name: 'Nadia Busy' }),
      await createUser(app.services, { firm: app.firm, name: 'Sofia Shares' }),
    ];
    await createCalendar(app.services, { firm: app.firm, owner: agent });
    const hers = await createCalendar(app.services, { firm: app.firm, owner: nadia });
    const shared = await createCalendar(app.services, {
      firm: app.firm,
      owner: sofia,
      shares: [{ user: agent, level: 'read' }],
    });
    const at = (calendar_id: number, title: string, from: string, until: string) => ({
      calendar_id,
      title,
      starts_at: `2030-12-03T${from}:00Z`,
      ends_at: `2030-12-03T${until}:00Z`,
    });
    await createEvents(app.services, [
      at(hers, 'Secret talks', '09:00', '11:00'),
      at(shared, 'Team lunch', '12:00', '13:00'),
    ]);
    const { page } = agent;
    // A Tuesday.
    await page.goto('/calendar?day=2030-12-03');
    await page.getByRole('button', { name: 'New event' }).click();
    const dialog = page.getByRole('dialog', { name: 'New event' });
    await dialog.getByLabel('Title').fill('Review');
    const guests = dialog.getByRole('combobox', { name: 'Guests' });
    for (const name of ['Nadia Busy', 'Sofia Shares']) {
      await guests.fill(name);
      await dialog.getByRole('option', { name: new RegExp(name) }).waitFor();
      await guests.press('Enter');
    }
    await guests.fill('kim@elsewhere.example');
    await guests.press(',');
    const times = dialog.getByRole('list', { name: 'When they are busy' }).getByRole('listitem');
    await expect
      .poll(() => times.allTextContents())
      .toEqual([
        'YouFree',
        'Nadia BusyBusy 09:00–11:00',
        'Sofia SharesFree',
        'kim@elsewhere.exampleNot known',
      ]);
    const proposed = dialog.getByRole('list', { name: 'Next times when all are free' }).getByRole('button');
    await expect.poll(() => proposed.first().textContent()).toMatch(/3 Dec,? 11:00$/);
    expect(await dialog.getByText('Secret talks').count()).toBe(0);
    await proposed.first().scrollIntoViewIfNeeded();
    await expectAccessibleInBothThemes(page, 'guest-times-1440', '[role=dialog]');
    await page.setViewportSize(phone);
    await proposed.first().scrollIntoViewIfNeeded();
    await expectAccessibleInBothThemes(page, 'guest-times-390', '[role=dialog]');
    await proposed.nth(1).focus();
    await page.keyboard.press('Enter');
    expect(await dialog.getByLabel('Starts at').inputValue()).toBe('13:00');
    expect(await dialog.getByLabel('Ends at').inputValue()).toBe('14:00');
    await expect.poll(() => times.nth(1).textContent()).toBe('Nadia BusyFree');
    await dialog.getByLabel('Starts at').fill('12:30');
    await expect.poll(() => times.nth(2).textContent()).toBe('Sofia SharesTeam lunch 12:00–13:00');
  });
});

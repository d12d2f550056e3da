import { createTag, createTeam } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole, openTicket, QUESTION } from './browser.ts';
import { fieldText } from './case-list.ts';
import { openSecondDevice } from './second-device.ts';
import { selectValue } from './select-value.ts';

describeInBrowser('a conversation', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('shows each change with its author, to all viewers at once, and can show messages only', async () => {
    await createTeam(app.services, { firm: app.firm, name: 'Payouts' });
    await createTag(app.services, { firm: app.firm, name: 'vip' });
    const { ticket, agents } = await app.openTicketFor('Ada Able', 'Ben Best');
    const [ada, ben] = agents as [(typeof agents)[0], (typeof agents)[0]];
    const lines = (page: typeof ada.page) => page.getByRole('region', { name: 'Conversation' });
    await ada.page.keyboard.press('a');
    await ada.page.getByRole('menuitemcheckbox', { name: 'Ben Best' }).click();
    for (const { page } of agents)
      await lines(page).getByText('Ada Able assigned this to Ben Best').waitFor();

    await ben.page.keyboard.press('p');
    await ben.page.getByRole('menuitemcheckbox', { name: 'Urgent' }).click();
    await ben.page.keyboard.press('i');
    await lines(ada.page).getByText('Ben Best set the priority to Urgent').waitFor();
    const field = ada.page.getByRole('textbox', { name: /^Reply to/ });
    await field.fill('Paid on Monday.');
    await field.press('Control+Enter');
    for (const { page } of agents) await lines(page).getByText('Paid on Monday.').waitFor();
    await field.press('Escape');
    // A change by hand is told, and stands after the reply; what the reply itself changed is not.
    await ada.page.keyboard.press('p');
    await ada.page.getByRole('menuitemcheckbox', { name: 'High' }).click();
    const afterReply = 'Ada Able set the priority to High';
    for (const { page } of agents) {
      await lines(page).getByText(afterReply).waitFor();
      expect(await lines(page).getByText('Waiting on trader').count()).toBe(0);
    }
    await expectAccessible(ada.page);

    await ada.page.keyboard.press('H');
    await lines(ada.page).getByText(afterReply).waitFor({ state: 'detached' });
    await lines(ada.page).getByText('Paid on Monday.').waitFor();
    await ada.page.getByRole('button', { name: 'Show messages and changes' }).click();
    await lines(ada.page).getByText(afterReply).waitFor();
    expect(await lines(ben.page).getByText('Ada Able assigned this to Ben Best').count()).toBe(1);
    // A page that loads the conversation shows the same.
    await openTicket(ben.page, ticket);
    await lines(ben.page).getByText(afterReply).waitFor();
  });

  test('suggests colleagues after @, notifies those whom a note mentions, and lets them follow the ticket', async () => {
    const { ticket, agents } = await app.openTicketFor('Mia Mention', 'Noah Notified');
    const [mia, noah] = agents as [(typeof agents)[0], (typeof agents)[0]];
    await mia.page.keyboard.press('n');
    const field = mia.page.getByRole('textbox', { name: 'Internal note' });
    await field.pressSequentially('Please look, @noa');
    const list = mia.page.getByRole('listbox', { name: 'Mention a colleague' });
    await list.getByRole('option', { name: 'Noah Notified', selected: true }).waitFor();
    await expectAccessible(mia.page);
    await field.press('Enter');
    await list.waitFor({ state: 'detached' });
    await field.pressSequentially('and @');
    await list.waitFor();
    await field.press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await field.evaluate(fieldText)).toBe('Please look, @Noah Notified and @');
    await mia.page.getByText('Notifies Noah Notified').waitFor();
    await field.press('Control+Enter');
    const note = (page: typeof mia.page) => page.getByRole('article', { name: 'Internal note, Mia Mention' });
    for (const { page } of agents) await note(page).getByText('@Noah Notified', { exact: true }).waitFor();
    const titles = async () =>
      (
        await app.services.pool.query<{ title: string }>(
          `select concat_ws(' ', p.name, title) as title from notifications n left join users p on p.id = n.person_id
           where workspace_id = $1 and user_id = $2 order by n.created_at`,
          [app.firm.id, noah.id],
        )
      ).rows.map(({ title }) => title);
    expect(await titles()).toEqual([expect.stringMatching(/^Mia Mention mentioned you in ticket #/)]);

    await noah.page.keyboard.press('f');
    await noah.page.getByRole('button', { name: 'Unfollow' }).waitFor();
    await expect
      .poll(
        async () =>
          (await app.services.pool.query('select from ticket_followers where ticket_id = $1', [ticket])).rows,
      )
      .toHaveLength(1);
    await noah.page.reload();
    await noah.page.getByRole('button', { name: 'Unfollow' }).click();
    await noah.page.getByRole('button', { name: 'Follow', exact: true }).waitFor();
  });

  test('notifies those whom a note mentions, also of a new ticket, if their names were not loaded before', async () => {
    const { agents } = await app.openTicketFor('Nina Note', 'Omar Other');
    const [nina, omar] = agents as [(typeof agents)[0], (typeof agents)[0]];
    const { page } = nina;
    const titles = async () =>
      (
        await app.services.pool.query<{ title: string }>(
          `select title from notifications where workspace_id = $1 and user_id = $2 and title like 'mentioned you%'`,
          [app.firm.id, omar.id],
        )
      ).rows;
    let isBroken = true;
    // The query of the names fails, and the others of its batch do not.
    await page.route(/\/trpc\/[^?]*tickets\.desk/, async (route) => {
      if (!isBroken) return route.continue();
      const procedures = decodeURIComponent(new URL(route.request().url()).pathname)
        .split('/')
        .at(-1)!
        .split(',');
      const response = await route.fetch();
      const answers = await response.json();
      const data = { code: 'resource_not_found', httpStatus: 404 };
      answers[procedures.indexOf('tickets.desk')] = {
        error: { json: { message: 'Not found', code: -32004, data } },
      };
      return route.fulfill({ response, json: answers });
    });
    await page.reload();
    await page.getByRole('region', { name: 'Conversation' }).getByText(QUESTION).first().waitFor();
    await page.keyboard.press('n');
    const field = page.getByRole('textbox', { name: 'Internal note' });
    await field.fill('Please look, @Omar Other.');
    expect(await page.getByText('Notifies Omar Other').count()).toBe(0);
    isBroken = false;
    await field.press('Control+Enter');
    await page.getByRole('article', { name: 'Internal note, Nina Note' }).waitFor();
    expect(await titles()).toHaveLength(1);
    await field.press('Escape');

    const dialog = page.getByRole('dialog', { name: 'New ticket' });
    const write = async (subject: string) => {
      await page.keyboard.press('c');
      await dialog.getByLabel('Trader’s name or email').fill(app.trader.email);
      await dialog.getByLabel('Subject').fill(subject);
      await selectValue(dialog.getByLabel('First message'), 'Internal note');
      await dialog.getByLabel('Message', { exact: true }).fill('@Omar Other please look.');
    };
    const open = async (subject: string) => {
      await dialog.getByRole('button', { name: 'Open ticket' }).click();
      await page.getByRole('heading', { level: 1, name: new RegExp(`^${subject}`) }).waitFor();
    };
    await write('With the names');
    const body = dialog.getByLabel('Message', { exact: true });
    const list = dialog.getByRole('listbox', { name: 'Mention a colleague' });
    await body.fill('');
    await body.pressSequentially('@oma');
    await list.getByRole('option', { name: 'Omar Other', selected: true }).waitFor();
    await expectAccessible(page);
    // Closes the list, and not the dialog.
    await body.press('Escape');
    await list.waitFor({ state: 'detached' });
    await body.pressSequentially(', @oma');
    await list.waitFor();
    await body.press('Enter');
    await list.waitFor({ state: 'detached' });
    expect(await body.evaluate(fieldText)).toBe('@oma, @Omar Other ');
    await dialog.getByText('Notifies Omar Other').waitFor();
    await expectAccessible(page);
    await open('With the names');
    expect(await titles()).toHaveLength(2);

    isBroken = true;
    await page.reload();
    await page.getByRole('heading', { level: 1, name: /^With the names/ }).waitFor();
    await write('Without the names');
    expect(await dialog.getByText('Notifies Omar Other').count()).toBe(0);
    isBroken = false;
    await open('Without the names');
    expect(await titles()).toHaveLength(3);
  });

  test('opens with the note that its author has begun on another device', async () => {
    const { ticket, agents } = await app.openTicketFor('Nora Note');
    const { page } = agents[0]!;
    const note = (of: typeof page) => of.getByRole('textbox', { name: 'Internal note' });
    await page.keyboard.press('n');
    await note(page).fill('Check the account');
    const row = page.getByRole('option').filter({ hasText: 'Draft' });
    await row.first().waitFor();
    const second = await openSecondDevice(app, agents[0]!);
    await openTicket(second, ticket);
    await expect.poll(() => note(second).evaluate(fieldText)).toBe('Check the account');
    await note(second).fill('Check both accounts');
    await expect.poll(() => note(page).evaluate(fieldText)).toBe('Check both accounts');
    // What is sent on the other device does not change where this one writes.
    await note(second).press('Control+Enter');
    await second.getByRole('article', { name: 'Internal note, Nora Note' }).waitFor();
    await expect.poll(() => note(page).evaluate(fieldText)).toBe('');
    await row.first().waitFor({ state: 'detached' });
    await note(page).waitFor();
  });

  test('keeps a draft on the service, on every device of its author, and never loses a text', async () => {
    const { ticket, agents } = await app.openTicketFor('Dora Draft');
    const { page: first, context } = agents[0]!;
    const field = (page: typeof first) => page.getByRole('textbox', { name: /^Reply to/ });
    const badge = (page: typeof first) => page.getByRole('option').getByText('Draft', { exact: true });
    const stored = async () =>
      (
        await app.services.pool.query<{ text: string }>(
          'select text from reply_drafts where ticket_id = $1',
          [ticket],
        )
      ).rows.map(({ text }) => text);
    await field(first).fill('Dear Tess,');
    await expect.poll(stored).toEqual(['Dear Tess,']);
    await badge(first).waitFor();

    const second = await openSecondDevice(app, agents[0]!);
    await openTicket(second, ticket);
    await badge(second).waitFor();
    await expect.poll(() => field(second).evaluate(fieldText)).toBe('Dear Tess,');

    await field(second).fill('Dear Tess, paid today.');
    await expect.poll(() => field(first).evaluate(fieldText)).toBe('Dear Tess, paid today.');

    await context.setOffline(true);
    await field(second).fill('Dear Tess, paid on Monday.');
    await expect.poll(stored).toEqual(['Dear Tess, paid on Monday.']);
    await field(first).fill('Dear Tess, it is late.');
    await context.setOffline(false);
    const conflict = first.getByRole('alert').filter({ hasText: 'You have also changed this draft' });
    await conflict.getByText('Dear Tess, paid on Monday.').waitFor();
    await expectAccessible(first);
    await conflict.getByRole('button', { name: 'Add it below' }).click();
    const both = 'Dear Tess, it is late.\n\nDear Tess, paid on Monday.';
    await expect.poll(() => field(first).evaluate(fieldText)).toBe(both);
    await expect.poll(stored).toEqual([both]);

    await field(first).press('Control+Enter');
    await first.getByRole('article', { name: 'Message, Dora Draft' }).getByText('it is late').waitFor();
    await expect.poll(stored).toEqual([]);
    await badge(first).waitFor({ state: 'detached' });
    // The second device has the text of the sent draft, unchanged since.
    await expect.poll(() => field(second).evaluate(fieldText)).toBe('');
    await badge(second).waitFor({ state: 'detached' });
    expect(await stored()).toEqual([]);
  });
});

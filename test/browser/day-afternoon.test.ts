import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from './browser.ts';
import { fieldText } from './case-list.ts';
import { clearEditor } from './editor-field.ts';
import { selectValue } from './select-value.ts';
import {
  beginWork,
  choose,
  conversation,
  isLive,
  isOpen,
  LIST,
  openCase,
  reply,
  row,
  useWorkday,
} from './workday.ts';

/** A picture of 1 × 1 pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const DRAFT = 'Dear Tess, it was sent.';

/** Each step goes on where the one before it ended. `B3` is the third of the tools that agents need all day. */
describeInBrowser('the afternoon of two agents with their tools', () => {
  const day = useWorkday(['Payout', 'Leverage', 'Login', 'Invoice', 'Password', 'Address']);
  const { path } = day;
  let ada: Page;
  let ben: Page;
  beforeAll(async () => {
    [ada, ben] = [day.ada.page, day.ben.page];
    // The desktop is not part of a test browser: only what is handed to it can be seen.
    await ben.addInitScript(() => {
      const shown: string[] = [];
      class Shown {
        static permission = 'granted';
        static requestPermission = () => Promise.resolve('granted');
        constructor(title: string) {
          shown.push(title);
        }
      }
      Object.assign(window, { Notification: Shown, shown });
    });
    await beginWork(day);
  });

  const message = (page: Page, author: string) => page.getByRole('article', { name: `Message, ${author}` });
  const undone = (what: RegExp) =>
    ada.getByRole('status').filter({ hasText: what }).waitFor({ state: 'attached' });
  const field = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name });

  const command = async (page: Page, text: string) => {
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Type a command').waitFor();
    await page.keyboard.type(text);
  };
  const focused = (page: Page) =>
    page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName,
    );

  test('B7 a colleague sees who views and who types, and who has left', async () => {
    for (const page of [ada, ben]) await openCase(page, day, 'Payout');
    const header = ada.getByRole('region', { name: 'Ticket', exact: true });
    await row(ada, 'Payout').getByText('Ben Best is viewing').waitFor();
    let text = '';
    // He types until it is seen, however late that is.
    await expect
      .poll(async () => {
        text += '.';
        await reply(ben).fill(text);
        return header.getByText('Ben Best is typing…').isVisible();
      })
      .toBe(true);
    await clearEditor(ben, reply(ben));
    await header.getByText('Ben Best is viewing').waitFor();
    await ben.keyboard.press('Escape');
    await ben.keyboard.press('Escape');
    await header.getByText('Ben Best').first().waitFor({ state: 'detached' });
  });

  test('B5 a note mentions a colleague, who follows the ticket, and B14 the desktop notifies him', async () => {
    await ben.context().grantPermissions(['notifications'], { origin: day.app.url });
    await ben.goto(path('/account/notifications'));
    for (const name of ['Desktop notifications', 'Sound for new notifications']) {
      await ben.getByRole('switch', { name }).click();
      await ben.getByRole('switch', { name, checked: true }).waitFor();
    }
    await isLive(ben);
    await ben.evaluate(() =>
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }),
    );
    await ada.keyboard.press('n');
    const note = field(ada, 'Internal note');
    await note.pressSequentially('Please look, @ben');
    await ada.getByRole('listbox', { name: 'Mention a colleague' }).getByRole('option').first().waitFor();
    await note.press('Enter');
    await note.press('Control+Enter');
    const shown = () => ben.evaluate(() => (window as unknown as { shown: string[] }).shown);
    await expect.poll(shown).toEqual([expect.stringMatching(/^Ada Able mentioned you in ticket #/)]);
    await expect.poll(() => ben.title()).toMatch(/^\(1\) /);
    await openCase(ben, day, 'Payout');
    await ben.getByRole('article', { name: 'Internal note, Ada Able' }).getByText('@Ben Best').waitFor();
    await ben.keyboard.press('f');
    await ben.getByRole('button', { name: 'Unfollow' }).waitFor();
  });

  test('B10 the assistant drafts into the composer, and the agent edits and sends', async () => {
    day.app.model.behave({ kind: 'reply', words: DRAFT.split(/(?<= )/) });
    await ben.keyboard.press('d');
    await expect.poll(() => reply(ben).evaluate(fieldText)).toBe(DRAFT);
    await ben.getByRole('button', { name: 'Draft for me' }).waitFor();
    await reply(ben).press('Control+End');
    await ben.keyboard.type(' Sorry!');
    await ben.keyboard.press('Control+Enter');
    await message(ada, 'Ben Best').getByText(`${DRAFT} Sorry!`).waitFor();
  });

  test('B4 a pasted and a chosen file are shown to the colleague', async () => {
    const { ids } = day;
    await openCase(ben, day, 'Leverage');
    await ben
      .getByLabel('Files to attach')
      .setInputFiles({ name: 'chosen.png', mimeType: 'image/png', buffer: PNG });
    await reply(ben).evaluate((element, content) => {
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], 'pasted.png', { type: 'image/png' }));
      element.dispatchEvent(
        new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }),
      );
    }, PNG.toString('base64'));
    for (const name of ['chosen.png', 'pasted.png'])
      await ben.getByRole('button', { name: `Remove ${name}` }).waitFor();
    await reply(ben).fill('See both.');
    await reply(ben).press('Control+Enter');
    await ada.goto(path(`/tickets/${ids['Leverage']}`));
    for (const name of ['chosen.png', 'pasted.png']) {
      const picture = message(ada, 'Ben Best').getByRole('button', { name: `${name}, enlarge` });
      await expect
        .poll(() => picture.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBe(1);
    }
  });

  test('B3 a macro of the settings fills the reply and changes the ticket with it', async () => {
    await ben.goto(path('/settings/macros'));
    await ben.getByRole('button', { name: 'New macro' }).click();
    const dialog = ben.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Login works');
    await dialog.getByLabel('Text in en').fill('Hello {{trader.first_name}}, it works again.');
    await selectValue(dialog.getByLabel('Status'), 'Resolved');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await openCase(ben, day, 'Login');
    await ben.keyboard.press(';');
    await ben.keyboard.type('login');
    await ben
      .getByRole('dialog', { name: 'Insert a macro' })
      .getByText('Hello Tess, it works again.')
      .waitFor();
    await ben.keyboard.press('Enter');
    await expect.poll(() => reply(ben).evaluate(fieldText)).toBe('Hello Tess, it works again.');
    await reply(ben).press('Control+Enter');
    await expect.poll(() => day.ticket('Login')).toMatchObject({ status: 'resolved' });
    expect(await day.replies('Login')).toEqual(['Hello Tess, it works again.']);
  });

  test('B1 z takes back a reply and a resolved ticket, and says so', async () => {
    await openCase(ada, day, 'Invoice');
    const held = ada.getByRole('article', { name: 'Your reply, being sent' });
    await day.app.withoutWorker(async () => {
      await reply(ada).fill('Here it is.');
      await reply(ada).press('Control+Enter');
      await held.getByText('Here it is.').waitFor();
      await ada.keyboard.press('Escape');
      await ada.keyboard.press('z');
      await undone(/Undone: Sending your reply/);
      await expect.poll(() => reply(ada).evaluate(fieldText)).toBe('Here it is.');
    });
    expect(await day.replies('Invoice')).toEqual([]);
    await reply(ada).press('Control+Enter');
    await held.waitFor();
    await ada.keyboard.press('Escape');
    // Both can be undone for eight seconds only: no other wait comes before the undo.
    await ada.keyboard.press('e');
    await expect.poll(() => day.ticket('Invoice')).toMatchObject({ status: 'resolved' });
    await ada.keyboard.press('z');
    await isOpen(ada, 'Invoice');
    await undone(/Undone: /);
    await expect.poll(() => day.ticket('Invoice')).not.toMatchObject({ status: 'resolved' });
  });

  test('B6 each change is in the conversation with its author, and can be hidden', async () => {
    for (const page of [ada, ben]) await openCase(page, day, 'Payout');
    await choose(ada, 'a', 'Ben Best');
    const line = (page: Page) => conversation(page).getByText('Ada Able assigned this to Ben Best');
    for (const page of [ada, ben]) await line(page).waitFor();
    await ben.keyboard.press('H');
    await line(ben).waitFor({ state: 'detached' });
    await ben.keyboard.press('H');
    await line(ben).waitFor();
  });

  test('A5 focus goes into dialogs and menus, and back', async () => {
    await ada.goto(path(LIST));
    await row(ada, 'Payout').waitFor();
    await ada.getByRole('listbox', { name: 'Tickets' }).focus();
    for (const key of ['?', 'Control+k']) {
      await ada.keyboard.press(key);
      await ada.getByRole('dialog').waitFor();
      await ada.keyboard.press('Escape');
      await ada.getByRole('dialog').waitFor({ state: 'hidden' });
      await expect.poll(() => focused(ada)).toBe('Tickets');
    }
    const button = ada.getByRole('button', { name: 'Save view' });
    await button.click();
    await ada.keyboard.type('Oldest');
    await expect.poll(() => ada.getByRole('textbox', { name: 'Name' }).evaluate(fieldText)).toBe('Oldest');
    await ada.keyboard.press('Escape');
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('A6 the command menu finds pages, views, tags, people, themes and tickets', async () => {
    await command(ada, 'set');
    await ada.keyboard.press('Enter');
    await ada.waitForURL('**/settings/assistant');
    await command(ada, 'cal');
    await ada.keyboard.press('Enter');
    await ada.waitForURL('**/calendar');
    await command(ada, 'unass');
    await ada.keyboard.press('Enter');
    await ada.waitForURL('**/tickets?status=open&assignee=none');
    await command(ada, 'refund');
    await ada.getByRole('option', { name: /^refund/ }).waitFor();
    await ada.keyboard.press('Enter');
    await ada.waitForURL('**/tickets?tag=*');
    await command(ada, 'ben');
    await ada.getByRole('option', { name: /^Ben Best/ }).waitFor();
    await ada.keyboard.press('Enter');
    await ada.waitForURL('**/tickets?assignee=usr_*');
    await command(ada, 'theme: dark');
    await ada.keyboard.press('Enter');
    await expect.poll(() => ada.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await command(ada, 'passw');
    await ada.getByRole('option', { name: /Password.*Tess Trader/ }).click();
    await isOpen(ada, 'Password');
  });

  test('A7 toasts leave the composer free, and a notification opens a page that the console has', async () => {
    // At once: each toast is shown for some seconds only.
    await ada.getByRole('button', { name: 'Copy link' }).click({ clickCount: 4 });
    const toasts = ada.locator('[data-sonner-toast][data-visible=true]');
    const composer = (await ada.getByRole('region', { name: 'Composer' }).boundingBox())!;
    // All at once, before one of them fades out.
    const leaveComposerFree = () =>
      toasts.evaluateAll(
        (shown, { x, y }) =>
          shown
            .map((toast) => toast.getBoundingClientRect())
            .map(({ right, bottom }) => right <= x || bottom <= y),
        composer,
      );
    await expect.poll(leaveComposerFree).toEqual([true, true, true]);
    await day.app.call(day.ada, 'notifications.notify', {
      workspace: day.app.firm.slug,
      kind: 'payout_requested',
      title: 'Payout of Tess',
      action_url: '/payouts/pay_1',
      to: [day.ada.email],
    });
    await ada.getByRole('button', { name: /^Notifications, \d+ unread/ }).click();
    await ada.getByRole('link', { name: /Payout of Tess/ }).click();
    await ada.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
  });
});

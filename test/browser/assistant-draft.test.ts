import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { fieldText } from './case-list.ts';
import { clearEditor } from './editor-field.ts';

describeInBrowser('a draft of the assistant', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const reply = (page: Page) => page.getByRole('textbox', { name: /^Reply to/ });
  const button = (page: Page) => page.getByRole('button', { name: 'Draft for me' });
  const stop = (page: Page) => page.getByRole('button', { name: 'Stop drafting' });
  const textOf = (page: Page) => reply(page).evaluate(fieldText);
  /** Lets the model write some words, and more when the returned function is called. */
  const writes = (...words: string[]) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    app.model.behave({ kind: 'hold', words, until: promise });
    return resolve;
  };

  test('is streamed into the composer, where it is edited and sent', async () => {
    const { ticket, agents } = await app.openTicketFor('Ada Able');
    const { page } = agents[0]!;
    const finish = writes('Dear Tess, ', 'it was sent.');
    await page.keyboard.press('d');
    await expect.poll(() => textOf(page)).toBe('Dear Tess, it was sent.');
    // It can be edited while it is written, but not sent.
    await page.getByText('The assistant is still writing.').waitFor();
    expect(await page.getByRole('button', { name: 'Send reply' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await reply(page).press('Control+End');
    await page.keyboard.type(' Sorry!');
    finish();
    await button(page).waitFor();
    expect(await textOf(page)).toBe('Dear Tess, it was sent. Sorry!');
    const messages = async () => {
      const { rows } = await app.services.pool.query(
        'select body from ticket_messages where workspace_id = $1 and ticket_id = $2 order by created_at',
        [app.firm.id, ticket],
      );
      return rows.map(({ body }) => body).slice(1);
    };
    expect(await messages()).toEqual([]);
    await reply(page).press('Control+Enter');
    await expect.poll(messages).toEqual(['Dear Tess, it was sent. Sorry!']);
  });

  test('replaces typed text only if the user chooses so, and gives it back by undo', async () => {
    const { agents } = await app.openTicketFor('Ada Able');
    const { page } = agents[0]!;
    await reply(page).fill('My own words.');
    writes('Dear Tess.')();
    const dialog = page.getByRole('dialog', { name: 'Keep your text?' });
    await button(page).click();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await textOf(page)).toBe('My own words.');
    await button(page).click();
    await dialog.getByRole('button', { name: 'Write below it' }).click();
    await expect.poll(() => textOf(page)).toBe('My own words.\n\nDear Tess.');
    await button(page).click();
    await dialog.getByRole('button', { name: 'Replace my text' }).click();
    await expect.poll(() => textOf(page)).toBe('Dear Tess.');
    await button(page).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => textOf(page)).toBe('My own words.\n\nDear Tess.');
    // The text after /ai is the instruction.
    await reply(page).fill('/ai say that it was sent');
    await button(page).click();
    await expect.poll(() => textOf(page)).toBe('Dear Tess.');
    expect(JSON.stringify(app.model.requests.at(-1)!.body.messages)).toContain('say that it was sent');
  });

  test('is stopped by the user, and says that it ended when the gateway restarts or the model fails', async () => {
    const { agents } = await app.openTicketFor('Ada Able');
    const { page } = agents[0]!;
    app.model.behave({ kind: 'stall', words: ['Dear Tess, '] });
    await button(page).click();
    await expect.poll(() => textOf(page)).toBe('Dear Tess,');
    await page.keyboard.press('Control+.');
    await button(page).waitFor();
    await expect.poll(() => app.model.open()).toBe(0);
    expect(await textOf(page)).toBe('Dear Tess,');

    await clearEditor(page, reply(page));
    await button(page).click();
    await expect.poll(() => textOf(page)).toBe('Dear Tess,');
    await stop(page).waitFor();
    await app.restart();
    await page.getByText('the connection to the service was interrupted').waitFor();
    await button(page).waitFor();
    expect(await textOf(page)).toBe('Dear Tess,');

    // Nothing was written: the instruction comes back.
    await reply(page).fill('/ai say when');
    app.model.behave({ kind: 'error', status: 400 });
    await button(page).click();
    await page.getByText('The assistant did not finish the draft').last().waitFor();
    const instruction = page.getByRole('textbox', { name: 'Instruction to the assistant' });
    await expect.poll(() => instruction.evaluate(fieldText)).toBe('/ai say when');
  });

  test('is removed when the model wrote down its thoughts, and the text before it comes back', async () => {
    const { agents } = await app.openTicketFor('Ada Able');
    const { page } = agents[0]!;
    await reply(page).fill('My own words.');
    app.model.behave({ kind: 'reply', words: ['They want money.', '</think>', 'Dear Tess.'] });
    await button(page).click();
    await page.getByRole('button', { name: 'Write below it' }).click();
    await page.getByText('wrote its thoughts instead of a reply').waitFor();
    await expect.poll(() => textOf(page)).toBe('My own words.');
    // From then on the model is known.
    await button(page).click();
    await page.getByRole('button', { name: 'Write below it' }).click();
    await expect.poll(() => textOf(page)).toBe('My own words.\n\nDear Tess.');
  });
});

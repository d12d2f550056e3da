import { createMailbox, createMailMessage } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type Agent, type ConsoleUnderTest, describeInBrowser, holdNext, openConsole } from './browser.ts';
import { fieldText } from './case-list.ts';
import { recipientsOf } from './recipients.ts';

describeInBrowser('drafts of mail', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  /** Creates a mailbox that the agent can write to. */
  function mail(agent: Agent) {
    return createMailbox(app.services, { firm: app.firm, writes: [agent] });
  }

  const bodyOf = async (id: string) => {
    const { rows } = await app.services.pool.query('select body from mail_messages where id = $1', [id]);
    return rows[0].body;
  };

  const folderOf = async (id: string) => {
    const { rows } = await app.services.pool.query('select folder from mail_messages where id = $1', [id]);
    return rows[0].folder;
  };

  const draftStatus = (page: Page, status: string) => page.locator(`[data-draft-status=${status}]`);

  async function newDraft({ page }: Agent) {
    await page.goto('/mail');
    await page.getByRole('button', { name: 'New draft' }).click();
    await page.getByLabel('To', { exact: true }).fill('ann@elsewhere.example');
    await page.getByRole('textbox', { name: 'Subject' }).fill('Numbers');
    await page.getByRole('textbox', { name: 'Message' }).fill('Dear Ann,\n\n  two < three');
    await draftStatus(page, 'saved').waitFor();
    const id = new URL(page.url()).searchParams.get('message')!;
    return id;
  }

  test('saves a draft automatically and loses nothing on a reload, even unsaved text', async () => {
    const agent = await app.agent();
    await mail(agent);
    const { page } = agent;
    await newDraft(agent);
    await page.reload();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Message' }).evaluate(fieldText))
      .toBe('Dear Ann,\n\n  two < three');
    expect(await recipientsOf(page, 'To')).toEqual(['ann@elsewhere.example']);

    await page.route('**/trpc/mail.saveDraft**', (route) => route.abort());
    await page.getByRole('textbox', { name: 'Message' }).fill('Written on a train');
    await page.reload();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Message' }).evaluate(fieldText))
      .toBe('Written on a train');
    await page.unroute('**/trpc/mail.saveDraft**');
    await page.getByRole('textbox', { name: 'Subject' }).fill('Numbers, at last');
    await draftStatus(page, 'saved').waitFor();
    await expectAccessible(page);
  });

  test('shows an invalid address at its field and saves once it is valid', async () => {
    const agent = await app.agent();
    await mail(agent);
    const { page } = agent;
    await newDraft(agent);
    await page.getByLabel('To', { exact: true }).fill('ann@');
    await page.getByText('Enter a valid email address.').waitFor();
    await draftStatus(page, 'partly').waitFor();
    await page.getByLabel('To', { exact: true }).fill('ann@example.com');
    await draftStatus(page, 'saved').waitFor();
  });

  test('shows what was saved elsewhere while nothing is typed', async () => {
    const agent = await app.agent();
    const mailbox = await mail(agent);
    const { page } = agent;
    const draft_id = await newDraft(agent);
    const message = page.getByRole('textbox', { name: 'Message' });
    await app.call(agent, 'mail.saveDraft', {
      address_id: mailbox.id,
      draft_id,
      subject: 'From the phone',
      cc: ['cy@elsewhere.example'],
      body: '<p>Theirs</p>',
    });
    await expect.poll(() => message.evaluate(fieldText)).toBe('Theirs');
    expect(await page.getByRole('textbox', { name: 'Subject' }).inputValue()).toBe('From the phone');
    expect(await recipientsOf(page, 'Cc')).toEqual(['cy@elsewhere.example']);
    await message.and(page.locator(':focus')).waitFor();
    await message.fill('Theirs, and mine');
    await expect.poll(() => bodyOf(draft_id)).toBe('<p>Theirs, and mine</p>');
    await draftStatus(page, 'saved').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('asks before it overwrites a draft that was saved elsewhere', async () => {
    const agent = await app.agent();
    const mailbox = await mail(agent);
    const { page } = agent;
    const draft_id = await newDraft(agent);
    /** Saves while the save of what is typed here is under way. */
    const saveElsewhere = async (subject: string, typed: string) => {
      const { asked, release } = await holdNext(page, 'mail.saveDraft');
      await page.getByRole('textbox', { name: 'Subject' }).fill(typed);
      await asked;
      await app.call(agent, 'mail.saveDraft', {
        address_id: mailbox.id,
        draft_id,
        subject,
        cc: ['cy@elsewhere.example'],
        bcc: ['bo@elsewhere.example'],
        body: '<p>Theirs</p>',
      });
      release();
    };
    const subjectStored = async () => {
      const { rows } = await app.services.pool.query('select subject from mail_messages where id = $1', [
        draft_id,
      ]);
      return rows[0].subject;
    };

    await saveElsewhere('From the phone', 'From the office');
    const conflict = page.getByRole('alert').filter({ hasText: 'changed elsewhere' });
    await conflict.getByText('From the phone').waitFor();
    await conflict.getByText('Cc: cy@elsewhere.example, Bcc: bo@elsewhere.example').waitFor();
    await expectAccessible(page);
    expect(await subjectStored()).toBe('From the phone');
    await conflict.getByRole('button', { name: 'Keep mine' }).click();
    await draftStatus(page, 'saved').waitFor();
    expect(await subjectStored()).toBe('From the office');

    await saveElsewhere('From the phone again', 'Another');
    await conflict.getByRole('button', { name: 'Discard mine' }).click();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Message' }).evaluate(fieldText))
      .toBe('Theirs');
    expect(await page.getByRole('textbox', { name: 'Subject' }).inputValue()).toBe('From the phone again');
    expect(await recipientsOf(page, 'Cc')).toEqual(['cy@elsewhere.example']);
    expect(await recipientsOf(page, 'Bcc')).toEqual(['bo@elsewhere.example']);
    expect(await subjectStored()).toBe('From the phone again');
  });

  test('loses nothing of a draft that two tabs change, also by a reload', async () => {
    const agent = await app.agent();
    await mail(agent);
    const { page, context } = agent;
    const id = await newDraft(agent);
    const other = await context.newPage();
    await other.goto(page.url());
    const message = other.getByRole('textbox', { name: 'Message' });
    await expect.poll(() => message.evaluate(fieldText)).toContain('Dear Ann');
    const { asked, release } = await holdNext(other, 'mail.saveDraft');
    await message.fill('Of the other tab');
    await asked;
    await page.getByRole('textbox', { name: 'Subject' }).fill('Of the first tab');
    await draftStatus(page, 'unsaved').or(draftStatus(page, 'saving')).waitFor();
    await draftStatus(page, 'saved').waitFor();
    release();
    const conflict = other.getByRole('alert').filter({ hasText: 'changed elsewhere' });
    await conflict.getByText('Of the first tab').waitFor();
    await other.reload();
    await conflict.getByText('Of the first tab').waitFor();
    expect(await message.evaluate(fieldText)).toBe('Of the other tab');
    await conflict.getByRole('button', { name: 'Keep mine' }).click();
    await draftStatus(other, 'saved').waitFor();
    expect(await bodyOf(id)).toBe('<p>Of the other tab</p>');
    // The first tab follows.
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Message' }).evaluate(fieldText))
      .toBe('Of the other tab');
  });

  test('deletes a draft permanently only after a confirmation', async () => {
    const agent = await app.agent();
    await mail(agent);
    const { page } = agent;
    await newDraft(agent);
    await page.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No drafts').waitFor();
  });

  test('saves a draft once that is left and opened again during a save', async () => {
    const agent = await app.agent();
    const mailbox = await mail(agent);
    await createMailMessage(app.services, { mailbox, folder: 'drafts' });
    const { page } = agent;
    const id = await newDraft(agent);
    const { asked, release } = await holdNext(page, 'mail.saveDraft');
    await page.getByRole('textbox', { name: 'Subject' }).fill('Numbers of May');
    await asked;
    await page.getByRole('textbox', { name: 'Subject' }).fill('Numbers of June');
    await page.getByRole('link', { name: /Quarterly numbers/ }).click();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Subject' }).inputValue())
      .toBe('Quarterly numbers');
    await page.locator(`[data-row=${id}]`).click();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Subject' }).inputValue())
      .toBe('Numbers of June');
    await page.getByRole('textbox', { name: 'Message' }).fill('Dear Ann');
    release();
    await expect.poll(() => bodyOf(id)).toBe('<p>Dear Ann</p>');
    await draftStatus(page, 'saved').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('moves a draft to the trash with what was typed last', async () => {
    const agent = await app.agent();
    await mail(agent);
    const { page } = agent;
    const id = await newDraft(agent);
    const { asked, release } = await holdNext(page, 'mail.saveDraft');
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.fill('Dear Ann');
    await asked;
    await message.fill('Dear Ann, goodbye');
    await message.blur();
    await page.keyboard.press('#');
    await page.getByText('No drafts').waitFor();
    release();
    await expect.poll(() => folderOf(id)).toBe('trash');
    expect(await bodyOf(id)).toBe('<p>Dear Ann, goodbye</p>');
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => /mail-draft/.test(key))),
    ).toEqual([]);
  });

  test('saves the text of a draft that was deleted elsewhere as a new draft, also after a reload', async () => {
    const agent = await app.agent();
    await mail(agent);
    const { page } = agent;
    const remove = async () => {
      const id = await newDraft(agent);
      await page.locator('[data-connection=open]').waitFor();
      await app.call(agent, 'mail.deleteDraft', { id });
      await page.getByText('No drafts').waitFor();
      await page.getByRole('textbox', { name: 'Message' }).fill('Written for nothing?');
      await draftStatus(page, 'failed').waitFor();
      return id;
    };
    const id = await remove();
    await page.getByRole('button', { name: 'Save as a new draft' }).click();
    await page.waitForURL((url) => url.searchParams.get('message') !== id);
    await draftStatus(page, 'saved').waitFor();
    expect(await page.getByRole('textbox', { name: 'Message' }).evaluate(fieldText)).toBe(
      'Written for nothing?',
    );
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No drafts').waitFor();

    await remove();
    await page.goto('/mail?folder=drafts');
    await page.getByText(/Your changes of a deleted draft were saved as a new draft/).waitFor();
    await page.reload();
    await page.getByRole('link', { name: /Numbers/ }).click();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Message' }).evaluate(fieldText))
      .toBe('Written for nothing?');
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => /mail-draft/.test(key))),
    ).toEqual([]);
  });

  test('creates one draft for a key pressed twice, and types what follows into its recipients', async () => {
    const agent = await app.agent();
    const mailbox = await mail(agent);
    const { id } = await createMailMessage(app.services, { mailbox });
    const { page } = agent;
    await page.goto(`/mail?message=${id}`);
    await page.frameLocator('iframe').locator('body').waitFor();
    const { asked, release } = await holdNext(page, 'mail.saveDraft');
    await page.keyboard.press('c');
    await asked;
    await page.keyboard.press('c');
    await page.keyboard.type('erin@elsewhere.example');
    release();
    await expect
      .poll(() => page.getByLabel('To', { exact: true }).inputValue())
      .toBe('cerin@elsewhere.example');
    const { rows } = await app.services.pool.query(
      'select folder from mail_messages where mailbox_id = $1 order by folder',
      [mailbox.id],
    );
    expect(rows.map(({ folder }) => folder)).toEqual(['drafts', 'inbox']);
  });
});

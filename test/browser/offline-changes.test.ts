import { createCalendar, createMailbox, createMailMessage } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type Agent, type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';

describeInBrowser('changes outside of tickets without a network', () => {
  let app: ConsoleUnderTest;
  let agent: Agent;
  let page: Page;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
    agent = await app.agent();
    page = agent.page;
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const rows = async (text: string, ...values: unknown[]) =>
    (await app.services.pool.query(text, values)).rows;
  /** Fails every call that writes, as a line that breaks does, also over a reload. */
  const WRITES =
    /trpc\/(calendar\.(create|change|delete)|notifications\.changeSetting|tickets\.update|mail\.saveDraft)/;
  const isUnsaved = (count: number) =>
    page
      .getByText(count === 1 ? '1 change isn’t saved yet.' : `${count} changes aren’t saved yet.`)
      .waitFor();
  const allSaved = () => page.getByText(/saved yet/).waitFor({ state: 'hidden' });

  test('creates, moves and deletes events that a reload keeps, each once', async () => {
    const calendar = await createCalendar(app.services, { firm: app.firm, owner: agent });
    await page.goto('/calendar?view=day&day=2026-11-23');
    const create = async (title: string) => {
      await page.getByRole('button', { name: 'New event' }).click();
      await page.getByLabel('Title').fill(title);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: title }).waitFor();
    };
    const titles = async () =>
      (await rows('select title from events where calendar_id = $1 order by title', calendar)).map(
        ({ title }) => title,
      );
    await create('Review');
    await create('Walk');
    await expect.poll(titles).toEqual(['Review', 'Walk']);

    await agent.context.setOffline(true);
    await create('Lunch');
    await isUnsaved(1);
    await page.getByRole('button', { name: /^Lunch.*not saved$/ }).waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Title').fill('Review of the week');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: /^Review of the week.*not saved$/ }).waitFor();
    await page.getByRole('button', { name: 'Walk' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Walk' }).waitFor({ state: 'detached' });
    await isUnsaved(3);
    await expectAccessible(page);

    await page.route(WRITES, (route) => route.abort());
    await agent.context.setOffline(false);
    await page.reload();
    await page.getByRole('button', { name: /^Lunch/ }).waitFor();
    await page.getByRole('button', { name: /^Review of the week/ }).waitFor();
    await isUnsaved(3);
    expect(await titles()).toEqual(['Review', 'Walk']);
    await page.unroute(WRITES);
    // The next attempt would follow after up to half a minute.
    await page.reload();
    await expect.poll(titles).toEqual(['Lunch', 'Review of the week']);
    await allSaved();
    await page.getByRole('button', { name: /^Lunch/ }).waitFor();
  });

  test('keeps settings and the text of a mail draft, and saves them when the line is back', async () => {
    const mailbox = await createMailbox(app.services, {
      firm: app.firm,
      writes: [agent],
    });
    const { id } = await createMailMessage(app.services, { mailbox, folder: 'drafts' });
    await page.goto(`/mail?folder=drafts&message=${id}`);
    await page.getByLabel('Subject').waitFor();
    await page.route(WRITES, (route) => route.abort());
    await page.getByLabel('Subject').fill('Typed without a line');
    await isUnsaved(1);
    await page.goto('/account/notifications');
    await page.getByRole('checkbox', { name: 'Risk flag: Push' }).click();
    await page.getByText('Not saved').waitFor();
    await page.goto('/settings/assistant');
    await page.getByRole('switch', { name: 'Allow agents to use AI' }).click();
    await isUnsaved(3);
    await page.reload();
    await isUnsaved(3);
    expect(await page.getByRole('switch', { name: 'Allow agents to use AI' }).isChecked()).toBe(false);
    await page.unroute(WRITES);
    // Another page saves them, without the draft’s editor.
    await page.reload();
    await allSaved();
    const subject = () => rows('select subject from mail_messages where id = $1', id);
    await expect.poll(subject).toEqual([{ subject: 'Typed without a line' }]);
    const firm = () =>
      rows('select assistant_enabled_for_team as "isOn" from workspaces where id = $1', app.firm.id);
    await expect.poll(firm).toEqual([{ isOn: false }]);
  });
});

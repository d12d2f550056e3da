import { createMailbox, createMailMessage, createTag, createTeam, createUser } from '@firmdesk/testing';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  type ConsoleUnderTest,
  describeInBrowser,
  holdNext,
  openConsole,
  openTicket,
  QUESTION,
} from './browser.ts';

describeInBrowser('undo of changes', () => {
  let app: ConsoleUnderTest;
  const tags: number[] = [];
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
    await createTeam(app.services, { firm: app.firm, name: 'Payouts' });
    for (const name of ['VIP', 'Fraud']) tags.push(await createTag(app.services, { firm: app.firm, name }));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const open = async () => {
    const { ticket, agents } = await app.openTicketFor('Ada Able');
    return { ticket, ...agents[0]! };
  };
  const createColleague = () =>
    createUser(app.services, {
      firm: app.firm,
      name: 'Ben Best',
      permissions: ['view_tickets', 'manage_tickets'],
    });

  const stored = async (ticket: string) => {
    const { rows } = await app.services.pool.query(
      `select status, priority, (select name from users u where u.id = t.assignee_id) as assignee,
         (select name from teams g where g.workspace_id = t.workspace_id and g.id = t.team_id) as team,
         array(select name from ticket_tags l join tags g on g.workspace_id = l.workspace_id and g.id = l.tag_id
           where l.workspace_id = t.workspace_id and l.ticket_id = t.id order by name) as tags
       from tickets t where workspace_id = $1 and id = $2`,
      [app.firm.id, ticket],
    );
    return rows[0] as {
      status: string;
      priority: string;
      assignee: string | null;
      team: string | null;
      tags: string[];
    };
  };
  const untouched = { status: 'awaiting_admin', priority: 'normal', assignee: null, team: null, tags: [] };

  const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true });
  const undoings = (page: Page) => page.getByRole('status').filter({ hasText: /^Undo(ne|ing): / });
  const announced = (page: Page, text: RegExp | string) =>
    page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' });

  async function choose(page: Page, property: RegExp, value: string): Promise<void> {
    await page.getByRole('button', { name: property }).click();
    await page.getByRole('menuitemcheckbox', { name: value, exact: true }).click();
    // The menu of the tags stays open.
    if (property.test('Tags: No tags')) await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  }

  const changes: [property: RegExp, value: string, changed: object][] = [
    [/^Assignee:/, 'Ada Able (me)', { assignee: 'Ada Able' }],
    [/^Team:/, 'Payouts', { team: 'Payouts' }],
    [/^Priority:/, 'Urgent', { priority: 'urgent' }],
    [/^Tags:/, 'VIP', { tags: ['VIP'] }],
  ];

  test('sets assignee, team, priority and tags back, by the key and by the button', async () => {
    const { ticket, page } = await open();
    for (const [property, value, changed] of changes) {
      for (const act of [() => page.keyboard.press('z'), () => undo(page).click()]) {
        await choose(page, property, value);
        await expect.poll(() => stored(ticket)).toEqual({ ...untouched, ...changed });
        await act();
        await expect.poll(() => stored(ticket)).toEqual(untouched);
        await announced(page, /^Undone: /);
        await undo(page).waitFor({ state: 'detached' });
      }
    }
  });

  test('undoes a change whose response was lost', async () => {
    const { ticket, page } = await open();
    await page.route(/trpc\/tickets\.setPriority/, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await choose(page, /^Priority:/, 'Urgent');
    await page.getByText('1 change isn’t saved yet.').waitFor();
    await page.keyboard.press('z');
    await announced(page, /^Undoing: /);
    expect((await stored(ticket)).priority).toBe('urgent');
    await page.unroute(/trpc\/tickets\.setPriority/);
    await expect.poll(() => stored(ticket)).toEqual(untouched);
    await page.getByText(/saved yet/).waitFor({ state: 'hidden' });
  });

  test('offers no undo of a change that was rejected', async () => {
    const { ticket, page } = await open();
    const { release } = await holdNext(page, 'tickets.setStatus');
    await page.keyboard.press('e');
    await undo(page).waitFor();
    await app.call(await createColleague(), 'tickets.setStatus', { ticket, status: 'closed' });
    release();
    await page.getByText('Couldn’t change the status').waitFor();
    await undo(page).waitFor({ state: 'detached' });
    await page.keyboard.press('z');
    await announced(page, 'Nothing to undo.');
    expect((await stored(ticket)).status).toBe('closed');
  });

  test('undoes nothing once a change is rejected that was to be undone', async () => {
    const { ticket, page } = await open();
    const { release } = await holdNext(page, 'tickets.setStatus');
    await page.keyboard.press('e');
    await undo(page).click();
    await app.call(await createColleague(), 'tickets.setStatus', { ticket, status: 'closed' });
    release();
    await page.getByText('Couldn’t change the status').waitFor();
    await page.getByText(/saved yet/).waitFor({ state: 'hidden' });
    expect((await stored(ticket)).status).toBe('closed');
    expect(await undoings(page).count()).toBe(0);
  });

  test('keeps what a colleague has changed since, and says so', async () => {
    const { ticket, page } = await open();
    const ben = await createColleague();
    await choose(page, /^Priority:/, 'Urgent');
    await expect.poll(async () => (await stored(ticket)).priority).toBe('urgent');
    await app.call(ben, 'tickets.setPriority', { ticket, priority: 'low' });
    await page.keyboard.press('z');
    await page.getByText('Couldn’t undo the change').waitFor();
    await page.getByText(/^The priority has been changed since, and stays\./).waitFor();
    expect((await stored(ticket)).priority).toBe('low');
    expect(await undoings(page).count()).toBe(0);

    await choose(page, /^Tags:/, 'VIP');
    await expect.poll(async () => (await stored(ticket)).tags).toEqual(['VIP']);
    await app.call(ben, 'tickets.setTags', { ticket, tags });
    await page.keyboard.press('z');
    await expect.poll(async () => (await stored(ticket)).tags).toEqual(['Fraud']);
  });

  test('says that a reply was sent before it could be taken back', async () => {
    const ticket = await app.ticket({ messages: [{ body: QUESTION }] });
    const { page } = await app.agent({ name: 'Ada Able', delaysSends: true });
    await openTicket(page, ticket);
    const field = page.getByRole('textbox', { name: /^Reply to/ });
    await app.withoutWorker(async () => {
      await field.fill('Paid on Monday.');
      await field.press('Control+Enter');
      await undo(page).waitFor();
      expect(await undo(page).count(), 'it is offered once').toBe(1);
      await app.services.pool.query(
        `update job_requests set run_at = now() where workspace_id = $1 and task = 'tickets.send_delayed'`,
        [app.firm.id],
      );
    });
    await page.getByRole('article', { name: 'Message, Ada Able' }).waitFor();
    await undo(page).waitFor({ state: 'detached' });
    await field.press('Escape');
    await page.keyboard.press('z');
    await page.getByText('Couldn’t take the reply back').waitFor();
    expect(await undoings(page).count()).toBe(0);
  });

  test('moves an archived mail message back, by the key and by the button', async () => {
    const agent = await app.agent();
    const { page } = agent;
    const mailbox = await createMailbox(app.services, { firm: app.firm, writes: [agent] });
    const { id } = await createMailMessage(app.services, { mailbox, folder: 'inbox' });
    const folder = async () =>
      (await app.services.pool.query('select folder from mail_messages where id = $1', [id])).rows[0].folder;
    await page.goto('/mail');
    const row = page.getByRole('link', { name: /Quarterly numbers/ });
    const moved = page.getByText('Moved to Archive', { exact: true }).first();
    const archive = async () => {
      await row.click();
      await page.getByRole('button', { name: 'Archive' }).click();
      await moved.waitFor();
      await expect.poll(folder).toBe('archive');
    };
    await archive();
    await page.keyboard.press('z');
    await row.waitFor();
    await announced(page, 'Undone: Moved to Archive');
    expect(await folder()).toBe('inbox');
    await moved.waitFor({ state: 'detached' });
    await archive();
    await page.getByRole('listitem').filter({ hasText: 'Moved to Archive' }).getByText('Undo').click();
    await row.waitFor();
    await announced(page, 'Undone: Moved to Archive');
    expect(await folder()).toBe('inbox');
  });

  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    test(`shows at most three toasts in the ticket, which cover neither each other nor the composer, ${viewport.width} pixels wide`, async () => {
      const ticket = await app.ticket({ messages: [{ body: QUESTION }] });
      const { page } = await app.agent({ viewport });
      await openTicket(page, ticket);
      await page.getByRole('textbox', { name: /^Reply to/ }).focus();
      await page.keyboard.press('Escape');
      const toasts = page.locator('[data-sonner-toast][data-visible=true]');
      for (const key of ['u', 'h', 'l', 'n']) {
        await page.keyboard.type(`p${key}`);
        await page.keyboard.press('Enter');
        await page.getByRole('menu').waitFor({ state: 'detached' });
        // Toasts stay while the pointer is on one of them, however slow the machine is.
        await toasts.first().hover();
      }
      await expect.poll(() => toasts.count()).toBe(3);
      // They move to their places.
      const boxes = () =>
        Promise.all([boxesOf(toasts), boxesOf(page.getByLabel('Composer', { exact: true }))]);
      await expect.poll(async () => overlaps((await boxes()).flat())).toEqual([]);
      // In the middle of the ticket, right above the composer.
      const [shown, [composer]] = await boxes();
      const [ticketBox] = await boxesOf(page.getByRole('region', { name: 'Ticket', exact: true }));
      const [column] = await boxesOf(page.getByRole('region', { name: 'Conversation' }));
      for (const { x, y, width, height } of shown) {
        expect(x).toBeGreaterThanOrEqual(ticketBox!.x);
        expect(x + width / 2).toBeCloseTo(column!.x + column!.width / 2, -1);
        expect(y).toBeGreaterThanOrEqual(column!.y);
        expect(y + height).toBeLessThanOrEqual(composer!.y);
      }
      expect(composer!.y - Math.max(...shown.map(({ y, height }) => y + height))).toBeLessThan(40);
      await toasts.first().getByRole('button', { name: 'Undo', exact: true }).click();
      await expect.poll(async () => (await stored(ticket)).priority).toBe('low');
    });
  }
});

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

async function boxesOf(locator: Locator): Promise<Box[]> {
  const boxes = await Promise.all((await locator.all()).map((each) => each.boundingBox()));
  return boxes.filter((box) => box !== null);
}

/** Returns the pairs of boxes that overlap. */
function overlaps(boxes: readonly Box[]): [Box, Box][] {
  const pairs = boxes.flatMap((a, index) => boxes.slice(index + 1).map((b): [Box, Box] => [a, b]));
  return pairs.filter(
    ([a, b]) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
  );
}

import { createTeam, createTicket, createUser, createWorkspace } from '@firmdesk/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { type ConsoleUnderTest, callFrom, describeInBrowser, openConsole, startSession } from './browser.ts';
import { fieldText } from './case-list.ts';
import { createMember, switchFirm } from './create-member.ts';

type Firm = Awaited<ReturnType<typeof createWorkspace>>;

interface Person {
  id: string;
  email: string;
  context: BrowserContext;
}

/** What one firm has in these tests. */
interface Side {
  firm: Firm;
  /** The subject of its ticket. */
  subject: string;
  ticket: string;
  /** A colleague who is only in this firm, with the ticket open. */
  name: string;
  colleague: Person;
  colleaguePage: Page;
  /** The window of the member of both firms. */
  page: Page;
}

describeInBrowser('two firms', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  let both: Person;
  let north: Side;
  let south: Side;
  beforeEach(async () => {
    const firms = [await createWorkspace(app.services), await createWorkspace(app.services)] as const;
    both = await memberOf('Bo Both', ...firms);
    [north, south] = await Promise.all([
      sideOf(firms[0], 'North question', 'Nils North'),
      sideOf(firms[1], 'South question', 'Suzy South'),
    ]);
  });

  /** Creates a person in a browser that is signed in to each of the firms. */
  async function memberOf(name: string, ...firms: readonly [Firm, ...Firm[]]): Promise<Person> {
    const { id, email } = await createMember(app, firms, name);
    const { context, page } = await app.agent({ isSignedOut: true });
    await page.close();
    for (const { slug } of firms) await startSession(context, app.url, { email, workspace: slug });
    return { id, email, context };
  }

  async function sideOf(firm: Firm, subject: string, name: string): Promise<Side> {
    const trader = await createUser(app.services, { firm, role: 'trader', name: 'Tess Trader' });
    const ticket = await createTicket(app.services, {
      firm,
      trader,
      subject,
      status: 'awaiting_admin',
      messages: [{ body: `${subject}?` }],
    });
    const colleague = await memberOf(name, firm);
    return {
      firm,
      subject,
      ticket,
      name,
      colleague,
      colleaguePage: await openWindow(colleague, firm, `/tickets/${ticket}`),
      page: await openWindow(both, firm, '/tickets'),
    };
  }

  async function openWindow({ context }: Person, { slug }: Firm, path: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`/firms/${slug}${path}`);
    await page.locator('[data-connection=open]').waitFor();
    return page;
  }

  const call = ({ context }: Person, { slug }: Firm, procedure: string, input: object) =>
    callFrom(context, app.url, slug, procedure, input);

  async function switchTo(page: Page, { firm, subject }: Side): Promise<void> {
    await switchFirm(page, firm);
    await row(page, subject).waitFor();
  }

  const sides = () =>
    [
      { here: north, there: south },
      { here: south, there: north },
    ] as const;
  const row = (page: Page, subject: string) => page.getByRole('option').filter({ hasText: subject });
  const reply = (page: Page) => page.getByRole('textbox', { name: /^Reply to/ });
  const views = (page: Page) => page.getByRole('navigation', { name: 'Views' });

  test('show who views a ticket in its own firm only', async () => {
    for (const { here, there } of sides()) {
      const { page, subject, name } = here;
      await row(page, subject).getByText(`${name} is viewing`).waitFor({ state: 'attached' });
      expect(await page.getByText(there.name).count()).toBe(0);
      expect(await page.getByText(there.subject).count()).toBe(0);
    }
    // The member of both is shown where the ticket is open, after a switch in the other firm.
    const viewing = (page: Page) =>
      page.getByRole('region', { name: 'Ticket', exact: true }).getByText('Bo Both is viewing');
    await row(north.page, north.subject).click();
    await viewing(north.colleaguePage).waitFor();
    expect(await viewing(south.colleaguePage).count()).toBe(0);
    await switchTo(north.page, south);
    await viewing(north.colleaguePage).waitFor({ state: 'detached' });
    await row(north.page, south.subject).click();
    await viewing(south.colleaguePage).waitFor();
    expect(await viewing(north.colleaguePage).count()).toBe(0);
    expect(await north.page.getByText(north.name).count()).toBe(0);
  });

  test('keep the drafts of one author apart, live, after a reload and after a switch', async () => {
    const draft = ({ page }: Side) => page.getByRole('option').getByText('Draft', { exact: true });
    await row(north.page, north.subject).click();
    await reply(north.page).fill('To the north');
    await draft(north).waitFor();
    await row(south.page, south.subject).click();
    expect(await reply(south.page).evaluate(fieldText)).toBe('');
    // What the service has of the second firm comes after what it had of the first.
    const input = { ticket: south.ticket, mode: 'reply', text: 'To the south', base: null };
    await call(both, south.firm, 'tickets.saveDraft', input);
    await expect.poll(() => reply(south.page).evaluate(fieldText)).toBe('To the south');
    for (const { here } of sides()) {
      await here.page.reload();
      await draft(here).waitFor();
      await row(here.page, here.subject).getByText('Draft', { exact: true }).waitFor();
      // Drafts are not shown to colleagues.
      expect(await here.colleaguePage.getByText('Draft', { exact: true }).count()).toBe(0);
      expect(await reply(here.colleaguePage).evaluate(fieldText)).toBe('');
    }
    await switchTo(north.page, south);
    await row(north.page, south.subject).click();
    await expect.poll(() => reply(north.page).evaluate(fieldText)).toBe('To the south');
    const { rows } = await app.services.pool.query(
      'select workspace_id, ticket_id, text from reply_drafts where user_id = $1 order by text',
      [both.id],
    );
    expect(rows).toEqual([
      { workspace_id: north.firm.id, ticket_id: north.ticket, text: 'To the north' },
      { workspace_id: south.firm.id, ticket_id: south.ticket, text: 'To the south' },
    ]);
  });

  test('show saved views of their own firm only, live and after a switch', async () => {
    const own = ({ name }: Side) => `Own in ${name}`;
    const shared = ({ name }: Side) => `Shared in ${name}`;
    for (const { here } of sides()) {
      const { firm, colleague } = here;
      const team = await createTeam(app.services, { firm, name: 'Payments', members: [both, colleague] });
      const search = { q: here.subject };
      await call(both, firm, 'tickets.views.create', { name: own(here), search });
      await call(colleague, firm, 'tickets.views.create', { name: shared(here), team, search });
    }
    for (const { here, there } of sides()) {
      for (const name of [own(here), shared(here)]) await views(here.page).getByText(name).waitFor();
      await views(here.colleaguePage).getByText(shared(here)).waitFor();
      for (const page of [here.page, here.colleaguePage])
        for (const name of [own(there), shared(there)]) expect(await page.getByText(name).count()).toBe(0);
      expect(await here.colleaguePage.getByText(own(here)).count()).toBe(0);
    }
    await switchTo(north.page, south);
    for (const name of [own(south), shared(south)]) await views(north.page).getByText(name).waitFor();
    for (const name of [own(north), shared(north)]) expect(await north.page.getByText(name).count()).toBe(0);
  });

  test('offer the macros of their own firm only, also after a switch', async () => {
    const name = ({ subject }: Side) => `Answer to the ${subject}`;
    for (const { here } of sides()) {
      // The same id in both firms.
      await app.services.pool.query(
        `insert into macros (workspace_id, id, position, name, name_key, texts, tag_ids, assigns_author, created_at)
         values ($1, 'mac_answer', 1, $2, lower($2), $3, '{}', false, now())`,
        [here.firm.id, name(here), JSON.stringify([{ language: 'en', text: `Dear ${here.subject}` }])],
      );
    }
    const insert = async (page: Page, here: Side, there: Side) => {
      await row(page, here.subject).click();
      await page.getByRole('button', { name: 'Insert a macro' }).click();
      const picker = page.getByRole('dialog', { name: 'Insert a macro' });
      await picker.getByRole('option', { name: name(here) }).waitFor();
      expect(await picker.getByRole('option').count()).toBe(1);
      expect(await page.getByText(name(there)).count()).toBe(0);
      await page.keyboard.press('Enter');
      await expect.poll(() => reply(page).evaluate(fieldText)).toContain(`Dear ${here.subject}`);
    };
    await insert(north.page, north, south);
    await reply(north.page).press('Control+Enter');
    await north.page.getByRole('article', { name: 'Message, Bo Both' }).waitFor();
    await switchTo(north.page, south);
    await insert(north.page, south, north);
    const { rows } = await app.services.pool.query(
      'select workspace_id, used::integer from macros where workspace_id = any($1) order by used desc',
      [[north.firm.id, south.firm.id]],
    );
    expect(rows).toEqual([
      { workspace_id: north.firm.id, used: 1 },
      { workspace_id: south.firm.id, used: 0 },
    ]);
  });

  test('change the tickets of one firm in bulk, and show it there only', async () => {
    const report = (page: Page) => page.getByRole('region', { name: 'Bulk change' });
    const urgent = (page: Page, subject: string) => row(page, subject).getByText('Urgent');
    const changeAll = async (page: Page, subject: string) => {
      await row(page, subject).waitFor();
      await page.keyboard.type('Xpu');
      await page.keyboard.press('Enter');
      await page.getByRole('alertdialog').locator('button').last().click();
      await report(page).getByText('1 ticket changed').waitFor();
    };
    await changeAll(north.page, north.subject);
    for (const page of [north.page, north.colleaguePage]) await urgent(page, north.subject).waitFor();
    // Loaded after the change, and live.
    await south.page.reload();
    await row(south.page, south.subject).waitFor();
    for (const page of [south.page, south.colleaguePage]) {
      expect(await urgent(page, south.subject).count()).toBe(0);
      expect(await report(page).count()).toBe(0);
    }
    await switchTo(north.page, south);
    expect(await report(north.page).count()).toBe(0);
    await changeAll(south.page, south.subject);
    await urgent(south.colleaguePage, south.subject).waitFor();
    const { rows } = await app.services.pool.query(
      'select id, priority from tickets where workspace_id = any($1) order by id',
      [[north.firm.id, south.firm.id]],
    );
    expect(rows.map(({ priority }) => priority)).toEqual(['urgent', 'urgent']);
  });
});

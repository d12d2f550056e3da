import { createSandbox, createStaff, createTicket, createWorkspace } from '@firmdesk/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import {
  type ConsoleUnderTest,
  callFrom,
  describeInBrowser,
  openConsole,
  PASSWORD,
  startSession,
} from './browser.ts';
import { createMember, switchFirm } from './create-member.ts';

type Firm = Awaited<ReturnType<typeof createWorkspace>>;

describeInBrowser('firms in the console', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  let first: Firm;
  let second: Firm;
  let context: BrowserContext;
  beforeEach(async () => {
    [first, second] = [await createWorkspace(app.services), await createWorkspace(app.services)];
    for (const firm of [first, second])
      await createTicket(app.services, {
        firm,
        trader: app.trader,
        subject: `In ${firm.slug}`,
        status: 'awaiting_admin',
      });
  });

  /** Creates a member of both firms in a browser that is signed in to the first one only. */
  async function memberOfBoth(): Promise<{ email: string }> {
    const { email } = await createMember(app, [first, second]);
    await signIn({ email, workspace: first.slug });
    return { email };
  }

  /** Creates a staff account for both firms. */
  async function staffOfBoth(): Promise<{ email: string }> {
    const { email } = await createStaff(app.services, [first, second], PASSWORD);
    await signIn({ email });
    for (const { slug: workspace } of [first, second])
      await callFrom(context, app.url, 'platform', 'staff.firms.enter', { workspace, reason: 'A test' });
    return { email };
  }

  async function signIn(credentials: { email: string; workspace?: string }): Promise<void> {
    const agent = await app.agent({ isSignedOut: true });
    context = agent.context;
    await agent.page.close();
    await startSession(context, app.url, credentials);
  }

  async function openWindow(path: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(path);
    return page;
  }

  const at = (firm: Firm, page: string) => `/firms/${firm.slug}${page}`;
  const forTeam = (page: Page) => page.getByRole('switch', { name: 'Allow agents to use AI' });
  const isOn = async ({ id }: Firm): Promise<boolean> => {
    const { rows } = await app.services.pool.query(
      'select assistant_enabled_for_team as "isOn" from workspaces where id = $1',
      [id],
    );
    return rows[0].isOn;
  };

  /** Returns whether a window waits to send a change that another window is sending. */
  const waitsForChange = async () => {
    const { pending = [] } = await navigator.locks.query();
    return pending.some(({ name }) => name?.startsWith('firmdesk.outbox.'));
  };

  const raisePriority = ({ slug }: Pick<Firm, 'slug'>, ticket: string) =>
    callFrom(context, app.url, slug, 'tickets.setPriority', { ticket, priority: 'urgent' });

  async function switchTo(page: Page, firm: Firm): Promise<void> {
    await switchFirm(page, firm);
    await page.getByText(`In ${firm.slug}`).first().waitFor();
  }

  for (const [who, arrive] of [
    ['a staff account', staffOfBoth],
    ['a member of two firms', memberOfBoth],
  ] as const) {
    test(`saves a setting in the firm of its window after ${who} switches another window`, async () => {
      await arrive();
      const window = await openWindow(at(first, '/settings/assistant'));
      await forTeam(window).waitFor();
      const other = await openWindow(at(first, '/tickets'));
      await switchTo(other, second);
      await other.goto(at(second, '/settings/assistant'));
      await forTeam(other).waitFor();

      await forTeam(window).click();
      await expect.poll(() => isOn(first)).toBe(false);
      expect(await isOn(second)).toBe(true);
      await window.reload();
      await expect.poll(() => forTeam(window).isChecked()).toBe(false);
      expect(new URL(window.url()).pathname).toBe(at(first, '/settings/assistant'));
      await other.reload();
      await forTeam(other).waitFor();
      expect(await forTeam(other).isChecked()).toBe(true);
      expect(await isOn(second)).toBe(true);
    });
  }

  test('shows test data under an address of its own, says so on each page, and follows it live', async () => {
    await memberOfBoth();
    const window = await openWindow(at(first, '/tickets'));
    await window.getByText(`In ${first.slug}`).first().waitFor();
    await window.getByRole('button', { name: /switch firm/ }).click();
    await window.getByRole('menuitemcheckbox', { name: 'Test data' }).click();
    await window.waitForURL(`**/firms/${first.slug}.test/tickets**`);
    await window
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: 'All tickets' })
      .click();
    await window.getByText('Where is my payout?').first().waitFor();
    expect(await window.getByText(`In ${first.slug}`).count()).toBe(0);
    await expectAccessible(window);

    // A change in the sandbox appears in the window; one in the firm does not.
    await window.locator('[data-connection=open]').waitFor();
    const sandbox = await createSandbox(app.services, first);
    const { rows } = await app.services.pool.query(
      `select id from tickets where workspace_id = $1 and subject = 'My account is locked'`,
      [sandbox.id],
    );
    await raisePriority(sandbox, rows[0].id);
    await window.getByRole('option', { name: /Urgent/ }).waitFor();

    for (const page of ['/mail', '/calendar', '/notifications', '/account/sessions']) {
      await window.goto(`/firms/${sandbox.slug}${page}`);
      await window.getByText('Test data.').waitFor();
    }
    await window.getByRole('button', { name: 'Show live data' }).click();
    await window.waitForURL(`**${at(first, '/tickets')}**`);
    await window.getByText(`In ${first.slug}`).first().waitFor();
    expect(await window.getByText('Test data.').count()).toBe(0);

    await window.getByRole('button', { name: /^Account of/ }).click();
    await window.getByRole('menuitem', { name: 'Sign out' }).click();
    await window.waitForURL('**/sign-in');
    expect((await context.cookies()).filter(({ name }) => name.includes(first.slug))).toEqual([]);
  });

  test('keeps the live updates of each window in its firm when the gateway restarts', async () => {
    await memberOfBoth();
    const window = await openWindow(at(first, '/tickets'));
    await window.locator('[data-connection=open]').waitFor();
    const other = await openWindow(at(first, '/tickets'));
    await switchTo(other, second);
    await other.locator('[data-connection=open]').waitFor();
    // The connection breaks, and each window reconnects to its own firm.
    await app.restart();
    for (const page of [window, other]) await page.locator('[data-connection=open]').waitFor();
    for (const [page, firm] of [
      [window, first],
      [other, second],
    ] as const) {
      const { rows } = await app.services.pool.query('select id from tickets where workspace_id = $1', [
        firm.id,
      ]);
      await raisePriority(firm, rows[0].id);
      await page.getByRole('option', { name: /Urgent/ }).waitFor();
      await page.getByText(`In ${firm.slug}`).first().waitFor();
    }
  });

  test('retries a call in its original firm after a network failure', async () => {
    await staffOfBoth();
    const window = await openWindow(at(first, '/settings/assistant'));
    await forTeam(window).waitFor();
    const tries: (string | undefined)[] = [];
    const broken = Promise.withResolvers<void>();
    const isBack = Promise.withResolvers<void>();
    await window.route('**/trpc/tickets.updateAssistantSettings', async (route) => {
      tries.push(route.request().headers()['service-workspace']);
      if (tries.length > 1) return route.continue();
      broken.resolve();
      await isBack.promise;
      return route.abort('connectionfailed');
    });
    await forTeam(window).click();
    await broken.promise;
    const other = await openWindow(at(first, '/tickets'));
    // This window would send the change too, if the other one were closed.
    await expect.poll(() => other.evaluate(waitsForChange)).toBe(true);
    await switchTo(other, second);
    expect(tries).toEqual([first.slug]);
    isBack.resolve();
    await expect.poll(() => isOn(first)).toBe(false);
    expect(tries).toEqual([first.slug, first.slug]);
    expect(await isOn(second)).toBe(true);
  });

  test('waits for a change that is being saved before it switches the firm', async () => {
    await staffOfBoth();
    const window = await openWindow(at(first, '/settings/assistant'));
    await forTeam(window).waitFor();
    let tries = 0;
    await window.route('**/trpc/tickets.updateAssistantSettings', (route) =>
      tries++ === 0 ? route.abort('connectionfailed') : route.continue(),
    );
    await forTeam(window).click();
    await switchTo(window, second);
    expect([await isOn(first), await isOn(second)]).toEqual([false, true]);
    await window.goto(at(second, '/settings/assistant'));
    expect(await forTeam(window).isChecked()).toBe(true);
  });

  test('keeps the firm over back, forward, a reload and a copied link', async () => {
    await memberOfBoth();
    const window = await openWindow(at(first, '/tickets'));
    await window.getByText(`In ${first.slug}`).first().waitFor();
    await switchTo(window, second);
    expect(await window.getByText(`In ${first.slug}`).count()).toBe(0);
    await window.goBack();
    await window.getByText(`In ${first.slug}`).first().waitFor();
    expect(await window.getByText(`In ${second.slug}`).count()).toBe(0);
    await window.goForward();
    await window.getByText(`In ${second.slug}`).first().waitFor();
    await window.reload();
    await window.getByText(`In ${second.slug}`).first().waitFor();
    await window.getByText(`In ${second.slug}`).first().click();
    await window.getByRole('heading', { name: `In ${second.slug}` }).waitFor();
    const copy = await openWindow(window.url());
    await copy.getByRole('heading', { name: `In ${second.slug}` }).waitFor();
  });

  test('opens a link without a firm in the window’s firm, the only firm, or a chosen one', async () => {
    const { rows } = await app.services.pool.query('select id from tickets where workspace_id = $1', [
      second.id,
    ]);
    const link = `/tickets/${rows[0].id}`;
    await memberOfBoth();
    const fresh = await openWindow(link);
    await fresh.getByRole('heading', { name: 'Choose a firm' }).waitFor();
    await fresh.getByRole('button', { name: second.name }).click();
    await fresh.waitForURL(`**${at(second, link)}`);
    await fresh.getByRole('heading', { name: `In ${second.slug}` }).waitFor();
    // This window is in the second firm now.
    await fresh.goto('/settings/assistant?from=mail');
    await forTeam(fresh).waitFor();
    expect(fresh.url()).toBe(`${app.url}${at(second, '/settings/assistant?from=mail')}`);

    const { page } = await app.agent();
    await page.goto('/calendar?view=month');
    await page.waitForURL(`**${app.pathOf('/calendar')}?view=month`);
    // Also if the first query of the firms fails, or gets no answer in time.
    await page.evaluate(() => sessionStorage.clear());
    await page.route(/sessions\.ofBrowser/, (route) => route.fulfill({ status: 500 }), { times: 1 });
    await page.goto('/calendar?view=week');
    await page.waitForURL(`**${app.pathOf('/calendar')}?view=week`);
  });

  test('signs out of one firm and leaves the window of the other one working', async () => {
    await memberOfBoth();
    const window = await openWindow(at(first, '/settings/assistant'));
    const other = await openWindow(at(first, '/tickets'));
    await switchTo(other, second);
    await other.getByRole('button', { name: /^Account of/ }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Firmdesk' }).waitFor();
    await forTeam(window).click();
    await expect.poll(() => isOn(first)).toBe(false);
    await other.goto('/firms');
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Firmdesk' }).waitFor();
    await window.getByRole('heading', { name: 'Firmdesk' }).waitFor();
    expect(await context.cookies()).toEqual([]);
  });
});

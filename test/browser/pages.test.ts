import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type Agent, type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { selectValue } from './select-value.ts';

describeInBrowser('notifications, pre-registrations and settings', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'), { showsNotifications: true });
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const notify = (person: Agent, title: string) =>
    app.call(person, 'notifications.notify', {
      workspace: app.firm.slug,
      kind: 'ticket_awaiting_admin',
      title,
      action_url: '/tickets?status=waiting',
      to: [person.email],
    });

  /** Creates an agent without unread notifications. */
  async function quietAgent(): Promise<Agent> {
    const agent = await app.agent();
    await readAll(agent);
    return agent;
  }

  const readAll = ({ id }: Agent) =>
    app.services.pool.query('update notifications set read_at = now() where user_id = $1', [id]);

  /** Signs the person in on another device. */
  async function secondSession({ email, password, context }: Agent): Promise<Page> {
    const other = await context.browser()!.newContext({ baseURL: app.url, locale: 'en-GB' });
    onTestFinished(() => other.close());
    other.setDefaultTimeout(60_000);
    const answer = await other.request.post(`${app.url}/trpc/sessions.signIn`, {
      headers: { origin: app.url, 'idempotency-key': crypto.randomUUID() },
      data: { json: { email, password, cookie: true, name: 'The other one' } },
    });
    expect(answer.status()).toBe(200);
    return other.newPage();
  }

  const bell = (page: Page, unread: number) =>
    page.getByRole('button', {
      name: unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`,
      exact: true,
    });

  test('shows a notification in every session and marks it as read in all of them', async () => {
    const agent = await app.agent();
    const other = await secondSession(agent);
    await readAll(agent);
    await agent.page.goto('/calendar');
    await other.goto('/notifications');
    await bell(agent.page, 0).waitFor();
    await bell(other, 0).waitFor();
    // Both windows are subscribed from here on.
    for (const page of [agent.page, other]) await page.locator('[data-connection=open]').waitFor();

    await notify(agent, 'Tess waits for an answer');
    await bell(agent.page, 1).waitFor();
    await bell(other, 1).waitFor();
    await other.getByRole('link', { name: /Tess waits for an answer/ }).waitFor();

    await bell(agent.page, 1).click();
    await agent.page.getByRole('button', { name: 'Mark “Tess waits for an answer” as read' }).click();
    await bell(agent.page, 0).waitFor();
    await bell(other, 0).waitFor();
    await expectAccessible(agent.page);
  });

  test('counts unread notifications in the tab, and shows new ones on the desktop while the window is hidden', async () => {
    const agent = await quietAgent();
    const { page, context } = agent;
    await context.grantPermissions(['notifications'], { origin: app.url });
    await page.addInitScript(() => {
      const shown: string[] = [];
      // The desktop is not part of a test browser: only what is handed to it can be seen.
      class Shown {
        static permission = 'granted';
        static requestPermission = () => Promise.resolve('granted');
        constructor(title: string) {
          shown.push(title);
        }
      }
      Object.assign(window, { Notification: Shown, shown });
    });
    await page.goto('/account/notifications');
    await page.getByRole('switch', { name: 'Desktop notifications' }).click();
    await page.getByRole('switch', { name: 'Desktop notifications', checked: true }).waitFor();
    await bell(page, 0).waitFor();
    await page.locator('[data-connection=open]').waitFor();
    const shown = () => page.evaluate(() => (window as unknown as { shown: string[] }).shown);
    await notify(agent, 'While visible');
    await expect.poll(() => page.title()).toBe('(1) Notification settings · Firmdesk');
    expect(await shown()).toEqual([]);
    await page.evaluate(() =>
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }),
    );
    await notify(agent, 'While hidden');
    await expect.poll(shown).toEqual(['While hidden']);
    await page.getByRole('checkbox', { name: 'Ticket needs a reply: Desktop' }).click();
    await page.getByRole('checkbox', { name: 'Ticket needs a reply: Desktop', checked: false }).waitFor();
    await notify(agent, 'While muted');
    await expect.poll(() => page.title()).toBe('(3) Notification settings · Firmdesk');
    expect(await shown()).toEqual(['While hidden']);
  });

  test('alerts in one of several tabs: by a sound, and on the desktop only while none is visible', async () => {
    const agent = await quietAgent();
    const { context } = agent;
    await context.grantPermissions(['notifications'], { origin: app.url });
    await context.addInitScript(() => {
      const alerts: string[] = [];
      class Shown extends Notification {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          alerts.push(title);
        }
      }
      class Sound extends AudioContext {
        constructor() {
          super();
          alerts.push('sound');
        }
      }
      Object.assign(window, { Notification: Shown, AudioContext: Sound, alerts });
      for (const name of ['desktop-notifications', 'notification-sound'])
        localStorage.setItem(`firmdesk.${name}`, 'true');
    });
    const pages = [agent.page, await context.newPage()];
    for (const each of pages) {
      await each.goto('/account/sessions');
      await bell(each, 0).waitFor();
      await each.locator('[data-connection=open]').waitFor();
    }
    /** Sends a notification, and returns what all tabs have done once each has shown it. */
    const alertsOf = async (title: string, alerts: number) => {
      await notify(agent, title);
      for (const each of pages) await each.getByText(title).first().waitFor();
      const all = async () =>
        (
          await Promise.all(
            pages.map((each) => each.evaluate(() => (window as unknown as { alerts: string[] }).alerts)),
          )
        ).flat();
      await expect.poll(async () => (await all()).length).toBeGreaterThanOrEqual(alerts);
      return (await all()).sort();
    };
    const hide = (page: Page) =>
      page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      });

    expect(await alertsOf('Both visible', 1)).toEqual(['sound']);
    await hide(agent.page);
    expect(await alertsOf('One visible', 2)).toEqual(['sound', 'sound']);
    await hide(pages[1]!);
    const one = ['None visible', 'sound', 'sound', 'sound'];
    expect(await alertsOf('None visible', 4)).toEqual(one);
    // Chrome on Android has a constructor that throws.
    for (const each of pages)
      await each.evaluate(() => {
        class Refusing {
          static permission = 'granted';
          constructor() {
            throw new TypeError('Illegal constructor');
          }
        }
        Object.assign(window, { Notification: Refusing });
      });
    expect(await alertsOf('Refused', 5)).toEqual([...one, 'sound']);
  });

  test('shows notifications by the service worker where pages cannot, and opens their page by a click', async () => {
    const agent = await app.agent({ hasServiceWorker: true });
    const { page, context } = agent;
    await readAll(agent);
    await context.grantPermissions(['notifications'], { origin: app.url });
    await page.addInitScript(() => {
      localStorage.setItem('firmdesk.desktop-notifications', 'true');
      class Refusing {
        static permission = 'granted';
        constructor() {
          throw new TypeError('Illegal constructor');
        }
      }
      Object.assign(window, { Notification: Refusing });
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    });
    await page.goto(app.pathOf('/account/sessions'));
    await page.locator('[data-connection=open]').waitFor();
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    const worker = context.serviceWorkers()[0]!;
    await notify(agent, 'On a phone');
    const shown = () =>
      worker.evaluate(`registration.getNotifications().then((all) => all.map(({ title }) => title))`);
    await expect.poll(shown).toEqual(['On a phone']);
    // A test cannot click on the desktop. The browser lets this event neither last longer nor focus the window.
    await worker.evaluate(
      `registration.getNotifications().then(([notification]) =>
         void dispatchEvent(new NotificationEvent('notificationclick', { notification })))`,
    );
    await page.waitForURL(/\/tickets/);
    await bell(page, 0).waitFor();
    expect(await shown()).toEqual([]);
  });

  test('marks one, several or all notifications as read and opens their pages', async () => {
    const agent = await quietAgent();
    for (const title of ['First', 'Second', 'Third', 'Fourth', 'Fifth']) await notify(agent, title);
    const { page } = agent;
    await page.goto('/notifications');
    await bell(page, 5).waitFor();
    await page.getByRole('button', { name: 'Mark “Fifth” as read' }).click();
    await bell(page, 4).waitFor();

    await page.getByRole('checkbox', { name: 'Select “Fourth”' }).click();
    await page.getByRole('checkbox', { name: 'Select “Third”' }).click();
    await page.getByText('2 selected').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Mark as read', exact: true }).click();
    await bell(page, 2).waitFor();

    await page.getByRole('switch', { name: 'Only unread' }).click();
    await expect.poll(() => page.getByRole('link', { name: /^Unread/ }).count()).toBe(2);
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await bell(page, 1).waitFor();
    await page.getByRole('button', { name: 'Mark all as read (1)' }).click();
    await page.getByText('All read').waitFor();

    await page.getByRole('switch', { name: 'Only unread' }).click();
    await page.getByRole('link', { name: /First/ }).click();
    await page.waitForURL('**/tickets?status=waiting');
  });

  test('creates a pre-registration, shows field errors, finds it while its name is typed and revokes it', async () => {
    const { page } = await app.agent();
    await page.goto('/pre-registrations');
    await page.getByRole('button', { name: 'New pre-registration' }).click();
    const dialog = page.getByRole('dialog', { name: 'New pre-registration' });
    await dialog.getByLabel('Email').fill('no address');
    await dialog.getByLabel('Referral code').fill('WINTER');
    await dialog.getByLabel('Referral URL').fill('https://firm.example/r/WINTER');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Enter a valid email address.').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Email').fill('ann@elsewhere.example');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const row = page.getByRole('row', { name: /ann@elsewhere.example/ });
    await row.getByText('Pending').waitFor();

    await page.keyboard.press('/');
    await page.keyboard.type('nobody@else');
    await page.getByText('No matching pre-registrations').waitFor();
    // Parts of the address and of the code, without Enter.
    for (const text of ['NN@els', 'elsewhere wint']) {
      await page.getByLabel('Search by email or code').fill(text);
      await row.waitFor();
      await page.waitForURL((url) => url.searchParams.get('q') === text);
    }
    await page.reload();
    await row.waitFor();
    expect(await page.getByLabel('Search by email or code').inputValue()).toBe('elsewhere wint');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await row.getByRole('button', { name: 'Actions of ann@elsewhere.example' }).click();
    await page.getByRole('menuitem', { name: 'Revoke…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    await page.reload();
    await row.getByText('Revoked').waitFor();
    await row.getByRole('button', { name: 'Actions of ann@elsewhere.example' }).click();
    await page.getByRole('menuitem', { name: 'Copy the referral link' }).waitFor();
    expect(await page.getByRole('menuitem').count()).toBe(1);
    await page.keyboard.press('Escape');
    await selectValue(page.getByLabel('Status'), 'Pending');
    await page.getByText('No matching pre-registrations').waitFor();
  });

  test('turns the assistant off for the team, and shows and changes the allowance', async () => {
    const { page } = await app.agent();
    await page.goto('/settings/assistant');
    const forTeam = page.getByRole('switch', { name: 'Allow agents to use AI' });
    const wasOn = await forTeam.isChecked();
    await forTeam.click();
    const allowance = page.getByRole('region', { name: 'Allowance' });
    await allowance.getByLabel('Replies per month').fill('321');
    await allowance.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(/0 of 321 replies used this month/)
      .first()
      .waitFor();
    await page.reload();
    await expect.poll(() => forTeam.isChecked()).toBe(!wasOn);
    await forTeam.click();
    await expect.poll(() => forTeam.isChecked()).toBe(wasOn);

    const { page: other } = await app.agent({ permissions: ['view_tickets'] });
    await other.goto('/settings/assistant');
    expect(await other.getByRole('switch').isDisabled()).toBe(true);
    expect(await other.getByRole('button', { name: 'Save' }).count()).toBe(0);
  });

  test('signs out other devices, and not this one, after a password change', async () => {
    const agent = await app.agent();
    const other = await secondSession(agent);
    await other.goto('/account/sessions');
    const { page, password } = agent;
    await page.goto('/account/sign-in');
    await page.getByLabel('Current password').fill('not this');
    await page.getByLabel('New password').fill('a better password');
    const change = page.getByRole('button', { name: 'Change password' });
    await change.click();
    await page.getByText('This is not the current password.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Current password').fill(password);
    await page.getByLabel('New password').fill('short');
    await change.click();
    await page.getByText('The new password must have between 10 and 1024 characters.').waitFor();
    await page.getByLabel('New password').fill('a better password');
    await change.click();
    await page.getByText('One other device was signed out.').waitFor();
    await other.getByRole('heading', { name: 'Firmdesk' }).waitFor();
  });

  test('signs out another session', async () => {
    const agent = await app.agent();
    const other = await secondSession(agent);
    await other.goto('/notifications');
    await other.locator('[data-connection=open]').waitFor();
    const { page } = agent;
    await page.goto('/account/sessions');
    await page.getByRole('button', { name: 'Sign out The other one' }).click();
    await other.getByRole('heading', { name: 'Firmdesk' }).waitFor();
    await expect.poll(() => page.getByText('The other one').count()).toBe(0);
  });

  test('signs out all other sessions, also if one has ended meanwhile, and names a phone', async () => {
    const agent = await app.agent();
    const { page, context } = agent;
    const others = [await secondSession(agent), await secondSession(agent)];
    const phone = await context.browser()!.newContext({
      baseURL: app.url,
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    });
    onTestFinished(() => phone.close());
    const signIn = await phone.newPage();
    await signIn.goto('/sign-in');
    await signIn.getByLabel('Email').fill(agent.email);
    await signIn.getByLabel('Password').fill(agent.password);
    await signIn.getByRole('button', { name: 'Sign in' }).click();
    await signIn.getByRole('navigation', { name: 'Pages' }).waitFor();
    await page.goto('/account/sessions');
    await page.getByText('Safari on iPhone').waitFor();
    const listed = page.getByRole('button', { name: 'Sign out The other one' });
    await expect.poll(() => listed.count()).toBe(2);
    // The newest session, which is ended first.
    await app.services.pool.query(
      `update tokens set revoked_at = now() where id = (
         select id from tokens where user_id = $1 and name = 'The other one' order by created_at desc limit 1)`,
      [agent.id],
    );
    await page.getByRole('button', { name: 'Sign out other sessions' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
    await Promise.all(
      [...others, signIn].map(async (each) => {
        await each.goto('/');
        await each.getByRole('heading', { name: 'Firmdesk' }).waitFor();
      }),
    );
    await expect.poll(() => page.getByRole('button', { name: 'Sign out', exact: true }).count()).toBe(1);
    expect(await page.getByText('Couldn’t sign out every session').count()).toBe(0);
  });

  test('lets a pre-registration expire at the end of the day in the time zone of the account', async () => {
    const agent = await app.agent();
    await app.services.pool.query(`update users set timezone = 'Pacific/Kiritimati' where id = $1`, [
      agent.id,
    ]);
    const { page } = agent;
    await page.goto('/pre-registrations');
    await page.getByRole('button', { name: 'New pre-registration' }).click();
    const dialog = page.getByRole('dialog', { name: 'New pre-registration' });
    await dialog.getByLabel('Email').fill('kiri@elsewhere.example');
    await dialog.getByLabel('Referral code').fill('ISLAND');
    await dialog.getByLabel('Referral URL').fill('https://firm.example/r/ISLAND');
    await dialog.getByLabel('Expires on').fill('2031-03-31');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page
      .getByRole('row', { name: /kiri@elsewhere.example/ })
      .getByText('31 Mar 2031 23:59')
      .waitFor();
  });
});

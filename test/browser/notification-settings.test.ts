import { openTestBrowserPush, type Subscription, type WebPushServer } from '@firmdesk/testing/gateway';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { type Agent, type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { openSecondDevice } from './second-device.ts';

describeInBrowser('notification settings', () => {
  let app: ConsoleUnderTest;
  let webPush: WebPushServer;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'), { showsNotifications: true });
    const push = await openTestBrowserPush(app.services.clock);
    webPush = push.webPush;
    app.services.browserPush = push.browserPush;
  });
  afterAll(async () => {
    await app?.[Symbol.asyncDispose]();
    await webPush?.[Symbol.asyncDispose]();
  });

  const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });

  test('are one table, live in other windows, with the reason why a bell stays on', async () => {
    const agent = await app.agent();
    const { page } = agent;
    const other = await openSecondDevice(app, agent);
    for (const each of [page, other]) {
      await each.goto('/account/notifications');
      await box(each, 'Mention: Bell').waitFor();
      await each.locator('[data-connection=open]').waitFor();
    }
    await box(page, 'Mention: Bell').click();
    await expect.poll(() => box(other, 'Mention: Bell').isChecked()).toBe(false);
    // What is not raised makes no sound either.
    expect(await box(other, 'Mention: Sound').isDisabled()).toBe(true);
    expect(await box(other, 'Ticket needs a reply: Bell').isChecked()).toBe(true);
    await box(other, 'Assigned to you: Push').click();
    await expect.poll(() => box(page, 'Assigned to you: Push').isChecked()).toBe(false);
    await page.getByText('it concerns the security of your account').first().waitFor();
    expect(await box(page, 'New device: Bell').isDisabled()).toBe(true);
    expect(await box(page, 'New device: Sound').isEnabled()).toBe(true);
    await page.getByText('Saving…').waitFor({ state: 'hidden' });
    await expectAccessibleInBothThemes(page, 'notification-settings-1280');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessibleInBothThemes(page, 'notification-settings-390');
    await page.setViewportSize({ width: 1280, height: 800 });

    const list = page.getByRole('navigation', { name: 'Settings' });
    await list.getByRole('searchbox').fill('mentions sound');
    await expect.poll(() => list.getByRole('link').allTextContents()).toEqual(['Notifications']);
    await page.goto('/notifications');
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL('**/account/notifications');
  });

  /** In place of the browser's push service, which a test cannot reach, subscribes at the stand-in. */
  async function standIn(context: BrowserContext, subscription: Subscription): Promise<void> {
    await context.addInitScript((given) => {
      const kept = 'test.subscription';
      const subscribed = (key: string) => ({
        endpoint: given.endpoint,
        options: {
          applicationServerKey: Uint8Array.from(atob(key), (letter) => letter.charCodeAt(0)).buffer,
        },
        toJSON: () => given,
        unsubscribe: async () => localStorage.removeItem(kept),
      });
      Object.assign(PushManager.prototype, {
        async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
          const key = applicationServerKey.replaceAll('-', '+').replaceAll('_', '/');
          localStorage.setItem(kept, key);
          return subscribed(key);
        },
        async getSubscription() {
          const key = localStorage.getItem(kept);
          return key === null ? null : subscribed(key);
        },
      });
    }, subscription);
  }

  /** Returns a function that hands a push to the service worker, as the browser does when its push service has delivered one. */
  async function pushes(context: BrowserContext): Promise<(payload: object) => Promise<void>> {
    // A page of the origin that is no window of the console.
    const page = await context.newPage();
    await page.goto(`${app.url}/icon.svg`);
    const devtools = await context.newCDPSession(page);
    const registration = new Promise<string>((resolve) =>
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        if (registrations[0]) resolve(registrations[0].registrationId);
      }),
    );
    await devtools.send('ServiceWorker.enable');
    const registrationId = await registration;
    return async (payload) => {
      const data = JSON.stringify(payload);
      await devtools.send('ServiceWorker.deliverPushMessage', { origin: app.url, registrationId, data });
    };
  }

  const notify = (person: Agent, title: string, action_url: string) =>
    app.call(person, 'notifications.notify', {
      workspace: app.firm.slug,
      kind: 'ticket_awaiting_admin',
      title,
      action_url,
      to: [person.email],
    });
  const browsersOf = async ({ id }: Agent) =>
    (
      await app.services.pool.query<{ token_id: string }>(
        `select token_id from devices where user_id = $1 and app = 'browser'`,
        [id],
      )
    ).rows.map(({ token_id }) => token_id);

  test('turn on push for this browser, whose messages the service worker shows and opens', async () => {
    const agent = await app.agent({ hasServiceWorker: true });
    const { page, context } = agent;
    await context.grantPermissions(['notifications'], { origin: app.url });
    await standIn(context, webPush.subscribe());
    const ticket = await app.ticket({ subject: 'Where is my payout?' });
    await page.goto(app.pathOf('/account/notifications'));
    await page.getByRole('switch', { name: 'Push in this browser' }).click();
    await page.getByRole('switch', { name: 'Push in this browser', checked: true }).waitFor();
    await page.getByRole('button', { name: /^Send test to Chrome/ }).click();
    await expect.poll(() => webPush.received.map(({ payload }) => payload.type)).toEqual(['test']);
    await expectAccessibleInBothThemes(page, 'browser-push-1280');

    await notify(agent, 'A trader waits', `/tickets/${ticket}`);
    await expect.poll(() => webPush.received.length).toBe(2);
    const [, { payload }] = webPush.received as [unknown, { payload: object }];
    const push = await pushes(context);
    const worker = context.serviceWorkers()[0]!;
    const shown = () =>
      worker.evaluate<{ title: string; page: string }[]>(
        'registration.getNotifications().then((all) => all.map(({ title, data }) => ({ title, page: data.page })))',
      );
    // The visible window has told of it itself; a mail it does not tell of.
    await push(payload);
    const mail = { type: 'mail.message', workspace: app.firm.slug, message_id: 'msg_1' };
    await push({ ...mail, aps: { alert: { title: 'Ann', body: 'Numbers' } } });
    await expect.poll(async () => (await shown()).map(({ title }) => title)).toEqual(['Ann']);
    await worker.evaluate(
      'registration.getNotifications().then((all) => all.forEach((each) => each.close()))',
    );
    await page.goto(`${app.url}/icon.svg`);
    await push(payload);
    await expect.poll(async () => (await shown()).map(({ title }) => title)).toEqual(['A trader waits']);
    const [notification] = await shown();

    // A window of the firm shows the page; without one, the browser opens it in a new one.
    await page.goto(app.pathOf('/calendar'));
    await page.locator('[data-connection=open]').waitFor();
    await worker.evaluate(
      `registration.getNotifications().then(([notification]) =>
         void dispatchEvent(new NotificationEvent('notificationclick', { notification })))`,
    );
    await page.waitForURL(app.pathOf(`/tickets/${ticket}`));
    await page.goto(notification!.page);
    await page.waitForURL(app.pathOf(`/tickets/${ticket}`));

    const [before] = await browsersOf(agent);
    await page.goto(app.pathOf('/account/notifications'));
    await page.getByRole('switch', { name: 'Push in this browser', checked: true }).click();
    await page.getByRole('switch', { name: 'Push in this browser', checked: false }).waitFor();
    expect(await browsersOf(agent)).toEqual([]);
    await page.getByRole('switch', { name: 'Push in this browser' }).click();
    await expect.poll(() => browsersOf(agent)).toEqual([before]);

    // A sign-out ends them; who signs in again in this browser has them again.
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in*');
    expect(await browsersOf(agent)).toEqual([]);
    await page.getByLabel('Email').fill(agent.email);
    await page.getByLabel('Password').fill(agent.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect.poll(async () => (await browsersOf(agent)).length, { timeout: 30_000 }).toBe(1);
    expect(await browsersOf(agent)).not.toEqual([before]);

    // What is removed elsewhere stays off.
    await app.services.pool.query(`delete from devices where user_id = $1`, [agent.id]);
    await page.goto(app.pathOf('/account/notifications'));
    const stored = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('browser-push')));
    await expect.poll(stored, { timeout: 30_000 }).toEqual([]);
    expect(await browsersOf(agent)).toEqual([]);
  });

  test('say how to allow what the browser blocks, and offer no push without a key', async () => {
    const { page } = await app.agent({ hasServiceWorker: true });
    await page.goto(app.pathOf('/account/notifications'));
    const push = page.getByRole('switch', { name: 'Push in this browser' });
    await push.waitFor();
    // A test cannot answer the browser's question.
    await page.evaluate(() => {
      Object.defineProperty(Notification, 'permission', { value: 'denied' });
      Notification.requestPermission = async () => 'denied';
    });
    await push.click();
    await page.getByText('Select the icon beside the address').waitFor();
    expect([await push.isChecked(), await push.isDisabled()]).toEqual([false, true]);
    const { browserPush } = app.services;
    app.services.browserPush = null;
    await page.reload();
    await page.getByRole('switch', { name: 'Desktop notifications' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await push.count()).toBe(0);
    app.services.browserPush = browserPush;
  });
});

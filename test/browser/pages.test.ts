import {
  createCalendar,
  createEvents,
  createMailbox,
  createMailMessage,
  createToken,
  createUser,
} from '@firmdesk/domain/testing';
import { request } from '@firmdesk/gateway/testing';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import {
  type Agent,
  type AgentOptions,
  type ConsoleUnderTest,
  describeInBrowser,
  openConsole,
} from './browser.ts';

const REMINDERS = 'select minutes_before, channel from event_reminders where user_id = $1';

describeInBrowser('mail, notifications, pre-registrations, calendar and settings', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const open = new Set<BrowserContext>();
  afterEach(async () => {
    for (const context of open) await context.close();
    open.clear();
  });

  /** Creates an agent whose browser context is closed after the test. */
  async function agentAt(options?: AgentOptions): Promise<Agent> {
    const agent = await app.agent(options);
    open.add(agent.context);
    return agent;
  }

  /** Calls a procedure with an API key of the person. */
  async function call(person: { id: string; email: string }, name: string, input: object) {
    const { text } = await createToken(app.services, { user: person, workspace: app.firm.slug });
    const answer = await request(app.url, `POST /trpc/${name}`, { token: text, body: { json: input } });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.result.data.json;
  }

  const notify = (person: Agent, title: string) =>
    call(person, 'notifications.notify', {
      workspace: app.firm.slug,
      kind: 'ticket_awaiting_admin',
      title,
      action_url: '/tickets?status=waiting',
      to: [person.email],
    });

  /** Creates an agent without unread notifications. */
  async function quietAgent(): Promise<Agent> {
    const agent = await agentAt();
    await readAll(agent);
    return agent;
  }

  const readAll = ({ id }: Agent) =>
    app.services.pool.query('update notifications set read_at = now() where user_id = $1', [id]);

  /** Signs the person in on another device. */
  async function secondSession({ email, password, context }: Agent): Promise<Page> {
    const other = await context.browser()!.newContext({ baseURL: app.url, locale: 'en-GB' });
    open.add(other);
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
    const agent = await agentAt();
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
    await page.goto('/account/sessions');
    await page.getByRole('switch', { name: 'Desktop notifications' }).click();
    await page.getByRole('switch', { name: 'Desktop notifications', checked: true }).waitFor();
    await bell(page, 0).waitFor();
    await page.locator('[data-connection=open]').waitFor();
    const shown = () => page.evaluate(() => (window as unknown as { shown: string[] }).shown);
    await notify(agent, 'While visible');
    await expect.poll(() => page.title()).toBe('(1) Account settings · Firmdesk');
    expect(await shown()).toEqual([]);
    await page.evaluate(() =>
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }),
    );
    await notify(agent, 'While hidden');
    await expect.poll(shown).toEqual(['While hidden']);
    await page.getByRole('checkbox', { name: 'Ticket needs a reply' }).click();
    await page.getByRole('checkbox', { name: 'Ticket needs a reply', checked: false }).waitFor();
    await notify(agent, 'While muted');
    await expect.poll(() => page.title()).toBe('(3) Account settings · Firmdesk');
    expect(await shown()).toEqual(['While hidden']);
  });

  test('opens the nearest page of the console for a notification of another part of the platform', async () => {
    const agent = await quietAgent();
    await call(agent, 'notifications.notify', {
      workspace: app.firm.slug,
      kind: 'payout_requested',
      title: 'Payout of Tess',
      action_url: '/payouts/pay_1',
      to: [agent.email],
    });
    const { page } = agent;
    await page.goto('/calendar');
    await bell(page, 1).click();
    await page.getByRole('link', { name: /Payout of Tess/ }).click();
    await page.waitForURL(`${app.url}${app.pathOf('/notifications')}`);
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
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

  test('creates a pre-registration, shows field errors, finds it by email and revokes it', async () => {
    const { page } = await agentAt();
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

    await page.getByLabel('Email (exact match)').fill('nobody@elsewhere.example');
    await page.keyboard.press('Enter');
    await page.getByText('No matching reservations').waitFor();
    await page.getByLabel('Email (exact match)').fill('ANN@elsewhere.example');
    await page.keyboard.press('Enter');
    await row.getByRole('button', { name: 'Revoke the pre-registration of ann@elsewhere.example' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    await page.reload();
    await row.getByText('Revoked').waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    await page.getByLabel('Status').selectOption('pending');
    await page.getByText('No matching reservations').waitFor();
  });

  /** Creates a mailbox that the agent can write to. */
  async function mail(agent: Agent) {
    return createMailbox(app.services, { firm: app.firm, writes: [agent] });
  }

  test('restores a message from the trash to its previous folder', async () => {
    const agent = await agentAt();
    const mailbox = await mail(agent);
    await createMailMessage(app.services, { mailbox, folder: 'archive' });
    const { page } = agent;
    await page.goto('/mail?folder=archive');
    await page.getByRole('link', { name: /Quarterly numbers/ }).click();
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await page.getByText('No archived messages').waitFor();
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('link', { name: /Quarterly numbers/ }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Restore to Archive' }).click();
    await page.getByText('The trash is empty').waitFor();
    await page.getByRole('link', { name: 'Archive' }).click();
    await page.getByRole('link', { name: /Quarterly numbers/ }).waitFor();
  });

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
    const agent = await agentAt();
    await mail(agent);
    const { page } = agent;
    await newDraft(agent);
    await page.reload();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Message' }).inputValue())
      .toBe('Dear Ann,\n\n  two < three');
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('ann@elsewhere.example');

    await page.route('**/trpc/mail.saveDraft**', (route) => route.abort());
    await page.getByRole('textbox', { name: 'Message' }).fill('Written on a train');
    await page.reload();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Message' }).inputValue())
      .toBe('Written on a train');
    await page.unroute('**/trpc/mail.saveDraft**');
    await page.getByRole('textbox', { name: 'Subject' }).fill('Numbers, at last');
    await draftStatus(page, 'saved').waitFor();
    await expectAccessible(page);
  });

  test('shows an invalid address at its field and saves once it is valid', async () => {
    const agent = await agentAt();
    await mail(agent);
    const { page } = agent;
    await newDraft(agent);
    await page.getByLabel('To', { exact: true }).fill('ann@');
    await page.getByText('Enter a valid email address.').waitFor();
    await draftStatus(page, 'rejected').waitFor();
    await page.getByLabel('To', { exact: true }).fill('ann@example.com');
    await draftStatus(page, 'saved').waitFor();
  });

  test('asks before it overwrites a draft that was saved elsewhere', async () => {
    const agent = await agentAt();
    const mailbox = await mail(agent);
    const { page } = agent;
    const draft_id = await newDraft(agent);
    const saveElsewhere = (subject: string) =>
      call(agent, 'mail.saveDraft', { address_id: mailbox.id, draft_id, subject, body: '<p>Theirs</p>' });
    const subjectStored = async () => {
      const { rows } = await app.services.pool.query('select subject from mail_messages where id = $1', [
        draft_id,
      ]);
      return rows[0].subject;
    };

    await saveElsewhere('From the phone');
    await page.getByRole('textbox', { name: 'Subject' }).fill('From the office');
    const conflict = page.getByRole('alert').filter({ hasText: 'changed elsewhere' });
    await conflict.getByText('From the phone').waitFor();
    await expectAccessible(page);
    expect(await subjectStored()).toBe('From the phone');
    await conflict.getByRole('button', { name: 'Keep mine' }).click();
    await draftStatus(page, 'saved').waitFor();
    expect(await subjectStored()).toBe('From the office');

    await saveElsewhere('From the phone again');
    await page.getByRole('textbox', { name: 'Subject' }).fill('Another');
    await conflict.getByRole('button', { name: 'Discard mine' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Theirs');
    expect(await page.getByRole('textbox', { name: 'Subject' }).inputValue()).toBe('From the phone again');
    expect(await subjectStored()).toBe('From the phone again');
  });

  test('deletes a draft permanently only after a confirmation', async () => {
    const agent = await agentAt();
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

  test('runs no code of a message and loads remote images only on request', async () => {
    const agent = await agentAt();
    const mailbox = await mail(agent);
    const { id } = await createMailMessage(app.services, { mailbox });
    const hostile = `
      <meta http-equiv="refresh" content="0;url=https://tracker.example/refresh">
      <link rel="stylesheet" href="https://tracker.example/style.css">
      <style>p { background: url(https://tracker.example/background.png) }</style>
      <script>top.ran = 'script'</script><svg onload="top.ran = 'svg'"></svg>
      <img src="nowhere" onerror="top.ran = 'onerror'"><p onclick="top.ran = 'onclick'">Dear customer</p>
      <a href="javascript:void(top.ran = 'link')">Click here</a> <a href="&#1;javascript:top.ran = 1">or here</a>
      <a href="/settings/assistant">Into the console</a>
      <iframe src="https://tracker.example/frame"></iframe><form action="https://tracker.example/form"><button>Send</button></form>
      <img src="https://tracker.example/pixel.png" alt="">
      <form><math><mtext></form><form><mglyph><style></math><img src onerror="top.ran = 'mutation'"></style></mglyph></form>`;
    await app.services.pool.query('update mail_messages set body = $1 where id = $2', [hostile, id]);
    // Records requests that leave the browser. Domains under `.example` do not exist, so each request fails visibly.
    const asked = new Set<string>();
    const { page, context } = agent;
    page.on('console', (entry) => {
      const { pathname, host } = new URL(entry.location().url || 'about:blank');
      if (entry.text().startsWith('Failed to load') && host === 'tracker.example') asked.add(pathname);
    });
    context.on('requestfailed', (one) => {
      const { pathname, host } = new URL(one.url());
      if (host === 'tracker.example' && one.failure()?.errorText !== 'csp') asked.add(pathname);
    });
    await page.goto(`/mail?message=${id}`);
    const message = page.frameLocator('iframe');
    await message.getByText('Dear customer').click();
    await message.getByText('Click here').click();
    await message.getByText('or here').click();
    expect(await message.getByText('Into the console').getAttribute('href')).toBeNull();
    expect(
      await message.locator('form, button, iframe, svg, math, script, [onclick], [onerror]').count(),
    ).toBe(0);
    await expectAccessible(page);
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
    expect([...asked]).toEqual([]);
    expect(context.pages().map((each) => new URL(each.url()).origin)).not.toContain(
      'https://tracker.example',
    );

    await page.getByRole('button', { name: 'Load images' }).click();
    await expect.poll(() => [...asked].sort()).toEqual(['/background.png', '/pixel.png']);
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
  });

  const boxOf = async (chip: Locator) => (await chip.boundingBox())!;

  test('shows overlapping events side by side, and only busy times of a busy calendar', async () => {
    const agent = await agentAt();
    const colleague = await createUser(app.services, { firm: app.firm });
    const own = await createCalendar(app.services, { firm: app.firm, owner: agent });
    const theirs = await createCalendar(app.services, {
      firm: app.firm,
      owner: colleague,
      shares: [{ user: agent, level: 'busy' }],
    });
    await createEvents(app.services, [
      {
        calendar_id: own,
        title: 'Stand-up',
        starts_at: '2026-11-24T09:00:00Z',
        ends_at: '2026-11-24T10:00:00Z',
      },
      {
        calendar_id: own,
        title: 'Review',
        starts_at: '2026-11-24T09:30:00Z',
        ends_at: '2026-11-24T10:30:00Z',
      },
      {
        calendar_id: theirs,
        title: 'Secret talks',
        starts_at: '2026-11-25T09:00:00Z',
        ends_at: '2026-11-25T10:00:00Z',
      },
      { calendar_id: own, title: 'Trip', starts_at: '2026-11-26', ends_at: '2026-11-28', all_day: true },
    ]);
    const { page } = agent;
    await page.goto('/calendar?day=2026-11-24');
    const day = page.getByRole('list', { name: 'Tuesday 24 November' });
    const standUp = await boxOf(day.getByRole('button', { name: /^Stand-up/ }));
    const review = await boxOf(day.getByRole('button', { name: /^Review/ }));
    expect(review.x).toBeGreaterThanOrEqual(standUp.x + standUp.width);
    expect(review.y).toBeGreaterThan(standUp.y);
    expect(review.y).toBeLessThan(standUp.y + standUp.height);

    await page
      .getByRole('list', { name: 'Wednesday 25 November' })
      .getByRole('button', { name: /^Busy/ })
      .click();
    await page.getByRole('dialog', { name: 'Busy' }).waitFor();
    await expectAccessible(page);
    expect(await page.getByText('Secret talks').count()).toBe(0);
    await page.keyboard.press('Escape');

    const trip = await boxOf(
      page.getByRole('list', { name: 'All day' }).getByRole('button', { name: /^Trip/ }),
    );
    expect(trip.width).toBeGreaterThan(standUp.width * 3);
    await page.keyboard.press('m');
    await page.getByRole('heading', { name: 'November 2026' }).waitFor();
    await page.getByRole('button', { name: /^Trip/ }).waitFor();
    await expectAccessible(page);
  });

  test('creates, edits and deletes an event, and the chosen occurrences of a series', async () => {
    const agent = await agentAt();
    await createCalendar(app.services, { firm: app.firm, owner: agent });
    const { page } = agent;
    await page.goto('/calendar?day=2026-11-23');
    await page.getByRole('button', { name: 'New event' }).click();
    const dialog = page.getByRole('dialog', { name: 'New event' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/^The title must have between 1 and 1000 characters/).waitFor();
    await dialog.getByLabel('Title').fill('Morning round');
    await dialog.getByLabel('Repeats').selectOption('Custom…');
    // The rule of "Every week" on the way to another one: the field stays.
    await dialog.getByLabel('Recurrence rule').fill('FREQ=WEEKLY');
    await dialog.getByLabel('Recurrence rule').fill('FREQ=WEEKLY;INTERVAL=3');
    await dialog.getByLabel('Repeats').selectOption('Every weekday');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const rounds = page.getByRole('button', { name: /^Morning round/ });
    await expect.poll(() => rounds.count()).toBe(5);

    await rounds.nth(1).click();
    await page.getByText('Every week on Monday, Tuesday').waitFor();
    await page.getByLabel('Remind me').selectOption('Remind me 10 minutes before');
    await expect
      .poll(async () => (await app.services.pool.query(REMINDERS, [agent.id])).rows)
      .toEqual([{ minutes_before: 10, channel: 'push' }]);
    await page.getByRole('button', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit event' });
    await edit.getByLabel('Title').fill('Late round');
    await edit.getByLabel('Starts at').fill('16:00');
    await edit.getByRole('button', { name: 'Save' }).click();
    const late = page.getByRole('button', { name: /^Late round ?, Tuesday,? 24 November 2026, 16:00/ });
    await late.waitFor();
    await expect.poll(() => rounds.count()).toBe(4);

    await rounds.nth(1).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete “Morning round”?' });
    await question.getByLabel('This and all following').check();
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => rounds.count()).toBe(1);
    await late.waitFor();
  });

  test('turns the assistant off for the team, and shows and changes the allowance', async () => {
    const { page } = await agentAt();
    await page.goto('/settings/assistant');
    const forTeam = page.getByRole('switch', { name: 'Allow agents to use AI' });
    const wasOn = await forTeam.isChecked();
    await forTeam.click();
    await page.getByLabel('Replies per month').fill('321');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(/0 of 321 replies used this month/)
      .first()
      .waitFor();
    await page.reload();
    await expect.poll(() => forTeam.isChecked()).toBe(!wasOn);
    await forTeam.click();
    await expect.poll(() => forTeam.isChecked()).toBe(wasOn);

    const { page: other } = await agentAt({ permissions: ['view_tickets'] });
    await other.goto('/settings/assistant');
    expect(await other.getByRole('switch').isDisabled()).toBe(true);
    expect(await other.getByRole('button', { name: 'Save' }).count()).toBe(0);
  });

  test('signs out other devices, and not this one, after a password change', async () => {
    const agent = await agentAt();
    const other = await secondSession(agent);
    await other.goto('/account/sessions');
    const { page, password } = agent;
    await page.goto('/account/sessions');
    await page.getByText('The other one').waitFor();
    await page.getByLabel('Current password').fill('not this');
    await page.getByLabel('New password').fill('a better password');
    const change = page.getByRole('button', { name: 'Change password' });
    await change.click();
    await page.getByText('This is not the current password.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Current password').fill(password);
    await page.getByLabel('New password').fill('short');
    await change.click();
    await page.getByText('The new password must have between 10 and 1024 characters, got 5.').waitFor();
    await page.getByLabel('New password').fill('a better password');
    await change.click();
    await page.getByText('One other device was signed out.').waitFor();
    await expect.poll(() => page.getByText('The other one').count()).toBe(0);
    await other.getByRole('heading', { name: 'Firmdesk' }).waitFor();
  });

  test('signs out another session', async () => {
    const agent = await agentAt();
    const other = await secondSession(agent);
    await other.goto('/notifications');
    await other.locator('[data-connection=open]').waitFor();
    const { page } = agent;
    await page.goto('/account/sessions');
    await page.getByRole('button', { name: 'Sign out The other one' }).click();
    await other.getByRole('heading', { name: 'Firmdesk' }).waitFor();
    await expect.poll(() => page.getByText('The other one').count()).toBe(0);
  });
});

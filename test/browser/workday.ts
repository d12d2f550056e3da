import { createTag, createTeam, createTicket, createWorkspace } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import { type Agent, type ConsoleUnderTest, openConsole, PASSWORD } from './browser.ts';

/** Two agents on one gateway, members of the same two firms, with a window each. */
export interface Workday {
  app: ConsoleUnderTest;
  /** The firm beside `app.firm`. */
  second: ConsoleUnderTest['firm'];
  /** Not signed in. Her sends are delayed for some seconds, so that she can take them back. */
  ada: Agent;
  /** Signed in to the first firm. In the second one he may only see payouts. */
  ben: Agent;
  /** The tickets of the first firm, by subject. */
  ids: Record<string, string>;
  /** Returns the path of a page of the first firm. */
  path(page: string): string;
  rows(text: string, ...values: unknown[]): Promise<Record<string, unknown>[]>;
  /** The status and priority of a ticket. */
  ticket(subject: string): Promise<Record<string, unknown> | undefined>;
  /** The replies and notes to a ticket that are stored, oldest first. */
  replies(subject: string): Promise<unknown[]>;
}

/**
 * Opens a workday before the tests of a file, and closes it after them. Until then it has only `path`.
 *
 * @param subjects the tickets of the first firm. Each is a minute younger than the one before.
 */
export function useWorkday(subjects: string[]): Workday {
  const day = { path: (page) => day.app.pathOf(page) } as Workday;
  beforeAll(async () => {
    Object.assign(day, await openWorkday(inject('postgresUrl'), subjects));
  });
  afterAll(() => day.app?.[Symbol.asyncDispose]());
  return day;
}

/** Signs Ada in to the first firm, which gets a team of both agents and a tag. */
export async function beginWork({ app, ada, ben, ids }: Workday): Promise<void> {
  await createTeam(app.services, { firm: app.firm, name: 'Payments', members: [ada, ben] });
  await createTag(app.services, { firm: app.firm, name: 'refund' });
  const { page } = ada;
  await page.goto('/');
  await signIn(page, ada);
  await page.getByRole('button', { name: app.firm.name }).click();
  await row(page, Object.keys(ids)[0]!).first().waitFor();
}

async function openWorkday(postgresUrl: string, subjects: string[]): Promise<Omit<Workday, 'path'>> {
  const app = await openConsole(postgresUrl);
  const second = await createWorkspace(app.services);
  const ada = await app.agent({ name: 'Ada Able', isSignedOut: true, delaysSends: true });
  const ben = await app.agent({ name: 'Ben Best' });
  const rows = async (text: string, ...values: unknown[]) =>
    (await app.services.pool.query(text, values)).rows;
  await rows(
    `insert into memberships (workspace_id, user_id, role, permissions, created_at)
     select $1, user_id, role, case user_id when $2 then permissions else '{view_payouts}' end, now()
     from memberships where user_id in ($2, $3)`,
    second.id,
    ada.id,
    ben.id,
  );
  await createTicket(app.services, {
    firm: second,
    trader: app.trader,
    subject: 'Of the second firm',
    status: 'awaiting_admin',
    messages: [{ body: 'About: Of the second firm' }],
  });
  const ids: Record<string, string> = {};
  for (const [i, subject] of subjects.entries()) {
    const at = new Date(Date.now() - (100 - i) * 60_000);
    const messages = [{ body: `About: ${subject}`, at }];
    ids[subject] = await app.ticket({ subject, createdAt: at, lastFrom: 'trader', messages });
  }
  return {
    app,
    second,
    ada,
    ben,
    ids,
    rows,
    ticket: async (subject) =>
      (await rows('select status, priority from tickets where id = $1', ids[subject]))[0],
    replies: async (subject) =>
      (
        await rows(
          `select body from ticket_messages where ticket_id = $1 and from_kind = 'admin' order by created_at`,
          ids[subject],
        )
      ).map(({ body }) => body),
  };
}

/** The open tickets, the oldest one first. */
export const LIST = '/tickets?status=open&sort=created_at';

export const reply = (page: Page) => page.getByRole('textbox', { name: /^Reply to/ });
export const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation' });
export const row = (page: Page, subject: string) =>
  page.getByRole('listbox', { name: 'Tickets' }).getByRole('option').filter({ hasText: subject });

/** Fills in the sign-in form. */
export async function signIn(page: Page, { email }: Agent): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
}

/** Waits until a ticket is open, with its conversation. */
export async function isOpen(page: Page, subject: string): Promise<void> {
  await page.getByRole('heading', { name: new RegExp(`^${subject}`), level: 1 }).waitFor();
  await conversation(page).getByText(`About: ${subject}`).waitFor();
}

/** Loads the page of a ticket. */
export async function openCase(page: Page, { app, ids }: Workday, subject: string): Promise<void> {
  await page.goto(app.pathOf(`/tickets/${ids[subject]}`));
  await isOpen(page, subject);
}

/** Opens a menu of the ticket with its shortcut, and chooses an item. */
export async function choose(page: Page, shortcut: string, item: string): Promise<void> {
  await page.keyboard.press(shortcut);
  await page.getByRole('menuitemcheckbox', { name: item }).click();
}

/** Waits until the live connection is open. */
export async function isLive(...pages: Page[]): Promise<void> {
  for (const page of pages) await page.locator('[data-connection=open]').waitFor();
}

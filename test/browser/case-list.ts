import { createUser } from '@firmdesk/testing';
import type { Locator, Page } from 'playwright-core';
import type { Agent, ConsoleUnderTest } from './browser.ts';

/** Creates the tickets `Case 0`, `Case 1` and so on of a trader, and opens their list with the first one open. */
export async function openCaseList(
  app: ConsoleUnderTest,
  count: number,
  viewport = { width: 1280, height: 800 },
): Promise<Agent & { ids: string[] }> {
  const trader = await createUser(app.services, { firm: app.firm, role: 'trader', name: 'Casey Trader' });
  const ids = await Promise.all(
    Array.from({ length: count }, (_, i) => {
      const at = new Date(Date.now() - (count - i) * 60_000);
      return app.ticket({
        trader,
        subject: `Case ${i}`,
        lastFrom: 'trader',
        lastMessageAt: at,
        traderWroteAt: at,
        messages: [{ body: `Question ${i}`, at }],
      });
    }),
  );
  const agent = await app.agent({ viewport });
  const { page } = agent;
  await page.goto(`/tickets?q=${trader.id}`);
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('j');
  if (viewport.width < 1024) await page.keyboard.press('Enter');
  await isOpen(page, 0);
  return { ...agent, ids };
}

/** Waits until `Case N` and its conversation are shown. */
export async function isOpen(page: Page, number: number): Promise<void> {
  await page.getByRole('heading', { name: new RegExp(`^Case ${number}\\b`), level: 1 }).waitFor();
  const conversation = page.getByRole('region', { name: 'Conversation' });
  await conversation.getByText(`Question ${number}`, { exact: true }).waitFor();
}

/** Returns what is stored of tickets, in the order of their ids. */
export async function statesOf({ services, firm }: ConsoleUnderTest, ids: string[]) {
  const { rows } = await services.pool.query<{ id: string; status: string; priority: string }>(
    'select id, status, priority from tickets where workspace_id = $1 and id = any ($2)',
    [firm.id, ids],
  );
  return ids.map((id) => rows.find((row) => row.id === id)!);
}

export function replyField(page: Page): Locator {
  return page.getByRole('textbox', { name: /^Reply to/ });
}

/** Returns what is written in a text box or in the editor of formatted texts, in which each paragraph is a line. For `evaluate`. */
export function fieldText(field: Element): string {
  if (
    field instanceof HTMLTextAreaElement ||
    field instanceof HTMLInputElement ||
    field instanceof HTMLSelectElement
  )
    return field.value;
  return [...field.children].map(({ textContent }) => textContent).join('\n');
}

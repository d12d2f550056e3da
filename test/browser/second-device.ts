import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Agent, ConsoleUnderTest } from './browser.ts';

/** Opens a page on another device of an agent, which has neither the first one's storage nor its memory. */
export async function openSecondDevice(app: ConsoleUnderTest, { context }: Agent): Promise<Page> {
  const device = await context.browser()!.newContext({
    baseURL: app.url,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    storageState: { cookies: await context.cookies(), origins: [] },
    serviceWorkers: 'block',
  });
  device.setDefaultTimeout(60_000);
  await device.addInitScript(() => localStorage.setItem('firmdesk.hold-replies', 'false'));
  onTestFinished(() => device.close());
  return device.newPage();
}

import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The same engine without windows, which takes a third less processor time for a test. It shows no notifications. */
const SHELL = '/usr/bin/chromium-headless-shell';
const paths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export interface BrowserNeeds {
  /** Whether the tests show notifications of the desktop. */
  showsNotifications?: boolean;
}

/**
 * Returns `CHROMIUM` if it is set, otherwise the path of an installed Chromium. Returns null if there is none: browser tests are
 * then skipped with a warning. Throws instead in CI.
 */
export function findBrowser({ showsNotifications = false }: BrowserNeeds = {}): string | null {
  const places = showsNotifications ? paths : [SHELL, ...paths];
  const found = process.env['CHROMIUM'] ?? places.find((place) => existsSync(place)) ?? null;
  if (!found && process.env['CI'])
    throw new Error('No Chromium found. Install one or set CHROMIUM to its path.');
  return found;
}

/** Starts the browser, without background requests of its own. */
export function launchBrowser(needs?: BrowserNeeds): Promise<Browser> {
  const executablePath = findBrowser(needs);
  if (!executablePath) throw new Error('No Chromium found. Install one or set CHROMIUM to its path.');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The shell without windows comes first: it is the same engine, and takes a third less processor time for a test. */
const paths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * Returns `CHROMIUM` if it is set, otherwise the path of an installed Chromium. Returns null if there is none: browser tests are
 * then skipped with a warning. Throws instead in CI.
 */
export function findBrowser(): string | null {
  const found = process.env['CHROMIUM'] ?? paths.find((place) => existsSync(place)) ?? null;
  if (!found && process.env['CI'])
    throw new Error('No Chromium found. Install one or set CHROMIUM to its path.');
  return found;
}

/** Starts the browser, without background requests of its own. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
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

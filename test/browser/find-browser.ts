import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * A Chromium that is there already; `CHROMIUM` names another. Null where there is none: what needs a browser is then skipped
 * and says so. In CI that is a fault.
 */
export function findBrowser(): string | null {
  const found = process.env['CHROMIUM'] ?? places.find((place) => existsSync(place)) ?? null;
  if (!found && process.env['CI'])
    throw new Error('CI needs a Chromium: none was found, and CHROMIUM names none.');
  return found;
}

/** Starts the browser that was found. It asks nobody but the pages that it is sent to. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('A Chromium is needed: none was found, and CHROMIUM names none.');
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

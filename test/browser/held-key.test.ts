import { afterAll, beforeAll, inject, test } from 'vitest';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { isOpen, openCaseList } from './case-list.ts';
import { expectFewFetched, expectFlat, holdDown } from './switch-tickets.ts';

describeInBrowser('a key held down', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('fetches only the tickets around the one where a held key stops, and stays flat over 200 switches', async () => {
    const { page } = await openCaseList(app, 160);
    // The rows below 100 are loaded meanwhile, and no key is lost.
    await holdDown(page, 150);
    await isOpen(page, 150);
    await page.keyboard.press('Home');
    await isOpen(page, 0);
    await expectFewFetched(page, 150, () => isOpen(page, 150));
    // A page that stayed in memory would take several times what is allowed.
    await expectFlat(page, { rows: 110, times: 200 });
  }, 300_000);
});

import { readFile, stat } from 'node:fs/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';

const DIST = new URL('../../apps/console/dist/', import.meta.url);

/** Vite's manifest: the chunks of the build by their source. */
type Manifest = Record<string, { file: string; imports?: string[] }>;

/** Returns the scripts that the inbox loads before its first ticket: those of the page, and of the list. */
async function scriptsOfInbox(): Promise<string[]> {
  const page = await readFile(new URL('index.html', DIST), 'utf8');
  const files = new Set([...page.matchAll(/src="\/(assets\/[^"]+)"/g)].map(([, file]) => file!));
  const manifest: Manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', DIST), 'utf8'));
  const add = (source: string) => {
    const { file, imports = [] } = manifest[source]!;
    files.add(file);
    for (const imported of imports) add(imported);
  };
  add('src/inbox/inbox-page.tsx');
  return [...files];
}

describeInBrowser('the first load of the inbox', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('has few scripts with at most 213.5 kB compressed, and no schemas', async () => {
    const files = await scriptsOfInbox();
    const sizes = files.map(async (file) => (await stat(new URL(`${file}.br`, DIST))).size);
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(213_500);
    // Each script costs a round trip, and a browser has six connections to a host.
    expect(files.length).toBeLessThanOrEqual(6);
    // The console uses only values of the contract that stand in modules without schemas: zod has 28 kB.
    const scripts = await Promise.all(files.map((file) => readFile(new URL(file, DIST), 'utf8')));
    expect(scripts.filter((script) => script.includes('ZodError'))).toEqual([]);
  });

  for (const [address, calls] of [
    ['/tickets', ['sessions.ofBrowser', 'account.get', 'tickets.search']],
    ['firm/tickets?status=open', ['account.get', 'tickets.search']],
  ] as const) {
    test(`asks for its data at ${address} while the code is loaded, and asks for it once`, async () => {
      await app.ticket({ subject: 'Early' });
      const { page } = await app.agent();
      const asked: string[] = [];
      page.on('request', (request) => {
        const [, procedure] = /\/trpc\/([^?]+)/.exec(request.url()) ?? [];
        if (procedure) asked.push(procedure);
      });
      const isAsked = Promise.withResolvers<void>();
      await page.route('**/assets/console-*.js', async (route) => {
        await isAsked.promise;
        await route.continue();
      });
      await page.goto(address.replace(/^firm/, app.pathOf('')), { waitUntil: 'commit' });
      await expect.poll(() => asked).toEqual(expect.arrayContaining([...calls]));
      isAsked.resolve();
      await page.getByRole('option', { name: /Early/ }).first().waitFor();
      expect(asked.filter((procedure) => procedure === 'account.get')).toEqual(['account.get']);
      await page.context().close();
    });
  }

  test('does not ask for tickets of who may not see them, also after an account that may', async () => {
    const { page, email } = await app.agent({ permissions: ['view_affiliates'] });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/trpc/tickets.')) asked.push(request.url());
    });
    const open = async (path: string) => {
      await page.goto(path);
      await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      await page.getByRole('heading', { level: 1 }).first().waitFor();
    };
    await open('/');
    await open('/tickets');
    await page.getByText('You don’t have access to tickets').waitFor();
    expect(asked).toEqual([]);
    // What the account before in this browser has shown is asked for once at most.
    await page.evaluate(
      (key) => localStorage.setItem(key, '{"status":"waiting"}'),
      `firmdesk.last-view.${app.firm.slug}`,
    );
    await open('/');
    asked.length = 0;
    await open('/');
    await open('/tickets');
    expect(asked, email).toEqual([]);
    await page.context().close();
  });

  test('asks again if these calls fail', async () => {
    await app.ticket({ subject: 'Later' });
    const { page } = await app.agent();
    for (const procedure of ['sessions.ofBrowser', 'account.get', 'tickets.search'])
      await page.route(`**/trpc/${procedure}*`, (route) => route.fulfill({ status: 502 }), { times: 1 });
    await page.goto('/tickets');
    await page.getByRole('option', { name: /Later/ }).first().waitFor();
    await page.context().close();
  });

  test('shows a toast also when its code could not be loaded at first', async () => {
    await app.ticket({ subject: 'Toast' });
    const { page } = await app.agent();
    await page.route('**/assets/toaster-*.js', (route) => route.abort(), { times: 1 });
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/toaster-'));
    await page.goto('/tickets');
    await failed;
    await page.getByRole('option', { name: /Toast/ }).click();
    await page.getByRole('heading', { name: 'Toast' }).waitFor();
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.context().close();
  });
});

import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The console opens a ticket at once when no key came for 120 ms. A margin, because the test reads the clock a bit earlier. */
const PAUSE_MS = 100;

/** Holds `j` down until the last one of so many rows is open. Expects that tickets are fetched only where the key stops. */
export async function expectFewFetched(
  page: Page,
  rows: number,
  isAtEnd: () => Promise<void>,
): Promise<void> {
  await page.waitForLoadState('networkidle');
  const fetched = new Set<string>();
  const onRequest = (request: { url(): string }) => {
    const { pathname, searchParams } = new URL(request.url());
    const inputs = JSON.parse(searchParams.get('input') ?? '{}') as Record<string, unknown>;
    // Calls travel in batches, and the previews of the rows beside a ticket name tickets too.
    for (const [index, call] of pathname.split('/').at(-1)!.split(',').entries()) {
      if (!/^tickets\.(get|messages)$/.test(call)) continue;
      for (const id of JSON.stringify(inputs[index] ?? inputs).match(/tkt_\w+/g) ?? []) fetched.add(id);
    }
  };
  page.on('request', onRequest);
  const bursts = await page.evaluateHandle((pause) => {
    const counted = { bursts: 0, last: Number.NEGATIVE_INFINITY };
    const onKey = () => {
      const now = performance.now();
      if (now - counted.last > pause) counted.bursts++;
      counted.last = now;
    };
    addEventListener('keydown', onKey, { capture: true });
    return counted;
  }, PAUSE_MS);
  await holdDown(page, rows);
  await isAtEnd();
  await page.waitForLoadState('networkidle');
  page.off('request', onRequest);
  expect(fetched.size).toBeGreaterThan(0);
  // The first and the last key of a burst open a ticket, and each opened one is fetched with its two neighbours. A busy machine lets
  // the keys come in several bursts.
  expect(fetched.size).toBeLessThanOrEqual(6 * (await bursts.evaluate((counted) => counted.bursts)));
}

/** Holds `j` down. Not key by key: on a busy machine they would come so slowly that each ticket opens. */
export async function holdDown(page: Page, rows: number): Promise<void> {
  await Promise.all(Array.from({ length: rows }, () => page.keyboard.down('j')));
  await page.keyboard.up('j');
}

/** Expects that memory and listeners stay flat while the tickets of the list, `Case N`, are opened one after the other. */
export async function expectFlat(
  page: Page,
  { rows, times }: { rows: number; times: number },
): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const measure = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const of = (name: string) => metrics.find((metric) => metric.name === name)!.value;
    return { heap: of('JSHeapUsedSize'), listeners: of('JSEventListeners') };
  };
  // What is opened once fills caches that have a limit.
  await page.evaluate(switchTickets, { times: rows + 10, rows });
  const before = await measure();
  await page.evaluate(switchTickets, { times, rows });
  const after = await measure();
  expect(after.listeners - before.listeners).toBeLessThan(100);
  expect(after.heap - before.heap).toBeLessThan(5_000_000);
}

/** Runs in the page: opens one ticket of a list of `Case N` after the other. */
async function switchTickets({ times, rows }: { times: number; rows: number }): Promise<void> {
  const list = document.querySelector('#ticket-list')!;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let i = 0; i < times; i++) {
    const position = i % rows;
    list.scrollTop = position * 58;
    const row = () => list.querySelector<HTMLElement>(`[aria-posinset="${position + 1}"]`);
    while (!row()) await frame();
    const [subject] = /Case \d+/.exec(row()!.textContent ?? '')!;
    row()!.click();
    while (!document.querySelector('#ticket h1')?.textContent?.startsWith(`${subject} `)) await frame();
  }
}

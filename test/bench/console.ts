import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { openTemporaryServer } from '@firmdesk/postgres';
import { DEMO_EMAIL, DEMO_PASSWORD } from '@firmdesk/seed/demo-account';
import { createUser } from '@firmdesk/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../browser/find-browser.ts';
import { type BenchReport, figure, median, percentile, say } from './report.ts';
import { FIRM_ID } from './ticket-firm/fill-firm.ts';
import { openFirm } from './ticket-firm/open-firm.ts';

const MAIN = new URL('../../apps/gateway/src/main.ts', import.meta.url).pathname;
const BUILD = new URL('../../apps/console/build.ts', import.meta.url).pathname;

/** The number of first loads, each with an empty browser cache. */
const LOADS = 7;
/** The number of tickets in the scrolled list. */
const TICKETS = 200_000;
/** Pixels per wheel event and their number: about a thousand tickets are scrolled. */
const WHEEL = { by: 900, times: 95 };
/** How often the list is scrolled. The first run is a warm-up. */
const SCROLLS = 4;
/** A longer frame is a visible hitch: three frames at 60 Hz. */
const HITCH_MS = 50;
/** How many tickets are opened one after the other by `j`. */
const STEPS = 60;
/** How long a ticket is read. The neighbours are fetched meanwhile. */
const READ_MS = 500;
/** Fast 3G as WebPageTest defines it: 1.6 Mbit/s down, 768 kbit/s up, a round trip of 150 ms. */
const FAST_3G = { offline: false, downloadThroughput: 200_000, uploadThroughput: 96_000, latency: 150 };

/**
 * Measures the inbox in a browser. With the demo data: the bytes of a first load, the time to the first ticket, and the largest contentful
 * paint on fast 3G. With a firm of 200,000 tickets: the time from `j` to the messages of the next ticket, and the frame times of a fast scroll.
 */
export async function run(): Promise<BenchReport> {
  await promisify(execFile)(process.execPath, [BUILD]);
  const browser = await launchBrowser();
  try {
    const { loads, paints } = await loadDemo(browser);
    const { frames, steps } = await useFirm(browser);
    const sorted = frames.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
    const hitches = frames.filter((ms) => ms > HITCH_MS).length;
    const medianOf = (figure: keyof Load) => median(loads.map((load) => load[figure]));
    return {
      bench: 'console',
      figures: [
        figure('script of the inbox’s first load, compressed, kB', medianOf('scriptBytes') / 1_000, '<= 250'),
        figure('all of the inbox’s first load, compressed, kB', medianOf('bytes') / 1_000),
        figure('from the address to the first ticket, ms', medianOf('firstTicketMs')),
        figure('largest contentful paint on fast 3G, ms', median(paints), '<= 2000'),
        figure('from `j` to the messages of the next ticket, median, ms', median(steps)),
        figure('from `j` to the messages of the next ticket, p95, ms', percentile(steps, 0.95), '<= 150'),
        figure('frame of a fast scroll, median, ms', at(0.5)),
        figure('frame of a fast scroll, p95, ms', at(0.95), '<= 17'),
        figure(`frames of a fast scroll over ${HITCH_MS} ms, of 1,000`, (1_000 * hitches) / frames.length),
      ],
      raw: {
        loads,
        paints_ms: paints,
        steps_ms: steps,
        frames_ms: frames.map((ms) => Math.round(ms * 10) / 10),
      },
    };
  } finally {
    await browser.close();
  }
}

async function loadDemo(browser: Browser): Promise<{ loads: Load[]; paints: number[] }> {
  const database = await openTemporaryServer();
  const gateway = await startGateway(database.url, '1');
  try {
    const loads: Load[] = [];
    for (let n = 0; n < LOADS; n++) {
      const load = await firstLoad(browser, gateway.url);
      say(`first load: the first ticket after ${Math.round(load.firstTicketMs)} ms`);
      loads.push(load);
    }
    const paints: number[] = [];
    for (let n = 0; n < LOADS; n++) {
      const ms = await largestPaint(browser, gateway.url);
      say(`fast 3G: largest contentful paint after ${Math.round(ms)} ms`);
      paints.push(ms);
    }
    return { loads, paints };
  } finally {
    await stop(gateway.child);
    await database.release();
  }
}

/** Returns the frame times of scrolls, and the times from `j` to the next ticket, in milliseconds. */
async function useFirm(browser: Browser): Promise<{ frames: number[]; steps: number[] }> {
  await using firm = await openFirm(TICKETS);
  const agent = await createUser(firm.services, {
    firm: { id: FIRM_ID, slug: 'bench', name: 'Bench' },
    password: DEMO_PASSWORD,
    permissions: ['view_tickets'],
  });
  const gateway = await startGateway(firm.services.databaseUrl, '0');
  try {
    const frames: number[] = [];
    for (let n = 0; n < SCROLLS; n++) {
      const measured = await scroll(browser, gateway.url, agent.email);
      if (n > 0) frames.push(...measured);
    }
    return { frames, steps: await openOneAfterTheOther(browser, gateway.url, agent.email) };
  } finally {
    await stop(gateway.child);
  }
}

interface Load {
  scriptBytes: number;
  bytes: number;
  firstTicketMs: number;
}

async function firstLoad(browser: Browser, url: string): Promise<Load> {
  const context = await signedIn(browser, url, DEMO_EMAIL);
  const page = await context.newPage();
  const sizes: Promise<{ type: string; bytes: number }>[] = [];
  page.on('requestfinished', (request) => {
    sizes.push(
      request
        .sizes()
        .then(({ responseBodySize }) => ({ type: request.resourceType(), bytes: responseBodySize })),
    );
  });
  const began = performance.now();
  await page.goto(`${url}/tickets`, { waitUntil: 'commit' });
  await firstTicket(page);
  const firstTicketMs = performance.now() - began;
  await page.waitForLoadState('networkidle');
  const loaded = await Promise.all(sizes);
  await context.close();
  const sum = (some: typeof loaded) => some.reduce((total, { bytes }) => total + bytes, 0);
  return {
    scriptBytes: sum(loaded.filter(({ type }) => type === 'script')),
    bytes: sum(loaded),
    firstTicketMs,
  };
}

/** Returns when the largest element of a first load is painted on fast 3G, after navigation begins. */
async function largestPaint(browser: Browser, url: string): Promise<number> {
  const context = await signedIn(browser, url, DEMO_EMAIL);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', FAST_3G);
  await page.addInitScript(() => {
    Object.assign(globalThis, { largest: 0 });
    new PerformanceObserver((list) => {
      Object.assign(globalThis, { largest: list.getEntries().at(-1)!.startTime });
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  await page.goto(`${url}/tickets`);
  await firstTicket(page);
  await page.waitForLoadState('networkidle');
  const largest = await page.evaluate(() => (globalThis as unknown as { largest: number }).largest);
  await context.close();
  return largest;
}

/**
 * Presses `j` for one ticket after the other, none of which was open before. Returns the times from the key until the messages of the next
 * ticket are painted, in milliseconds.
 */
async function openOneAfterTheOther(browser: Browser, url: string, email: string): Promise<number[]> {
  const context = await signedIn(browser, url, email);
  const page = await context.newPage();
  await page.goto(`${url}/tickets?sort=created_at`);
  await firstTicket(page);
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(globalThis, { times });
    const shown = () =>
      document.querySelector('#ticket article')?.closest('#ticket')?.querySelector('h1')?.textContent;
    addEventListener(
      'keydown',
      () => {
        const pressed = performance.now();
        const before = shown();
        const look = () => {
          const now = shown();
          if (now && now !== before) times.push(performance.now() - pressed);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      },
      { capture: true },
    );
  });
  for (let step = 1; step <= STEPS; step++) {
    await page.keyboard.press('j');
    await page.waitForFunction(
      (count) => (globalThis as unknown as { times: number[] }).times.length === count,
      step,
    );
    await page.waitForTimeout(READ_MS);
  }
  const times = await page.evaluate(() => (globalThis as unknown as { times: number[] }).times);
  await context.close();
  return times;
}

function firstTicket(page: Page): Promise<void> {
  return page.getByRole('option').first().waitFor();
}

/** Scrolls the list with wheel events as fast as possible. */
async function scroll(browser: Browser, url: string, email: string): Promise<number[]> {
  const context = await signedIn(browser, url, email);
  const page = await context.newPage();
  await page.goto(`${url}/tickets?sort=created_at`);
  await firstTicket(page);
  const list = await page.getByRole('listbox', { name: 'Tickets' }).boundingBox();
  await page.mouse.move(list!.x + list!.width / 2, list!.y + list!.height / 2);
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const next = (now: number) => {
      frames.push(now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    Object.assign(globalThis, { frames });
  });
  for (let turn = 0; turn < WHEEL.times; turn++) await page.mouse.wheel(0, WHEEL.by);
  const frames = await page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames);
  await context.close();
  return frames.slice(1);
}

async function signedIn(browser: Browser, url: string, email: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const answer = await context.request.post(`${url}/trpc/sessions.signIn`, {
    headers: { origin: url, 'idempotency-key': crypto.randomUUID() },
    data: { json: { email, password: DEMO_PASSWORD, cookie: true } },
  });
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
  return context;
}

async function startGateway(
  databaseUrl: string,
  demo: '0' | '1',
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [MAIN], {
    env: { DATABASE_URL: databaseUrl, PORT: '0', DEMO: demo, LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const found = /listens on (\S+)/.exec(printed)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(`The gateway ended.\n${printed}`)));
  });
  return { child, url };
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

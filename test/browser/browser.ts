import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Permission, permissions } from '@firmdesk/contract';
import {
  closeServices,
  createModelAssistant,
  createServices,
  type Services,
  startWorkers,
  type Worker,
} from '@firmdesk/domain';
import { type App, createApp, readConsole } from '@firmdesk/gateway/testing';
import {
  type CreateTicketInput,
  cloneDatabase,
  createTicket,
  createToken,
  createUser,
  createWorkspace,
  type FakeOpenAiServer,
  startFakeOpenAiServer,
  TestLog,
} from '@firmdesk/testing';
import { request } from '@firmdesk/testing/gateway';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, onTestFinished, TestRunner } from 'vitest';
import { type BrowserNeeds, findBrowser, launchBrowser } from './find-browser.ts';

const hasBrowser = findBrowser() !== null;
if (!hasBrowser)
  console.warn('Skipped browser tests: no Chromium found. Install one or set CHROMIUM to its path.');

/** `describe` for tests that need a browser. */
export const describeInBrowser = describe.skipIf(!hasBrowser);

/** The password of every test user. */
export const PASSWORD = 'correct horse battery';

/** The most characters of a page or an error that a failed test shows. */
const MAX_SHOWN = 4_000;

/** An agent with a browser context of their own. */
export interface Agent {
  id: string;
  email: string;
  password: string;
  context: BrowserContext;
  page: Page;
}

/** The trader's question on test tickets. */
export const QUESTION = 'Where is my payout?';

export interface AgentOptions {
  name?: string;
  permissions?: Permission[];
  /** Width and height of the window. */
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  /** Whether to skip signing in. */
  isSignedOut?: boolean;
  /** Whether sends are delayed for some seconds, which most tests would only wait for. */
  delaysSends?: boolean;
  /** Whether the console installs its service worker. Requests that one makes cannot be intercepted by a test. */
  hasServiceWorker?: boolean;
}

/** The console on a gateway with its own worker, fake model server, database and browser. Nothing is shared with other tests. */
export interface ConsoleUnderTest extends AsyncDisposable {
  url: string;
  services: Services;
  log: TestLog;
  /** The model that writes replies. */
  model: FakeOpenAiServer;
  firm: Awaited<ReturnType<typeof createWorkspace>>;
  trader: Awaited<ReturnType<typeof createUser>>;
  /** Returns the path of a page of the firm: `/firms/northgate/tickets`. */
  pathOf(page: string): string;
  /** Creates a ticket of the firm, by default `awaiting_admin`. */
  ticket(over?: Partial<CreateTicketInput>): Promise<string>;
  /**
   * Creates a signed-in agent with a page, by default with every permission. The browser context of an agent that a test creates is closed
   * when the test ends.
   */
  agent(options?: AgentOptions): Promise<Agent>;
  /** Creates a ticket that asks {@link QUESTION}, and for each name an agent that has it open. */
  openTicketFor(...names: string[]): Promise<{ ticket: string; agents: Agent[] }>;
  /** Calls a procedure with an API key of the person, and returns its result. */
  // biome-ignore lint/suspicious/noExplicitAny: the result of any procedure
  call(person: { id: string; email: string }, procedure: string, input: object): Promise<any>;
  /** Changes the page that the gateway serves, as a deployment does. */
  deploy(change: (html: string) => string): void;
  /** Runs a function while no jobs run. */
  withoutWorker(run: () => Promise<void>): Promise<void>;
  /** Restarts the gateway at the same address. */
  restart(whileDown?: () => Promise<void>): Promise<void>;
}

export async function openConsole(postgresUrl: string, needs?: BrowserNeeds): Promise<ConsoleUnderTest> {
  const database = await cloneDatabase(postgresUrl);
  const model = await startFakeOpenAiServer();
  const log = new TestLog();
  const services = await createServices({
    databaseUrl: database.url,
    log,
    assistant: createModelAssistant({ baseUrl: model.baseUrl, apiKey: null, model: 'stand-in' }),
  });
  let worker: Worker = await startWorkers(services);
  const consoleFiles = await readConsole();
  if (!consoleFiles) throw new Error('The console is not built.');
  let app: App;
  const listen = async (port: number) => {
    app = createApp({ services, log, metrics: false, console: consoleFiles });
    app.server.listen(port, '127.0.0.1');
    await once(app.server, 'listening');
    return (app.server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const url = `http://127.0.0.1:${port}`;
  services.publicUrl = () => url;
  const browser = await launchBrowser(needs);
  const firm = await createWorkspace(services);
  const trader = await createUser(services, { firm, role: 'trader', name: 'Tess Trader' });

  const consoleUnderTest: ConsoleUnderTest = {
    url,
    services,
    log,
    model,
    firm,
    trader,
    pathOf: (page) => `/firms/${firm.slug}${page}`,
    ticket: (over = {}) => createTicket(services, { firm, trader, status: 'awaiting_admin', ...over }),
    async agent({ name = 'Robin Example', permissions: granted, isSignedOut = false, ...window } = {}) {
      const user = await createUser(services, {
        firm,
        name,
        password: PASSWORD,
        permissions: granted ?? [...permissions],
      });
      const context = await browser.newContext({
        baseURL: url,
        viewport: window.viewport ?? { width: 1280, height: 800 },
        colorScheme: window.colorScheme ?? 'light',
        locale: 'en-GB',
        timezoneId: 'Europe/London',
        serviceWorkers: window.hasServiceWorker ? 'allow' : 'block',
      });
      // Generous, because a busy machine is slow.
      context.setDefaultTimeout(60_000);
      if (!window.delaysSends)
        await context.addInitScript(() => localStorage.setItem('firmdesk.hold-replies', 'false'));
      const page = await context.newPage();
      if (TestRunner.getCurrentTest()) {
        onTestFinished(async ({ task }) => {
          const error = task.result?.state === 'fail' && task.result.errors?.[0];
          // In the message, so that it is beside the failure in the report.
          if (error) error.message += `\n${await describePages(context, log)}`;
          // Its pages would stay live, and make the tests after it slower. Requests that a test holds back may still wait.
          for (const each of context.pages()) await each.unrouteAll({ behavior: 'ignoreErrors' });
          await context.close();
        });
      }
      if (!isSignedOut) await startSession(context, url, user);
      return { ...user, password: PASSWORD, context, page };
    },
    async openTicketFor(...names) {
      const ticket = await consoleUnderTest.ticket({ messages: [{ body: QUESTION }] });
      const agents = await Promise.all(names.map((name) => consoleUnderTest.agent({ name })));
      await Promise.all(agents.map(({ page }) => openTicket(page, ticket)));
      return { ticket, agents };
    },
    async call(person, procedure, input) {
      const { text } = await createToken(services, { user: person, workspace: firm.slug });
      const answer = await request(url, `POST /trpc/${procedure}`, { token: text, body: { json: input } });
      expect(answer.status, answer.text).toBe(200);
      return answer.body.result.data.json;
    },
    deploy(change) {
      const content = Buffer.from(change(consoleFiles.index.content.toString()));
      const index = { ...consoleFiles.index, etag: `"${crypto.randomUUID()}"`, content, compressed: {} };
      consoleFiles.index = index;
      consoleFiles.files.set('/index.html', index);
    },
    async withoutWorker(run) {
      await worker.stop();
      await run();
      worker = await startWorkers(services);
    },
    async restart(whileDown) {
      await app.drain();
      await whileDown?.();
      await listen(port);
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await app.drain();
      await worker.stop();
      await closeServices(services);
      await model[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
  return consoleUnderTest;
}

/** Returns what the pages of an agent show, and the errors of the gateway. */
async function describePages(context: BrowserContext, log: TestLog): Promise<string> {
  const pages = context.pages().map(async (page) => {
    const shown = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String);
    return `${page.url()}\n${shown.slice(0, MAX_SHOWN)}`;
  });
  const errors = log.lines
    .filter(({ level }) => level === 'error')
    .map(({ message, fields }) => `${message} ${JSON.stringify(fields)}`.slice(0, MAX_SHOWN));
  return [...(await Promise.all(pages)), ...errors.slice(0, 10)].join('\n');
}

/** Calls a procedure with the session of a browser, in the firm of a slug or in none. */
export async function callFrom(
  context: BrowserContext,
  url: string,
  firm: string | null,
  procedure: string,
  input: object,
): Promise<void> {
  const answer = await context.request.post(`${url}/trpc/${procedure}`, {
    headers: {
      origin: url,
      'idempotency-key': crypto.randomUUID(),
      ...(firm !== null && { 'service-workspace': firm }),
    },
    data: { json: input },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}

/** Signs in through the API, which sets the session cookie in the context. */
export function startSession(
  context: BrowserContext,
  url: string,
  { email, workspace }: { email: string; workspace?: string },
): Promise<void> {
  const input = { email, workspace, password: PASSWORD, cookie: true, name: 'Chrome on Linux' };
  return callFrom(context, url, null, 'sessions.signIn', input);
}

/** Opens a ticket that asks {@link QUESTION} and waits for its conversation. */
export async function openTicket(page: Page, ticket: string): Promise<void> {
  await page.goto(`/tickets/${ticket}`);
  await page.getByRole('region', { name: 'Conversation' }).getByText(QUESTION).first().waitFor();
}

/** Holds the next call of a procedure back, before it reaches the gateway. `asked` resolves when the page has made it. */
export async function holdNext(
  page: Page,
  procedure: string,
): Promise<{ asked: Promise<void>; release(): void }> {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(
    `**/trpc/${procedure}**`,
    async (route) => {
      asked.resolve();
      await released.promise;
      await route.continue();
    },
    { times: 1 },
  );
  return { asked: asked.promise, release: released.resolve };
}

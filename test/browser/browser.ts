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
import {
  type CreateTicketInput,
  cloneDatabase,
  createTicket,
  createUser,
  createWorkspace,
  type FakeOpenAiServer,
  startFakeOpenAiServer,
  TestLog,
} from '@firmdesk/domain/testing';
import { type App, createApp, readConsole } from '@firmdesk/gateway/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { findBrowser, launchBrowser } from './find-browser.ts';

const hasBrowser = findBrowser() !== null;
if (!hasBrowser) console.warn('Skipped: no Chromium was found, and CHROMIUM names none.');

/** `describe` for what needs a browser. */
export const describeInBrowser = describe.skipIf(!hasBrowser);

/** The password of everybody here. */
export const PASSWORD = 'correct horse battery';

/** Somebody at a browser of their own. */
export interface Agent {
  id: string;
  email: string;
  password: string;
  context: BrowserContext;
  page: Page;
}

/** What a trader asks. */
export const QUESTION = 'Where is my payout?';

export interface AgentOptions {
  name?: string;
  permissions?: Permission[];
  /** Width and height of the window. */
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  /** Left at the sign-in page. */
  isSignedOut?: boolean;
}

/** The console on a gateway with worker, model and database of its own, and a browser. All of it real, none of it shared. */
export interface ConsoleUnderTest extends AsyncDisposable {
  url: string;
  services: Services;
  log: TestLog;
  /** The model that writes replies. */
  model: FakeOpenAiServer;
  firm: Awaited<ReturnType<typeof createWorkspace>>;
  trader: Awaited<ReturnType<typeof createUser>>;
  /** The path of a page of the firm's: `/firms/northgate/tickets`. */
  at(page: string): string;
  /** A ticket of the firm's; it awaits the team unless told. */
  ticket(over?: Partial<CreateTicketInput>): Promise<string>;
  /** A signed-in agent at a page of their own, who may do everything unless told. */
  agent(options?: AgentOptions): Promise<Agent>;
  /** A ticket that asks {@link QUESTION}, and agents of these names who look at it. */
  openTicketFor(...names: string[]): Promise<{ ticket: string; agents: Agent[] }>;
  /** Stops the gateway as a restart does, and starts it again at the same address. */
  restart(whileDown?: () => Promise<void>): Promise<void>;
}

export async function openConsole(postgresUrl: string): Promise<ConsoleUnderTest> {
  const database = await cloneDatabase(postgresUrl);
  const model = await startFakeOpenAiServer();
  const log = new TestLog();
  const services = await createServices({
    databaseUrl: database.url,
    log,
    assistant: createModelAssistant({ baseUrl: model.baseUrl, apiKey: null, model: 'stand-in' }),
  });
  const worker: Worker = await startWorkers(services);
  const consoleFiles = await readConsole();
  if (!consoleFiles) throw new Error('The console is not built.');
  let url = '';
  let app: App;
  const listen = async (port: number) => {
    app = createApp({ services, log, metrics: false, publicUrl: () => url, console: consoleFiles });
    app.server.listen(port, '127.0.0.1');
    await once(app.server, 'listening');
    return (app.server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  url = `http://127.0.0.1:${port}`;
  const browser = await launchBrowser();
  const firm = await createWorkspace(services);
  const trader = await createUser(services, { firm, role: 'trader', name: 'Tess Trader' });

  const console: ConsoleUnderTest = {
    url,
    services,
    log,
    model,
    firm,
    trader,
    at: (page) => `/firms/${firm.slug}${page}`,
    ticket: (over = {}) => createTicket(services, { firm, trader, status: 'awaiting_admin', ...over }),
    async agent({ name = 'Robin Example', permissions: held, isSignedOut = false, ...window } = {}) {
      const user = await createUser(services, {
        firm,
        name,
        password: PASSWORD,
        permissions: held ?? [...permissions],
      });
      const context = await browser.newContext({
        baseURL: url,
        viewport: window.viewport ?? { width: 1280, height: 800 },
        colorScheme: window.colorScheme ?? 'light',
        locale: 'en-GB',
        timezoneId: 'Europe/London',
      });
      // How long a condition is waited for: on a busy machine, not how long it takes.
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      if (!isSignedOut) await signIn(context, url, user.email);
      return { ...user, password: PASSWORD, context, page };
    },
    async openTicketFor(...names) {
      const ticket = await console.ticket({ messages: [{ body: QUESTION }] });
      const agents = await Promise.all(names.map((name) => console.agent({ name })));
      await Promise.all(agents.map(({ page }) => openTicket(page, ticket)));
      return { ticket, agents };
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
  return console;
}

/** Signs in as the page does, without the page: its cookie is the context's from then on. */
async function signIn(context: BrowserContext, url: string, email: string): Promise<void> {
  const answer = await context.request.post(`${url}/trpc/sessions.signIn`, {
    headers: { origin: url, 'idempotency-key': crypto.randomUUID() },
    data: { json: { email, password: PASSWORD, cookie: true, name: 'Chrome on Linux' } },
  });
  expect(answer.status()).toBe(200);
}

/** Goes to a ticket that asks {@link QUESTION}, and waits until it is shown. */
export async function openTicket(page: Page, ticket: string): Promise<void> {
  await page.goto(`/tickets/${ticket}`);
  await page.getByRole('region', { name: 'Conversation' }).getByText(QUESTION).first().waitFor();
}

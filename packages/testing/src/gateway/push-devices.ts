import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { DeviceApp, Scope } from '@firmdesk/contract';
import { generateVapidKey, type PushProvider, ReloadableBrowserPush } from '@firmdesk/domain';
import { createApnsProvider } from '@firmdesk/domain/apns';
import { createToken, type TestUser } from '../data/accounts.ts';
import { TestLog } from '../database/services.ts';
import { type ApnsServer, CERTIFICATE_FILE, KEY_FILE, openApnsServer } from '../stand-ins/apns-server.ts';
import { openWebPushServer, type WebPushServer } from '../stand-ins/web-push-server.ts';
import { openTestGateway, type TestGateway } from './test-gateway.ts';

const KEY_ID = 'STANDIN001';
export const TOPICS = { mail: 'example.mail', calendar: 'example.calendar', admin: 'example.admin' };

/** Returns the environment variables of a process that sends pushes to the stand-in. */
export function apnsVariables({ url }: Pick<ApnsServer, 'url'>): Record<string, string> {
  return {
    APNS_KEY_FILE: KEY_FILE,
    APNS_KEY_ID: KEY_ID,
    APNS_TEAM_ID: KEY_ID,
    APNS_TOPIC_MAIL: TOPICS.mail,
    APNS_TOPIC_CALENDAR: TOPICS.calendar,
    APNS_TOPIC_ADMIN: TOPICS.admin,
    APNS_PRODUCTION_URL: url,
    APNS_SANDBOX_URL: url,
    APNS_CA_FILE: CERTIFICATE_FILE,
  };
}

/** Creates the real APNs provider, connected to the stand-in. */
export function createTestProvider(
  apns: Pick<ApnsServer, 'url'>,
  { now = () => new Date(), log = new TestLog(), requestTimeoutMs = 2_000 } = {},
): PushProvider {
  return createApnsProvider({
    key: readFileSync(KEY_FILE, 'utf8'),
    keyId: KEY_ID,
    teamId: KEY_ID,
    ca: readFileSync(CERTIFICATE_FILE, 'utf8'),
    topics: TOPICS,
    urls: { production: apns.url, sandbox: apns.url },
    requestTimeoutMs,
    clock: { now },
    log,
  });
}

/** Opens the stand-in of a push service for browsers, and the real sender to it. */
export async function openTestBrowserPush(
  clock: { now(): Date },
  options: { requestTimeoutMs?: number } = {},
): Promise<{ webPush: WebPushServer; browserPush: ReloadableBrowserPush }> {
  const key = generateVapidKey();
  const browserPush = await ReloadableBrowserPush.open({
    readKey: async () => key,
    publicUrl: () => 'https://desk.example.com',
    clock,
    allowsLoopback: true,
    requestTimeoutMs: 30_000,
    ...options,
  });
  return { webPush: await openWebPushServer(browserPush.publicKey), browserPush };
}

export interface PushGateway extends TestGateway {
  apns: ApnsServer;
  webPush: WebPushServer;
  /** Returns the outbox rows of a session, oldest first. */
  outbox(session: string): Promise<{ id: string; state: string; reason: string | null; attempts: number }[]>;
}

/** Opens a gateway that sends its pushes through the real providers to stand-ins. */
export async function openPushGateway(postgresUrl: string): Promise<PushGateway> {
  const apns = await openApnsServer();
  // On a busy machine a short timeout would cause retries.
  const push = createTestProvider(apns, { now: () => gateway.clock.now(), requestTimeoutMs: 30_000 });
  const { webPush, browserPush } = await openTestBrowserPush({ now: () => gateway.clock.now() });
  const gateway: TestGateway = await openTestGateway(postgresUrl, { push, browserPush });
  return {
    ...gateway,
    apns,
    webPush,
    async outbox(session) {
      const { rows } = await gateway.services.pool.query(
        'select id, state, reason, attempts from push_outbox where token_id = $1 order by created_at, id',
        [session],
      );
      return rows;
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await apns[Symbol.asyncDispose]();
      await webPush[Symbol.asyncDispose]();
    },
  };
}

export interface Phone {
  /** The signed-in token's id and text. */
  session: string;
  text: string;
  deviceToken: string;
}

interface RegisterPhoneOptions {
  scopes?: Scope[];
  timezone?: string;
  /** Default: a random one. */
  deviceToken?: string;
}

/** Creates a device session of the user in a workspace, and registers one app of its phone. */
export async function registerPhone(
  gateway: Pick<TestGateway, 'services' | 'clock' | 'request'>,
  user: TestUser,
  workspace: string,
  app: DeviceApp,
  { scopes, timezone, deviceToken = randomBytes(32).toString('hex') }: RegisterPhoneOptions = {},
): Promise<Phone> {
  const token = await createToken(gateway.services, {
    user,
    workspace,
    kind: 'device',
    ...(scopes && { scopes }),
    createdAt: gateway.clock.now(),
  });
  const answer = await gateway.request('POST /v1/me/devices', {
    token: token.text,
    body: { app, environment: 'production', token: deviceToken, ...(timezone && { timezone }) },
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return { session: token.id, text: token.text, deviceToken };
}

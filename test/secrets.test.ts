/**
 * A gateway discloses secrets only to their owners. The tests use a started gateway with planted secrets, including failures,
 * and search for the secrets in its output (LOG_LEVEL=trace, both streams), in its public pages (`/metrics`, `/docs`, the
 * OpenAPI document, health) and, for credentials, in every response.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { scopes } from '@firmdesk/contract';
import {
  appRouter,
  closeServices,
  createServices,
  declaredProcedures,
  type Services,
} from '@firmdesk/domain';
import {
  cloneDatabase,
  createToken,
  type FakeOpenAiServer,
  startFakeOpenAiServer,
  type TestDatabase,
  unique,
} from '@firmdesk/testing';
import {
  type Answer,
  type ApnsServer,
  apnsVariables,
  KEY_FILE,
  openApnsServer,
  openSocket,
  type RequestOptions,
  request,
} from '@firmdesk/testing/gateway';
import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { exampleOf, type Input, needAnotherDevice } from './proof/examples.ts';
import { createFixtures, type Fixtures } from './proof/fixtures.ts';
import { inputSchemaOf } from './proof/references.ts';
import { ops, type StartedGateway, startGateway, stop, temporaryFolder } from './started-gateway.ts';

/** Returns a random text to search for. */
const planted = (label: string) => `planted-${label}-${randomBytes(6).toString('hex')}`;

/** Text of users, which must not appear in any log. */
const userText = planted('words');
/** The credentials, by description. */
const credentials: Record<string, string> = {
  'the database’s password': planted('database'),
  'the assistant’s key': planted('assistant'),
  'a wrong password': planted('wrong'),
  'a new password': planted('new-password'),
  'a phone’s push token': randomBytes(32).toString('hex'),
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: TestDatabase;
let services: Services;
let apns: ApnsServer;
let model: FakeOpenAiServer;
let env: Record<string, string>;
let gateway: StartedGateway;
let url: string;
let output = '';
const answers: string[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  apns = await openApnsServer();
  model = await startFakeOpenAiServer();
  database = await cloneDatabase(inject('postgresUrl'));
  services = await createServices({ databaseUrl: database.url });
  const role = unique('planted');
  await services.pool.query(
    `create role "${role}" login superuser password '${credentials['the database’s password']}'`,
  );
  const address = new URL(database.url);
  address.username = role;
  address.password = credentials['the database’s password']!;
  env = {
    DATABASE_URL: address.href,
    DATA_DIR: folder.path,
    LOG_LEVEL: 'trace',
    RATE_LIMIT_PER_MINUTE: '0',
    ASSISTANT_BASE_URL: model.baseUrl,
    ASSISTANT_MODEL: 'stand-in',
    ASSISTANT_API_KEY: credentials['the assistant’s key']!,
    ...apnsVariables(apns),
  };
  gateway = startGateway(env);
  for (const stream of [gateway.child.stdout!, gateway.child.stderr!]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  url = await gateway.listening;
  credentials['the key that pushes are signed with'] = (await readFile(KEY_FILE, 'utf8')).split('\n')[1]!;
});
afterAll(async () => {
  if (gateway.child.exitCode === null) await stop(gateway);
  await closeServices(services);
  await database[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  await apns[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** Sends a request and stores the response, except one that may contain a token for its owner. */
async function send(target: string, options: RequestOptions = {}): Promise<Answer> {
  const answer = await request(url, target, options);
  const headers = [...answer.headers].filter(([name]) => name !== 'set-cookie');
  const isSignIn = answer.status === 201 && /sessions/i.test(target);
  answers.push(JSON.stringify(headers) + (isSignIn ? '' : answer.text));
  return answer;
}

function overRpc(name: string, isQuery: boolean, input: Input, options: RequestOptions): Promise<Answer> {
  const text = JSON.stringify(superjson.serialize(input));
  return isQuery
    ? send(`GET /trpc/${name}?input=${encodeURIComponent(text)}`, options)
    : send(`POST /trpc/${name}`, { ...options, body: text });
}

/** Returns the input with planted text in every free-text field. */
function withPlantedText(input: Input): Input {
  const text = JSON.stringify(input).replaceAll('Example text', userText);
  return JSON.parse(
    text.replaceAll('"raw":"', `"encoding":"text","raw":"Subject: ${userText}\\r\\n\\r\\n${userText} `),
  );
}

async function createFixturesWithToken(hasPassword = true): Promise<Fixtures & { bearer: string }> {
  const home = await createFixtures(
    { services, request: (target, options) => request(url, target, options) },
    { hasPassword },
  );
  credentials[`the password of ${home.owner.id}`] = home.password;
  const { text } = await createToken(services, {
    user: home.owner,
    workspace: home.home.slug,
    scopes: [...scopes],
  });
  credentials[`a token of ${home.owner.id}`] = text;
  return { ...home, bearer: text };
}

describe('typical use', () => {
  let home: Awaited<ReturnType<typeof createFixturesWithToken>>;
  beforeAll(async () => {
    home = await createFixturesWithToken();
  });

  test.each(declaredProcedures(appRouter).filter(({ spec }) => spec.kind !== 'subscription'))(
    '$name: makes valid, invalid and unauthorized calls',
    async ({ name, spec, meta }) => {
      const isQuery = spec.kind === 'query';
      // A mutation gets a firm of its own, because it may sign out or delete.
      const schema = inputSchemaOf(meta);
      const mine = isQuery
        ? home
        : await createFixturesWithToken(JSON.stringify(schema).includes('password'));
      const input = withPlantedText(exampleOf(name, schema, mine));
      if ('new_password' in input) input['new_password'] = credentials['a new password'];
      if (name === 'devices.register') input['token'] = credentials['a phone’s push token'];
      const token = mine.bearer;
      const wrongToken = `${token.slice(0, -4)}zzzz`;
      credentials['a token that is wrong'] = wrongToken;
      const valid = await overRpc(name, isQuery, input, { token });
      // The owner of the fixtures is none of the service's staff.
      const isRefused = spec.tag === 'Staff' || needAnotherDevice.has(name);
      expect(valid.status, valid.text).toBeLessThan(isRefused ? 500 : 300);
      const again = await overRpc(name, isQuery, input, { token, key: randomUUID() });
      expect(again.status, again.text).toBeLessThan(500);
      await overRpc(name, isQuery, input, { token: wrongToken });
      await overRpc(
        name,
        isQuery,
        { ...input, id: userText, ticket: [userText], limit: userText },
        { token },
      );
      await overRpc(
        name,
        isQuery,
        {
          ...input,
          password: credentials['a wrong password'],
          current_password: credentials['a wrong password'],
        },
        { token },
      );
      await send(`POST /trpc/${name}`, {
        token,
        body: `{"json":{"body":"${userText}","password":"${mine.password}"`,
      });
      await send(`GET /trpc/${name}?token=${token}`, {
        workspace: 'platform',
        headers: { cookie: `firmdesk_session_platform=${token}` },
      });
      if (spec.rest) {
        const path = spec.rest.path.replace(/\{\w+\}/g, userText);
        await send(`${spec.rest.method} ${path}?token=${token}&q=${userText}`, {
          token,
          workspace: userText,
          ...(!isQuery && { body: { ...input, not_known: userText, subject: 5 } }),
        });
      }
    },
  );

  test('makes websocket calls with tokens in wrong places', async () => {
    const socket = await openSocket(url, { params: { token: home.bearer } });
    await socket.call('subscription', 'tickets.stream', { ticket: userText });
    await socket.call('query', 'mail.get', { id: userText });
    socket.ws.send(`{"id":1,"method":"${userText}","params":{"token":"${home.bearer}"}}`);
    socket.ws.send(userText);
    // By then the gateway has read everything sent before.
    await socket.call('query', 'ping');
    socket.ws.terminate();
    const refused = await openSocket(url, {
      params: { token: `${home.bearer}x` },
      query: `?token=${home.bearer}`,
    });
    await refused.closed;
  });

  test('causes failures of the model, the push service and the database', async () => {
    const mine = await createFixturesWithToken();
    const phone = await send('POST /v1/me/devices', {
      token: mine.bearer,
      body: { app: 'admin', environment: 'production', token: credentials['a phone’s push token'] },
    });
    expect(phone.status, phone.text).toBeLessThan(300);
    apns.script(
      { status: 403, reason: 'InvalidProviderToken' },
      { status: 500, reason: 'InternalServerError' },
      'reset',
      'goaway',
      { status: 410, reason: 'Unregistered', timestamp: Date.now() },
    );
    for (const behaviour of [
      { kind: 'error', status: 401 },
      { kind: 'stream-error', words: [userText] },
      { kind: 'break', words: [userText], how: 'cut' },
    ] as const) {
      model.behave(behaviour);
      const asked = model.requests.length;
      // The other one of the fixtures has a command already.
      await send(`POST /v1/admin/tickets/${mine.otherTicket.text}/ai`, {
        token: mine.bearer,
        body: { instruction: userText },
      });
      await overRpc(
        'notifications.notify',
        false,
        { workspace: mine.firm.text, kind: 'payout_requested', title: userText, action_url: '/' },
        { token: mine.bearer },
      );
      await expect.poll(() => model.requests.length, { timeout: 60_000 }).toBeGreaterThan(asked);
    }
    await expect.poll(() => apns.received.length, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(JSON.stringify(apns.received[0]!.payload)).toContain('planted');
    const calls = Array.from({ length: 30 }, (_, i) =>
      send('POST /v1/me/mail/drafts', {
        token: mine.bearer,
        body: { address_id: mine.mailbox.number, subject: `${userText} ${i}`, body: userText },
      }),
    );
    await services.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'firmdesk%' and pid <> pg_backend_pid() and usename like 'planted%'`,
    );
    await Promise.all(calls);
    await expect.poll(async () => (await send('GET /readyz')).status, { timeout: 60_000 }).toBe(200);
  });

  test('runs commands and starts that fail', async () => {
    const runOps = async (args: string[], over: Record<string, string> = {}, input = '') => {
      const { stdout, stderr } = await ops({ ...env, ...over }, args, input);
      output += stdout + stderr;
    };
    const unreachable = new URL(env['DATABASE_URL']!);
    unreachable.port = '1';
    await runOps(['check']);
    await runOps(['check'], { DATABASE_URL: unreachable.href });
    await runOps(['token', 'list', '--user', home.owner.email]);
    await runOps(['user', 'password', home.owner.email], {}, `${credentials['a new password']}\n`);
    const failing = startGateway({ ...env, DATABASE_URL: unreachable.href, ASSISTANT_MODEL: '' });
    await failing.exited;
    output += failing.stdout() + failing.stderr();
  });

  test('public pages contain no secret', async () => {
    let shown = '';
    for (const path of ['/metrics', '/docs/', '/v1/openapi.json', '/healthz', '/readyz', '/']) {
      shown += (await request(url, `GET ${path}`)).text;
    }
    expectNone(shown, { ...credentials, words: userText });
  });

  test('responses contain no credential, except those that issue it', () => {
    expect(answers.length).toBeGreaterThan(200);
    expectNone(answers.join('\n'), credentials);
  });

  test('the logs contain no secret', async () => {
    gateway.child.kill('SIGTERM');
    await once(gateway.child, 'close');
    expect(output).toContain('"msg":"request"');
    expect(output).toContain('"level":40');
    expectNone(output, { ...credentials, words: userText });
  });
});

function expectNone(text: string, secrets: Record<string, string>): void {
  const found = Object.entries(secrets)
    .filter(([, secret]) => text.includes(secret))
    .map(
      ([what, secret]) =>
        `${what}: …${text.slice(Math.max(0, text.indexOf(secret) - 200), text.indexOf(secret) + 40)}`,
    );
  expect(found).toEqual([]);
}

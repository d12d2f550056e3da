import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  administer,
  cloneDatabase,
  createDatabase,
  startFakeOpenAiServer,
  startFarEnd,
  type TestDatabase,
} from '@firmdesk/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runNode } from './testing/run-node.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await cloneDatabase(inject('postgresUrl'));
  folder = await mkdtemp(join(tmpdir(), 'firmdesk-check-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database[Symbol.asyncDispose]();
});

interface Result {
  check: string;
  ok: boolean;
  detail: string;
}

async function check(env: Record<string, string> = {}): Promise<{ code: number | null; results: Result[] }> {
  const outcome = await runNode(
    'ops/main.ts',
    ['check', '--json'],
    { DATABASE_URL: database.url, ...env },
    folder,
  );
  return { code: outcome.code, results: JSON.parse(outcome.stdout) };
}
const failures = async (env: Record<string, string>) => {
  const { code, results } = await check(env);
  expect(code).toBe(1);
  return results.filter(({ ok }) => !ok).map(({ check, detail }) => `${check}: ${detail}`);
};

test('reports what works, with exit code 0', async () => {
  const { code, results } = await check();
  expect(results.filter(({ ok }) => !ok)).toEqual([]);
  expect(code).toBe(0);
  const detailOf = (name: string) => results.find(({ check }) => check === name)?.detail;
  expect(detailOf('database')).toMatch(/^PostgreSQL \d+\.\d+.*DATABASE_URL/);
  expect(detailOf('schema')).toBe('schema up to date');
  expect(detailOf('connections')).toMatch(
    /^a process opens at most \d+ \(DATABASE_POOL_MAX\); the server allows \d+: enough for \d+ processes\. Now \d+ are open$/,
  );
  expect(detailOf('clock')).toMatch(/^0\.\d s (behind|ahead of) the database's$/);
});

test('tries the place of files', async () => {
  const detailOf = async (env: Record<string, string>) =>
    (await check(env)).results.find(({ check }) => check === 'attachments');
  expect(await detailOf({})).toEqual({
    check: 'attachments',
    ok: true,
    detail: expect.stringMatching(/attachments: if gateways run on several machines, set OBJECT_STORE_URL/),
  });
  const blocked = join(folder, 'file');
  await writeFile(blocked, '');
  expect(await detailOf({ OBJECT_STORE_URL: `file://${blocked}` })).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/^files of messages cannot be stored: the folder .*: ENOTDIR/),
  });
});

test('runs the scanner', async () => {
  const resultOf = async (SCAN_COMMAND: string) =>
    (await check({ SCAN_COMMAND })).results.find(({ check }) => check === 'scanner');
  expect(await resultOf('true')).toEqual({ check: 'scanner', ok: true, detail: 'true' });
  expect(await resultOf('false')).toMatchObject({ ok: false, detail: expect.stringMatching(/harmless/) });
  expect(await resultOf('/nowhere/scan {file}')).toMatchObject({ ok: false });
});

describe('a key for pushes', () => {
  const apns = (keyFile: string) => ({
    APNS_KEY_FILE: keyFile,
    APNS_KEY_ID: 'KEY',
    APNS_TEAM_ID: 'TEAM',
    APNS_TOPIC_MAIL: 'mail',
    APNS_TOPIC_CALENDAR: 'calendar',
    APNS_TOPIC_ADMIN: 'admin',
  });
  const file = async (text: string) => {
    const path = join(folder, randomUUID());
    await writeFile(path, text);
    return path;
  };
  const pem = (curve: string) =>
    generateKeyPairSync('ec', { namedCurve: curve })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();

  test('of browsers is made by a command, for its owner alone, and checked', async () => {
    const detailOf = async (env: Record<string, string>) =>
      (await check(env)).results.find(({ check }) => check === 'web push')?.detail;
    expect(await detailOf({})).toMatch(/^not configured: browsers are offered no pushes/);
    const path = join(folder, 'web-push.pem');
    const make = () => runNode('ops/main.ts', ['web-push-key', '--json', '--out', path], {}, folder);
    const made = await make();
    expect(made.code, made.stderr).toBe(0);
    const { public_key } = JSON.parse(made.stdout);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await detailOf({ WEB_PUSH_KEY_FILE: path, PUBLIC_URL: 'https://desk.example.com' })).toBe(
      `public key ${public_key}`,
    );
    // Browsers have subscribed with it.
    expect((await make()).code).toBe(1);
    const other = await file(pem('secp384r1'));
    expect(await failures({ WEB_PUSH_KEY_FILE: other })).toEqual([
      `web push: WEB_PUSH_KEY_FILE ${other} is not a P-256 private key in PEM form: make one with \`pnpm ops web-push-key\``,
    ]);
  });

  test('is checked before a push is sent', async () => {
    expect((await check(apns(await file(pem('prime256v1'))))).code).toBe(0);
    expect(await failures(apns(folder))).toEqual([
      `push: APNS_KEY_FILE ${folder} is a folder: name the file in it`,
    ]);
    const missing = join(folder, 'missing.p8');
    expect(await failures(apns(missing))).toEqual([`push: APNS_KEY_FILE ${missing} does not exist`]);
    const text = await file('no key');
    expect(await failures(apns(text))).toEqual([
      `push: APNS_KEY_FILE ${text} is not a private key in PEM form: use the .p8 file from Apple`,
    ]);
    const other = await file(pem('secp384r1'));
    expect(await failures(apns(other))).toEqual([
      `push: APNS_KEY_FILE ${other} is a key of another kind: use the .p8 file from Apple (P-256)`,
    ]);
  });
});

test('asks the language model for one token, as replies do', async () => {
  const key = 'sk-secret-0123456789';
  await using model = await startFakeOpenAiServer();
  const assistant = async (env: Record<string, string>) =>
    (await check({ ASSISTANT_MODEL: 'stand-in', ASSISTANT_API_KEY: key, ...env })).results.find(
      ({ check }) => check === 'assistant',
    );
  model.behave({ kind: 'reply', words: ['Yes'], finish: 'length' });
  expect(await assistant({ ASSISTANT_BASE_URL: `${model.baseUrl}?api-version=1` })).toMatchObject({
    ok: true,
    detail: `stand-in at ${model.baseUrl} answered “Yes”`,
  });
  expect(model.requests).toMatchObject([
    { authorization: `Bearer ${key}`, path: '/v1/chat/completions?api-version=1' },
  ]);
  const root = new URL(model.baseUrl).origin;
  expect(await failures({ ASSISTANT_MODEL: 'stand-in', ASSISTANT_BASE_URL: root })).toEqual([
    `assistant: stand-in at ${root} answered with status 404`,
  ]);
  expect(
    await failures({
      ASSISTANT_MODEL: 'stand-in',
      ASSISTANT_BASE_URL: model.baseUrl.replace('//', '//user:hidden@'),
    }),
  ).toEqual([
    expect.stringMatching(
      /^configuration: (?![\s\S]*hidden)[\s\S]*ASSISTANT_BASE_URL must not contain a user/,
    ),
  ]);
  expect(
    await failures({
      ASSISTANT_MODEL: 'm',
      ASSISTANT_BASE_URL: model.baseUrl,
      ASSISTANT_API_KEY: `${key}\nx`,
    }),
  ).toEqual([
    'assistant: ASSISTANT_API_KEY contains blanks, line breaks or letters outside ASCII: it is no key',
  ]);
});

test('finds a schema that is not ours', async () => {
  const name = `check_${randomUUID().replaceAll('-', '')}`;
  const url = await createDatabase(inject('postgresUrl'), name);
  try {
    await administer(url, 'create table invoices ()');
    expect(await failures({ DATABASE_URL: url })).toEqual([
      'schema: The database belongs to another application: it contains other tables (invoices). Use an empty database.',
    ]);
  } finally {
    await administer(inject('postgresUrl'), `drop database ${name} with (force)`);
  }
});

test('finds that a process wants more connections than the server allows', async () => {
  expect((await failures({ DATABASE_POOL_MAX: '900' }))[0]).toMatch(
    /^connections: a process opens at most 900 .*Lower DATABASE_POOL_MAX, or raise max_connections/,
  );
});

test('rejects too few connections for jobs', async () => {
  const outcome = await runNode(
    'main.ts',
    [],
    { DATABASE_URL: database.url, DATABASE_POOL_MAX: '8' },
    folder,
  );
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toContain('DATABASE_POOL_MAX must be at least 9');
});

describe('the mail server', () => {
  test('is not needed: mail to the outside is not sent then', async () => {
    const { results } = await check();
    expect(results.find(({ check }) => check === 'mail')).toMatchObject({
      ok: true,
      detail: 'no mail server is configured (SMTP_URL): mail to the outside is not sent',
    });
  });

  test('is asked, with the password of the file without its last line feed', async () => {
    await using farEnd = await startFarEnd({
      disabledCommands: ['STARTTLS'],
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, callback) {
        if (username === 'desk' && password === 'secret ') callback(null, { user: username });
        else callback(new Error('Wrong password'));
      },
    });
    const passwordFile = join(folder, 'smtp-password');
    await writeFile(passwordFile, 'secret \n');
    const env = {
      SMTP_URL: farEnd.url.replace('smtp://', 'smtp://desk@'),
      SMTP_PASSWORD_FILE: passwordFile,
      MAIL_DOMAINS: 'desk.example, other.example',
    };
    const { code, results } = await check(env);
    expect(code).toBe(0);
    expect(results.find(({ check }) => check === 'mail')?.detail).toMatch(
      /^127\.0\.0\.1:\d+; returned mail comes to desk\.example; not signed/,
    );
    await writeFile(passwordFile, 'other');
    expect(await failures(env)).toEqual([
      expect.stringMatching(/^mail: the mail server of SMTP_URL cannot be used: Invalid login: 535/),
    ]);
    const keyFile = join(folder, 'dkim');
    await writeFile(keyFile, 'no key');
    await writeFile(passwordFile, 'secret ');
    expect(await failures({ ...env, DKIM_KEY_FILE: keyFile, DKIM_SELECTOR: 's1' })).toEqual([
      `mail: DKIM_KEY_FILE ${keyFile} is not a private key in PEM form`,
    ]);
  });

  test.each([
    [{ SMTP_URL: 'http://mail.example.com' }, 'SMTP_URL must be a URL such as smtps://user@mail.example.com'],
    [{ SMTP_PASSWORD_FILE: '/x' }, 'SMTP_URL must be set, because SMTP_PASSWORD_FILE is set'],
    [
      { SMTP_URL: 'smtps://a:b@mail.example.com', SMTP_PASSWORD_FILE: '/x' },
      'SMTP_PASSWORD_FILE has no effect, because SMTP_URL has a password: remove it there',
    ],
    [
      { SMTP_URL: 'smtps://mail.example.com', SMTP_PASSWORD_FILE: '/x' },
      'SMTP_URL must have a user, because SMTP_PASSWORD_FILE is set',
    ],
    [
      { SMTP_URL: 'smtps://mail.example.com', DKIM_SELECTOR: 'x' },
      'DKIM_KEY_FILE, MAIL_DOMAINS must be set, because DKIM_SELECTOR is set',
    ],
    [{ MAIL_DOMAINS: 'localhost' }, 'MAIL_DOMAINS must be a list of domains'],
    [{ MAIL_DOMAIN: 'a.example' }, 'MAIL_DOMAIN is unknown'],
  ])('is refused with %o', async (env, problem) => {
    const [failure] = await failures(env as Record<string, string>);
    expect(failure).toContain(problem);
  });
});

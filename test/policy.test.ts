/**
 * Each access rule has one home, `access/policy.ts`. For each rule, this test changes the fragment in a copy of the tree and
 * expects all paths that depend on the rule to change. A path that repeats the rule would stay the same.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { closeServices, createServices } from '@firmdesk/domain';
import { cloneDatabase, createDatabase } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { copyTree } from './copy-tree.ts';
import { createFixture, type Fixture } from './policy/fixture.ts';

const run = promisify(execFile);

let tree: Awaited<ReturnType<typeof copyTree>>;
let filled: Awaited<ReturnType<typeof cloneDatabase>>;
let fixture: Fixture;
let policy: string;
let baseline: Record<string, unknown>;

beforeAll(async () => {
  filled = await cloneDatabase(inject('postgresUrl'));
  const services = await createServices({ databaseUrl: filled.url });
  fixture = await createFixture(services);
  await closeServices(services);
  tree = await copyTree();
  policy = await readFile(policyFile(), 'utf8');
  baseline = await observe();
});
afterAll(async () => {
  await filled[Symbol.asyncDispose]();
  await tree[Symbol.asyncDispose]();
});

const policyFile = () => join(tree.path, 'packages/domain/src/access/policy.ts');

let observed = 0;

/** Returns the account's access on each path, measured on a separate database. */
async function observe(): Promise<Record<string, unknown>> {
  const template = new URL(filled.url).pathname.slice(1);
  const url = await createDatabase(inject('postgresUrl'), `${template}_${observed++}`, template);
  const { stdout } = await run(process.execPath, [
    join(tree.path, 'test/policy/observe.ts'),
    url,
    JSON.stringify(fixture),
  ]);
  return JSON.parse(stdout);
}

/** Changes the policy and returns the paths that change with it. */
async function changedBy(pattern: RegExp, replacement: string): Promise<string[]> {
  const changed = policy.replace(pattern, replacement);
  expect(changed).not.toBe(policy);
  await writeFile(policyFile(), changed);
  const seen = await observe();
  return Object.keys(baseline).filter(
    (path) => JSON.stringify(seen[path]) !== JSON.stringify(baseline[path]),
  );
}

const guards = ['guard of a call for the firm', 'guard of an administrative call'] as const;
const tickets = ['list of agents', 'permitted actions on a ticket'] as const;
const calendars = ['list of calendars', 'window of events'] as const;
const mail = ['list of mailboxes', 'a message'] as const;
const notifications = ['list of notifications', 'recipients of a notification'] as const;
const pushes = ['push of waiting rows', 'text of pushes'] as const;
const everyCall = [
  'guard of a call',
  ...guards,
  ...mail,
  ...calendars,
  'list of notifications',
  ...tickets,
  'live check of a socket',
  ...pushes,
  'push of a new message',
];

test.each([
  {
    rule: 'a token is revoked',
    from: /(IS_REVOKED =) .*;/,
    to: `$1 'true';`,
    changed: everyCall,
  },
  {
    rule: 'a token is expired',
    from: /return `\(coalesce\(t\.expires_at/,
    to: 'return `(true or coalesce(t.expires_at',
    changed: everyCall,
  },
  {
    rule: 'an account is a member of a firm',
    from: /(IS_MEMBER =) .*;/,
    to: `$1 'false';`,
    changed: [...everyCall.filter((path) => path !== 'guard of a call'), 'recipients of a notification'],
  },
  {
    rule: 'a member is an administrator',
    from: /(IS_ADMIN =) .*;/,
    to: `$1 'false';`,
    changed: [...guards, ...tickets, ...pushes, ...notifications],
  },
  {
    rule: 'an administrator holds a permission',
    from: /(PERMISSIONS =) .*;/,
    to: `$1 'array[]::text[]';`,
    changed: [...guards, ...tickets, ...pushes, ...notifications],
  },
  {
    rule: 'a member reads a mailbox',
    from: /on r\.workspace_id = b\.workspace_id and r\.mailbox_id = b\.id`/,
    to: 'on false`',
    changed: [...mail, ...pushes, 'push of a new message'],
  },
  {
    rule: 'a calendar is open at an access level',
    from: /'owner' as level/,
    to: `'busy' as level`,
    changed: [...calendars, 'text of pushes'],
  },
])('a change of the rule “$rule” changes every path that depends on it', async ({ from, to, changed }) => {
  expect((await changedBy(from, to)).sort()).toEqual([...changed].sort());
});

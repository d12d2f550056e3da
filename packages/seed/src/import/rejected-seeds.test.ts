import { MAX_MACROS } from '@firmdesk/contract';
import { openTestServices, type TestServices } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { SeedError } from '../problems.ts';
import { countRows } from '../testing/database.ts';
import { smallSeed } from '../testing/small-seed.ts';
import { importSeed } from './import-seed.ts';

let base: TestServices;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
  await importSeed(base.services, smallSeed);
});
afterAll(() => base[Symbol.asyncDispose]());

/** Returns the error of an import, and asserts that the database is unchanged. */
async function rejection(input: unknown): Promise<string> {
  const before = await countRows(base.services);
  const error = await importSeed(base.services, input).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SeedError);
  expect(await countRows(base.services)).toEqual(before);
  return (error as SeedError).message;
}

const user = { key: 'new', email: 'new@example.net', name: 'New' };
const mailbox = { key: 'new', firm: 'north', email: 'new@north.example', name: 'New' };
const tag = { key: 'new', firm: 'north', name: 'New', color: '#fff' };
const team = { key: 'new', firm: 'north', name: 'New' };
const calendar = { key: 'new', firm: 'north', name: 'New', owner: 'new' };
const event = {
  key: 'new',
  calendar: 'new',
  title: 'New',
  starts_at: '2026-03-02T09:30:00Z',
  ends_at: '2026-03-02T09:45:00Z',
  timezone: 'UTC',
};
const ticket = {
  key: 'new',
  firm: 'north',
  trader: 'new',
  subject: 'New',
  status: 'open',
  created_at: 'now',
  messages: [{ from: 'trader', body: 'New', created_at: 'now' }],
};
const message = {
  key: 'new',
  mailbox: 'new',
  thread: 'new',
  folder: 'inbox',
  from: { email: 'new@example.net' },
  subject: '',
  body: '',
  message_at: 'now',
};
const notification = {
  key: 'new',
  user: 'new',
  firm: 'north',
  kind: 'risk_flag_raised',
  title: 'New',
  action_url: '/',
  created_at: 'now',
};
const macro = { key: 'new', firm: 'north', name: 'New', texts: [{ language: 'en', text: 'New' }] };
const preRegistration = {
  key: 'new',
  firm: 'north',
  email: 'new@example.net',
  referral_code: 'NEW',
  created_at: 'now',
};
const withUser = (seed: object) => ({ users: [user], ...seed });

test('rejects a seed that was imported before, and names its first record', async () => {
  expect(await rejection(smallSeed)).toBe('firms[0]: north already exists');
});

test.each<[name: string, input: object, message: string]>([
  [
    'the slug of a firm',
    {
      firms: [
        { slug: 'east', name: 'East' },
        { slug: 'south', name: 'S' },
      ],
    },
    'firms[1]: south already exists',
  ],
  [
    'the address of a user, in another case',
    { users: [{ ...user, email: 'anna@NORTH.example' }] },
    'users[0]: anna@NORTH.example already exists',
  ],
  [
    'the id of a user',
    { users: [{ ...user, id: 'usr_oldben' }] },
    'users[0]: new@example.net already exists',
  ],
  [
    'the address of a mailbox',
    { mailboxes: [mailbox, { ...mailbox, key: 'b', email: 'support@north.example' }] },
    'mailboxes[1]: support@north.example already exists',
  ],
  [
    'the id of a mailbox',
    { mailboxes: [{ ...mailbox, id: 700 }] },
    'mailboxes[0]: new@north.example already exists',
  ],
  [
    'the id of a mail',
    { mailboxes: [mailbox], messages: [{ ...message, id: 'msg_imported1' }] },
    'messages[0]: new already exists',
  ],
  ['the name of a tag, in another case', { tags: [{ ...tag, name: 'Vip' }] }, 'tags[0]: new already exists'],
  ['the id of a tag', { tags: [{ ...tag, id: 900 }] }, 'tags[0]: new already exists'],
  [
    'the id of an event',
    withUser({ calendars: [calendar], events: [event, { ...event, key: 'b', id: 4000 }] }),
    'events[1]: b already exists',
  ],
  ['the name of a team', { teams: [{ ...team, name: 'RISK' }] }, 'teams[0]: new already exists'],
  [
    'the name of a macro, in another case',
    { macros: [{ ...macro, name: ' PAYOUT sent' }] },
    'macros[0]: new already exists',
  ],
  ['the id of a macro', { macros: [{ ...macro, id: 'mac_imported1' }] }, 'macros[0]: new already exists'],
  [
    'the id of a ticket',
    withUser({ tickets: [{ ...ticket, id: 'tkt_imported1' }] }),
    'tickets[0]: new already exists',
  ],
  // The last six characters of an id are the ticket's number.
  [
    'the number of a ticket',
    withUser({ tickets: [{ ...ticket, id: 'tkt_elsePORTED1' }] }),
    'tickets[0]: new already exists',
  ],
  [
    'the id of a ticket message',
    withUser({
      tickets: [ticket, { ...ticket, key: 'b', messages: [{ ...ticket.messages[0], id: 'tmsg_imported1' }] }],
    }),
    'tickets[1]: b already exists',
  ],
  [
    'the id of a notification',
    withUser({ notifications: [{ ...notification, id: '0192f0c0-0000-7000-8000-00000000000a' }] }),
    'notifications[0]: new already exists',
  ],
  [
    'the id of a pre-registration',
    { pre_registrations: [{ ...preRegistration, id: 'aff_pre_imported1' }] },
    'pre_registrations[0]: new@example.net already exists',
  ],
])('rejects %s that already exists', async (_name, input, message) => {
  expect(await rejection(input)).toBe(message);
});

test('accepts the address or name of a deleted account or tag', async () => {
  await importSeed(base.services, {
    users: [
      { ...user, key: 'again', email: 'gone@example.net' },
      { ...user, key: 'also', email: 'ben@example.net', deleted: true },
    ],
    tags: [{ ...tag, key: 'again', name: 'VIP', deleted: true }],
  });
});

test.each<[name: string, input: object, message: string | RegExp]>([
  ['an invalid rule', { recurrence_rule: 'FREQ=SOMETIMES' }, /^events\[1\]\.recurrence_rule: /],
  ['a rule finer than hourly', { recurrence_rule: 'FREQ=MINUTELY' }, /^events\[1\]\.recurrence_rule: /],
  ['an end before the start', { ends_at: '2026-03-02T09:00:00Z' }, /^events\[1\]\.ends_at: /],
  [
    'a changed occurrence that ends before it starts',
    { overrides: [{ occurrence_start: '2026-03-02T09:30:00Z', ends_at: '2026-03-02T09:00:00Z' }] },
    /^events\[1\]\.overrides\[0\]\.ends_at: /,
  ],
])('rejects an event with %s, with its path', async (_name, change, message) => {
  const input = withUser({ calendars: [calendar], events: [event, { ...event, key: 'bad', ...change }] });
  expect(await rejection(input)).toMatch(message);
});

test('rejects more macros than a firm can have', async () => {
  const macros = Array.from({ length: MAX_MACROS + 1 }, (_, i) => ({
    ...macro,
    key: `m${i}`,
    firm: 'south',
    name: `Macro ${i}`,
  }));
  const before = await countRows(base.services);
  expect(await rejection({ macros })).toBe('macros[500]: south can have at most 500 macros');
  expect(await countRows(base.services)).toEqual(before);
});

test('reports all problems together, at most a hundred in detail', async () => {
  const users = Array.from({ length: 130 }, (_, i) => ({
    key: `u${i}`,
    name: '',
    email: `u${i}@example.net`,
  }));
  const lines = (await rejection({ users })).split('\n');
  expect(lines).toHaveLength(101);
  expect(lines[0]).toBe('users[0].name: must not be empty');
  expect(lines.at(-1)).toBe('and 30 more');
});

test('rolls back when beforeCommit fails', async () => {
  const before = await countRows(base.services);
  const failing = importSeed(
    base.services,
    { users: [user] },
    {
      beforeCommit: async ({ ids }) => {
        throw new Error(`no room for ${Object.keys(ids.users)}`);
      },
    },
  );
  await expect(failing).rejects.toThrow('no room for new');
  expect(await countRows(base.services)).toEqual(before);
});

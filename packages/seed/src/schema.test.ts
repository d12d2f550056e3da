import { expect, test } from 'vitest';
import { type Problem, parseSeed, SeedError, SeedIndex } from './index.ts';
import { formatPath } from './problems.ts';

const user = { key: 'anna', email: 'anna@example.com', name: 'Anna' };
const firm = { slug: 'north', name: 'North' };
const ticket = {
  key: 't',
  firm: 'north',
  trader: 'anna',
  subject: 'Payout',
  status: 'open',
  created_at: 'now-P2D',
  messages: [{ from: 'trader', body: 'Hello', created_at: 'now-P2D' }],
};
const mailbox = { key: 'box', firm: 'north', email: 'box@north.example', name: 'Box' };
const message = {
  key: 'm',
  mailbox: 'box',
  thread: 'hello',
  folder: 'inbox',
  from: { email: 'anna@example.com' },
  subject: '',
  body: '',
  message_at: 'now',
};
const calendar = { key: 'cal', firm: 'north', name: 'Team', owner: 'anna' };
const event = {
  key: 'e',
  calendar: 'cal',
  title: 'Standup',
  starts_at: '2026-03-02T09:30:00+00:00',
  ends_at: '2026-03-02T09:45:00+00:00',
  timezone: 'Europe/London',
};
const token = { key: 'k', user: 'anna', firm: 'north', kind: 'device' };

function problemsWith(input: unknown): readonly Problem[] {
  try {
    parseSeed(input);
  } catch (error) {
    if (error instanceof SeedError) return error.problems;
    throw error;
  }
  return [];
}

test('accepts an empty file', () => {
  expect(parseSeed({})).toMatchObject({ firms: [], users: [], tickets: [], pre_registrations: [] });
});

test('fills omitted fields with their defaults', () => {
  const seed = parseSeed({
    firms: [firm],
    users: [{ ...user, memberships: [{ firm: 'north', role: 'admin' }] }],
    tokens: [token],
    mailboxes: [{ ...mailbox, members: [{ user: 'anna' }] }],
    messages: [message],
    tags: [{ key: 'vip', firm: 'north', name: 'VIP', color: '#c2410c' }],
    calendars: [calendar],
    events: [event],
    tickets: [ticket],
    pre_registrations: [
      { key: 'p', firm: 'north', email: 'x@example.com', referral_code: 'X', created_at: 'now' },
    ],
  });
  expect(seed.firms[0]).toMatchObject({
    assistant: { enabled_for_team: true, monthly_allowance: 1000, used: 0 },
    push_content: 'full',
  });
  expect(seed.users[0]).toMatchObject({ language: 'en', timezone: 'UTC', deleted: false });
  expect(seed.users[0]?.memberships[0]).toMatchObject({ active: true, permissions: [] });
  expect(seed.tokens[0]).toMatchObject({ environment: 'live', scopes: [] });
  expect(seed.mailboxes[0]?.members[0]).toEqual({ user: 'anna', can_write: true, notify: true });
  expect(seed.messages[0]).toMatchObject({ to: [], cc: [], read: false });
  expect(seed.tags[0]).toMatchObject({ deleted: false });
  expect(seed.calendars[0]).toMatchObject({ shares: [] });
  expect(seed.events[0]).toMatchObject({
    all_day: false,
    status: 'confirmed',
    source: 'manual',
    exdates: [],
  });
  expect(seed.tickets[0]).toMatchObject({
    priority: 'normal',
    ai_enabled: true,
    ai_blocked: false,
    tags: [],
  });
  expect(seed.tickets[0]?.messages[0]).toMatchObject({ internal: false, via_email: false });
  expect(seed.pre_registrations[0]).toMatchObject({ status: 'pending', source: 'api', metadata: {} });
});

test('treats null in an optional field as omitted', () => {
  expect(
    problemsWith({
      firms: [firm],
      users: [{ ...user, password: null, avatar_url: null, staff: null }],
      tickets: [{ ...ticket, assignee: null, team: null, closed_at: null }],
    }),
  ).toEqual([]);
});

const macro = { key: 'm', firm: 'north', name: 'Paid', texts: [{ language: 'en', text: 'Paid.' }] };
const base = { firms: [firm], users: [user] };
const withMail = { ...base, mailboxes: [mailbox] };
const withEvent = (change: object) => ({ ...base, calendars: [calendar], events: [{ ...event, ...change }] });
const withTicket = (change: object) => ({ ...base, tickets: [{ ...ticket, ...change }] });
/** Closed tickets `a`, `b` and `c` of one trader, and merges of them: `['ab']` is one of `a` into `b`. */
const withMerges = (pairs: string[], more: object[] = []) => ({
  ...base,
  tickets: [...['a', 'b', 'c'].map((key) => ({ ...ticket, key, status: 'closed' })), ...more],
  ticket_merges: pairs.map(([ticket, into]) => ({ firm: 'north', ticket, into })),
});

test.each<[name: string, input: unknown, path: string, message: string | RegExp]>([
  ['a file that is not an object', [], '', /expected object/],
  ['an unknown list', { invoices: [] }, 'invoices', 'is not a field of an import file'],
  ['a list that is not an array', { users: {} }, 'users', /expected array/],
  [
    'an unknown field',
    { firms: [{ ...firm, colour: 'red' }] },
    'firms[0].colour',
    'is not a field of an import file',
  ],
  [
    'an unknown field of a nested record',
    withTicket({ messages: [ticket.messages[0], { ...ticket.messages[0], streaming: true }] }),
    'tickets[0].messages[1].streaming',
    'is not a field of an import file',
  ],
  [
    'an unknown field whose name is not an identifier',
    { firms: [{ ...firm, 'push content': 1 }] },
    'firms[0]["push content"]',
    'is not a field of an import file',
  ],
  ['a missing field', { firms: [{ slug: 'north' }] }, 'firms[0].name', /expected string/],
  [
    'a value outside the enumeration',
    withTicket({ messages: [{ ...ticket.messages[0], from: 'robot' }] }),
    'tickets[0].messages[0].from',
    /"trader"\|"admin"\|"ai"\|"system"/,
  ],
  ['a wrong JSON type', withTicket({ ai_enabled: 'false' }), 'tickets[0].ai_enabled', /expected boolean/],
  [
    'null for a field with a default',
    withTicket({ ai_enabled: null }),
    'tickets[0].ai_enabled',
    /expected boolean/,
  ],
  ['an invalid slug', { firms: [{ slug: 'North!', name: 'N' }] }, 'firms[0].slug', /must be a slug/],
  [
    'the reserved slug',
    { firms: [{ slug: 'platform', name: 'P' }] },
    'firms[0].slug',
    /reserved for the service itself/,
  ],
  [
    'a membership in the platform',
    { users: [{ ...user, memberships: [{ firm: 'platform', role: 'admin' }] }] },
    'users[0].memberships[0].firm',
    /must be a firm/,
  ],
  [
    'an unknown permission',
    { ...base, users: [{ ...user, memberships: [{ firm: 'north', role: 'admin', permissions: ['fly'] }] }] },
    'users[0].memberships[0].permissions[0]',
    /Invalid option/,
  ],
  [
    'an unknown scope',
    { ...base, tokens: [{ ...token, scopes: ['all'] }] },
    'tokens[0].scopes[0]',
    /Invalid option/,
  ],
  [
    'staff of neither "all" nor a list of firms',
    { users: [{ ...user, staff: { firms: 'some' } }] },
    'users[0].staff.firms',
    /"all"/,
  ],
  [
    'an invalid address',
    { users: [{ ...user, email: 'anna' }] },
    'users[0].email',
    'must be an email address',
  ],
  ['a UTC offset as a time zone', { users: [{ ...user, timezone: '+02:00' }] }, 'users[0].timezone', /IANA/],
  [
    'a Windows time zone',
    { users: [{ ...user, timezone: 'Eastern Standard Time' }] },
    'users[0].timezone',
    /IANA/,
  ],
  [
    'an avatar that is not a picture',
    { users: [{ ...user, avatar_url: 'data:text/html,<script>alert(1)</script>' }] },
    'users[0].avatar_url',
    /must be an http\(s\) URL, or a data: URL of a PNG/,
  ],
  [
    'a picture that is too large',
    { users: [{ ...user, avatar_url: `data:image/svg+xml,<svg>${' '.repeat(1_000_000)}` }] },
    'users[0].avatar_url',
    /1000000 characters/,
  ],
  ['an invalid id', { users: [{ ...user, id: 'user_1' }] }, 'users[0].id', /usr_/],
  [
    'an integer id below 1',
    { ...base, mailboxes: [{ ...mailbox, id: 0 }] },
    'mailboxes[0].id',
    /expected number to be >0/,
  ],
  ['U+0000 in a text', withTicket({ subject: 'a\0b' }), 'tickets[0].subject', /unsupported character/],
  [
    'a lone surrogate in a text',
    withTicket({ subject: '\ud83d' }),
    'tickets[0].subject',
    /unsupported character/,
  ],
  [
    'U+0000 in metadata',
    {
      ...base,
      pre_registrations: [
        {
          key: 'p',
          firm: 'north',
          email: 'x@y.z',
          referral_code: 'X',
          created_at: 'now',
          metadata: { a: '\0' },
        },
      ],
    },
    'pre_registrations[0].metadata',
    /unsupported character/,
  ],
  [
    'metadata nested too deep',
    {
      ...base,
      pre_registrations: [
        {
          key: 'p',
          firm: 'north',
          email: 'x@y.z',
          referral_code: 'X',
          created_at: 'now',
          metadata: JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
        },
      ],
    },
    'pre_registrations[0].metadata',
    'must be nested at most 100 deep',
  ],
  [
    'metadata with a name that cannot be sent',
    {
      ...base,
      pre_registrations: [
        {
          key: 'p',
          firm: 'north',
          email: 'x@y.z',
          referral_code: 'X',
          created_at: 'now',
          metadata: { a: { constructor: 1 } },
        },
      ],
    },
    'pre_registrations[0].metadata',
    /no member with the name/,
  ],
  [
    'an integer id above the maximum',
    { ...base, mailboxes: [{ ...mailbox, id: 2_147_483_647 }] },
    'mailboxes[0].id',
    /<=2000000000/,
  ],
  [
    'a tag name above the maximum length',
    { ...base, tags: [{ key: 'a', firm: 'north', name: 'x'.repeat(201), color: '#fff' }] },
    'tags[0].name',
    /<=200/,
  ],
  [
    'a timestamp outside the supported years',
    withTicket({ created_at: 'now-P9000Y' }),
    'tickets[0].created_at',
    /outside the years/,
  ],
  [
    'two ticket ids with the same number',
    {
      ...base,
      tickets: [
        { ...ticket, id: 'tkt_aaaaSAME12' },
        { ...ticket, key: 'u', id: 'tkt_bbbbsame12' },
      ],
    },
    'tickets[1].id',
    '"SAME12" is already used by tickets[0].id',
  ],
  [
    'an invalid timestamp',
    withTicket({ created_at: 'yesterday' }),
    'tickets[0].created_at',
    /"yesterday" is not a timestamp/,
  ],
  [
    'a timestamp without offset',
    withEvent({ exdates: ['now', '2026-03-03T09:30:00'] }),
    'events[0].exdates[1]',
    /offset/,
  ],
  [
    'an override that cancels and changes',
    withEvent({ overrides: [{ occurrence_start: 'now', cancelled: true, title: 'No' }] }),
    'events[0].overrides[0]',
    'must not contain changes when it is cancelled',
  ],
  [
    'a device token that is not hexadecimal',
    {
      ...base,
      tokens: [token],
      devices: [{ token: 'k', app: 'mail', environment: 'sandbox', device_token: 'xyz' }],
    },
    'devices[0].device_token',
    /hexadecimal/,
  ],
  ['an unknown user', withTicket({ trader: 'ben' }), 'tickets[0].trader', 'there is no user "ben"'],
  ['an unknown firm', withTicket({ firm: 'south' }), 'tickets[0].firm', 'there is no firm "south"'],
  ['an unknown team', withTicket({ team: 'risk' }), 'tickets[0].team', 'there is no team "risk"'],
  ['an unknown tag', withEvent({ tags: ['vip'] }), 'events[0].tags[0]', 'there is no tag "vip"'],
  ['an unknown calendar', { ...base, events: [event] }, 'events[0].calendar', 'there is no calendar "cal"'],
  [
    'an unknown mailbox',
    { ...base, messages: [message] },
    'messages[0].mailbox',
    'there is no mailbox "box"',
  ],
  [
    'an unknown author',
    withTicket({ messages: [{ ...ticket.messages[0], author: 'ben' }] }),
    'tickets[0].messages[0].author',
    'there is no user "ben"',
  ],
  [
    'a reminder for an unknown user',
    withEvent({ reminders: [{ user: 'ben', minutes_before: 5, channel: 'push' }] }),
    'events[0].reminders[0].user',
    'there is no user "ben"',
  ],
  [
    'a tag of another firm',
    {
      firms: [firm, { slug: 'south', name: 'South' }],
      users: [user],
      tags: [{ key: 'vip', firm: 'south', name: 'VIP', color: '#c2410c' }],
      tickets: [{ ...ticket, tags: ['vip'] }],
    },
    'tickets[0].tags[0]',
    'the tag "vip" belongs to "south", not to "north"',
  ],
  [
    'a closing time on a ticket that has not ended',
    withTicket({ closed_at: 'now' }),
    'tickets[0].closed_at',
    /resolved or closed/,
  ],
  [
    'a duplicate member',
    { ...base, mailboxes: [{ ...mailbox, members: [{ user: 'anna' }, { user: 'anna', notify: false }] }] },
    'mailboxes[0].members[1].user',
    '"anna" is already used by mailboxes[0].members[0].user',
  ],
  [
    'a duplicate team name in a firm, ignoring case',
    {
      ...base,
      teams: [
        { key: 'a', firm: 'north', name: 'Risk' },
        { key: 'b', firm: 'north', name: 'RISK' },
      ],
    },
    'teams[1].name',
    '"risk" is already used by teams[0].name',
  ],
  [
    'a duplicate macro name in a firm, ignoring case',
    { ...base, macros: [macro, { ...macro, key: 'b', name: 'paid ' }] },
    'macros[1].name',
    '"paid" is already used by macros[0].name',
  ],
  [
    'a macro with the tag of another firm',
    { ...base, macros: [{ ...macro, actions: { add_tags: ['vip'] } }] },
    'macros[0].actions.add_tags[0]',
    'there is no tag "vip"',
  ],
  [
    'a macro with an unknown variable',
    { ...base, macros: [{ ...macro, texts: [{ language: 'en', text: '{{trader.frist_name}}' }] }] },
    'macros[0].texts[0].text',
    /unknown variable/,
  ],
  [
    'a logo that is no picture of the right type',
    { firms: [{ ...firm, logo: 'data:image/png;base64,R0lGODlhAQABAAAAACw=' }] },
    'firms[0].logo',
    /must be a PNG, JPEG or WebP picture/,
  ],
  [
    'a view of nobody',
    { ...base, ticket_views: [{ key: 'v', firm: 'north', name: 'Mine', search: {} }] },
    'ticket_views[0].user',
    /must be set/,
  ],
  [
    'a view with an unknown filter',
    { ...base, ticket_views: [{ key: 'v', firm: 'north', user: 'anna', name: 'Mine', search: { no: 1 } }] },
    'ticket_views[0].search.no',
    /not a field/,
  ],
  [
    'a link of a ticket with itself',
    { ...withTicket({}), ticket_links: [{ firm: 'north', ticket: 't', other: 't' }] },
    'ticket_links[0].other',
    'must be another ticket',
  ],
  [
    'a link with a ticket that is not in the file',
    { ...withTicket({}), ticket_links: [{ firm: 'north', ticket: 't', other: 'u' }] },
    'ticket_links[0].other',
    'there is no ticket "u"',
  ],
  [
    'a link from both tickets',
    {
      ...base,
      tickets: [ticket, { ...ticket, key: 'u' }],
      ticket_links: [
        { firm: 'north', ticket: 't', other: 'u' },
        { firm: 'north', ticket: 'u', other: 't' },
      ],
    },
    'ticket_links[1].other',
    '"t u" is already used by ticket_links[0].other',
  ],
  [
    'merges in a circle',
    withMerges(['ab', 'bc', 'ca']),
    'ticket_merges[2].into',
    'must not lead back to "c"',
  ],
  [
    'a merge of a ticket into itself',
    withMerges(['aa']),
    'ticket_merges[0].into',
    'must not lead back to "a"',
  ],
  [
    'a second merge of a ticket',
    withMerges(['ab', 'ac']),
    'ticket_merges[1].ticket',
    '"a" is already used by ticket_merges[0].ticket',
  ],
  ['a merge into an unknown ticket', withMerges(['ax']), 'ticket_merges[0].into', 'there is no ticket "x"'],
  [
    'a merge of a ticket that is not closed',
    withMerges(['ta'], [ticket]),
    'ticket_merges[0].ticket',
    'must be a closed ticket',
  ],
  [
    "a merge into another trader's ticket",
    {
      ...withMerges(['at'], [{ ...ticket, trader: 'ben' }]),
      users: [user, { ...user, key: 'ben', email: 'ben@example.com' }],
    },
    'ticket_merges[0].into',
    'must be a ticket of the same trader',
  ],
  [
    'a duplicate key',
    { users: [user, { ...user, email: 'b@b.b' }] },
    'users[1].key',
    '"anna" is already used by users[0].key',
  ],
  ['a duplicate slug', { firms: [firm, firm] }, 'firms[1].slug', '"north" is already used by firms[0].slug'],
  [
    'a duplicate address, ignoring case',
    { users: [user, { ...user, key: 'b', email: 'ANNA@example.com' }] },
    'users[1].email',
    '"anna@example.com" is already used by users[0].email',
  ],
  [
    'a duplicate id',
    {
      ...withMail,
      messages: [
        { ...message, id: 'msg_abcdef' },
        { ...message, key: 'n', id: 'msg_abcdef' },
      ],
    },
    'messages[1].id',
    '"msg_abcdef" is already used by messages[0].id',
  ],
  [
    'a duplicate key of a ticket message, in two tickets',
    {
      ...base,
      tickets: [
        { ...ticket, messages: [{ ...ticket.messages[0], key: 'first' }] },
        { ...ticket, key: 'u', messages: [{ ...ticket.messages[0], key: 'first' }] },
      ],
    },
    'tickets[1].messages[0].key',
    '"first" is already used by tickets[0].messages[0].key',
  ],
])('rejects %s', (_name, input, path, message) => {
  const problems = problemsWith(input);
  expect(problems.map((problem) => problem.path)).toEqual([path]);
  expect(problems[0]?.message).toMatch(message);
});

test('reports every problem of a file, one per line', () => {
  expect(() => parseSeed(withTicket({ trader: 'ben', team: 'risk' }))).toThrow(
    'tickets[0].trader: there is no user "ben"\ntickets[0].team: there is no team "risk"',
  );
});

test('accepts records of an existing firm', () => {
  const addition = { users: [user], tickets: [ticket] };
  expect(problemsWith(addition).map(({ path }) => path)).toEqual(['tickets[0].firm']);
  expect(parseSeed(addition, new SeedIndex(['north'])).tickets).toHaveLength(1);
});

test('accepts references to later lists of the file', () => {
  expect(problemsWith({ tickets: [ticket], users: [user], firms: [firm] })).toEqual([]);
});

test('accepts the address of a deleted account', () => {
  expect(
    problemsWith({
      users: [
        { ...user, deleted: true },
        { ...user, key: 'again' },
      ],
    }),
  ).toEqual([]);
});

test('accepts metadata with text that looks like an escape of U+0000', () => {
  const preRegistration = { key: 'p', firm: 'north', email: 'x@y.z', referral_code: 'X', created_at: 'now' };
  const input = { ...base, pre_registrations: [{ ...preRegistration, metadata: { note: '\\u0000' } }] };
  expect(parseSeed(input).pre_registrations[0]?.metadata).toEqual({ note: '\\u0000' });
});

test.each([
  [[], ''],
  [['tickets', 3, 'messages', 0, 'from'], 'tickets[3].messages[0].from'],
  [['metadata', 'a b', 'c'], 'metadata["a b"].c'],
])('formats the path %j in JavaScript syntax', (path, text) => {
  expect(formatPath(path)).toBe(text);
});

test('rejects a notification that leads away from the site', () => {
  const notification = {
    key: 'n',
    user: 'anna',
    firm: 'north',
    kind: 'risk_flag_raised',
    title: 'T',
    created_at: 'now',
  };
  const pathsOf = (action_url: string) =>
    problemsWith({ firms: [firm], users: [user], notifications: [{ ...notification, action_url }] }).map(
      ({ path }) => path,
    );
  expect(pathsOf('/tickets?status=waiting')).toEqual([]);
  for (const url of [
    '',
    'https://evil.test',
    '//evil.test',
    '/\t/evil.test',
    '/\\evil.test',
    '/.//evil.test',
  ])
    expect(pathsOf(url), url).toContain('notifications[0].action_url');
});

test('a notification refers to the account with whose name its title begins', () => {
  const notification = {
    key: 'n',
    user: 'anna',
    firm: 'north',
    kind: 'ticket_awaiting_admin',
    created_at: 'now',
  };
  const problems = (person: string) =>
    problemsWith({
      firms: [firm],
      users: [user],
      notifications: [{ ...notification, person, title: 'wrote in ticket #4X7Q2M', action_url: '/tickets' }],
    });
  expect(problems('anna')).toEqual([]);
  expect(problems('nobody')).toMatchObject([{ path: 'notifications[0].person' }]);
});

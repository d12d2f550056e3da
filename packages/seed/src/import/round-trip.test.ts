import { authenticate } from '@firmdesk/domain';
import { matchesHash } from '@firmdesk/domain/import';
import { openTestServices, type TestServices } from '@firmdesk/domain/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { rowsOf } from '../testing/database.ts';
import { smallSeed } from '../testing/small-seed.ts';
import type { ImportResult } from './id-map.ts';
import { importSeed } from './import-seed.ts';

let base: TestServices;
let imported: ImportResult;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
  imported = await importSeed(base.services, smallSeed);
});
afterAll(() => base[Symbol.asyncDispose]());

const rows = (query: string, ...values: unknown[]) => rowsOf(base.services, query, ...values);
/** Returns the time that many hours before now. */
const ago = (hours: number) => new Date(base.clock.now().getTime() - hours * 3_600_000).toISOString();
const now = () => base.clock.now().toISOString();

test('imports firms', async () => {
  const found = await rows(`
    select slug, name, push_content, assistant_enabled_for_team, assistant_monthly_allowance, used, month::text, created_at
    from workspaces left join assistant_usage on workspace_id = id where slug <> 'platform' and twin_of is null order by slug`);
  expect(found).toEqual([
    {
      slug: 'north',
      name: 'North',
      push_content: 'none',
      assistant_enabled_for_team: false,
      assistant_monthly_allowance: 50,
      used: 7,
      month: `${now().slice(0, 7)}-01`,
      created_at: now(),
    },
    {
      slug: 'south',
      name: 'South',
      push_content: 'full',
      assistant_enabled_for_team: true,
      assistant_monthly_allowance: 1000,
      used: null,
      month: null,
      created_at: now(),
    },
  ]);
});

test('imports users with their permissions', async () => {
  const found = await rows(`
    select id, email, name, language, timezone, is_staff, staff_of_all_firms, deleted_at, created_at,
      (select array_agg(w.slug) from staff_firms s join workspaces w on w.id = s.workspace_id where s.user_id = u.id) as staff_of
    from users u order by email`);
  const plain = {
    language: 'en',
    timezone: 'UTC',
    is_staff: false,
    staff_of_all_firms: false,
    deleted_at: null,
  };
  const { anna, ben, gone, iris, jon } = imported.ids.users;
  expect(found).toEqual([
    {
      ...plain,
      id: anna,
      email: 'Anna@north.example',
      name: 'Anna Ek',
      language: 'sv',
      timezone: 'Europe/Stockholm',
      created_at: now(),
      staff_of: null,
    },
    { ...plain, id: ben, email: 'ben@example.net', name: 'Ben Ørn', created_at: now(), staff_of: null },
    {
      ...plain,
      id: gone,
      email: 'gone@example.net',
      name: 'Gone',
      deleted_at: now(),
      created_at: now(),
      staff_of: null,
    },
    {
      ...plain,
      id: iris,
      email: 'iris@firmdesk.example',
      name: 'Iris',
      is_staff: true,
      staff_of_all_firms: true,
      created_at: now(),
      staff_of: null,
    },
    {
      ...plain,
      id: jon,
      email: 'jon@firmdesk.example',
      name: 'Jon',
      is_staff: true,
      created_at: now(),
      staff_of: ['south'],
    },
  ]);
  expect(ben).toBe('usr_oldben');
  const memberships = await rows(`
    select w.slug, m.user_id, m.role, m.active, m.permissions from memberships m join workspaces w on w.id = m.workspace_id
    order by w.slug, m.role`);
  expect(memberships).toEqual([
    {
      slug: 'north',
      user_id: anna,
      role: 'admin',
      active: true,
      permissions: ['view_tickets', 'manage_tickets'],
    },
    { slug: 'north', user_id: ben, role: 'trader', active: true, permissions: [] },
    { slug: 'south', user_id: anna, role: 'admin', active: false, permissions: [] },
  ]);
});

test('stores the hash of a password, and null for an account without one', async () => {
  const found = await rows(`select name, password_hash from users order by email`);
  const [anna, ben] = found as { password_hash: string | null }[];
  expect(await matchesHash('a password of hers', anna!.password_hash)).toBe(true);
  expect(await matchesHash('another', anna!.password_hash)).toBe(false);
  expect(ben!.password_hash).toBeNull();
});

test('imports tokens; only the result contains their plaintext', async () => {
  const found = await rows(`
    select t.name, t.created_at, t.last_used_at, t.expires_at, t.revoked_at, w.slug
    from tokens t join workspaces w on w.id = t.workspace_id order by t.created_at, w.slug`);
  expect(found).toEqual([
    {
      name: 'CI',
      created_at: ago(30 * 24),
      last_used_at: ago(24),
      expires_at: ago(-60 * 24),
      revoked_at: null,
      slug: 'north.test',
    },
    { name: null, created_at: now(), last_used_at: null, expires_at: null, revoked_at: null, slug: 'north' },
    {
      name: null,
      created_at: now(),
      last_used_at: null,
      expires_at: null,
      revoked_at: ago(1),
      slug: 'platform',
    },
  ]);
  expect(Object.keys(imported.tokens)).toEqual(['api', 'phone', 'lost']);
  const identity = await authenticate(base.services, imported.tokens['api']!, base.clock.now());
  expect(identity).toMatchObject({
    kind: 'api_key',
    environment: 'test',
    scopes: ['mail:read', 'admin:read'],
    user: { id: imported.ids.users['anna'] },
    home: { slug: 'north.test' },
  });
  await expect(authenticate(base.services, imported.tokens['lost']!, base.clock.now())).rejects.toMatchObject(
    {
      apiCode: 'revoked_token',
    },
  );
});

test('imports devices', async () => {
  const found = await rows(`
    select d.app, d.environment, d.device_token, d.locale, d.timezone, d.app_version, d.os_version, d.created_at, d.last_seen_at
    from devices d join tokens t on t.id = d.token_id where t.kind = 'device'`);
  expect(found).toEqual([
    {
      app: 'mail',
      environment: 'production',
      device_token: 'ab'.repeat(32),
      locale: 'sv-SE',
      timezone: 'Europe/Stockholm',
      app_version: '4.1',
      os_version: '26.0',
      created_at: now(),
      last_seen_at: now(),
    },
  ]);
});

test('imports mailboxes with their members', async () => {
  const found = await rows(`
    select b.id, w.slug, b.email, b.name,
      (select json_agg(json_build_array(m.user_id, m.can_write, m.notify) order by m.can_write desc)
        from mailbox_members m where m.workspace_id = b.workspace_id and m.mailbox_id = b.id) as members
    from mailboxes b join workspaces w on w.id = b.workspace_id order by b.name desc`);
  const { support, payouts } = imported.ids.mailboxes;
  const { anna, iris } = imported.ids.users;
  expect(found).toEqual([
    {
      id: support,
      slug: 'north',
      email: 'Support@north.example',
      name: 'Support',
      members: [
        [anna, true, true],
        [iris, false, false],
      ],
    },
    { id: payouts, slug: 'north', email: 'payouts@north.example', name: 'Payouts', members: null },
  ]);
  expect(support).toBe(700);
});

test('imports mail with its threads', async () => {
  const found = (await rows(`select * from mail_messages order by message_at`)) as Record<string, unknown>[];
  expect(found).toMatchObject([
    {
      id: 'msg_imported1',
      mailbox_id: 700,
      folder: 'archive',
      previous_folder: 'inbox',
      from_email: 'ben@example.net',
      from_name: 'Ben Ørn',
      to_recipients: [{ email: 'support@north.example', name: null }],
      cc_recipients: [{ email: 'cc@example.net', name: 'Cc' }],
      bcc_recipients: [],
      subject: 'Payout',
      body: '<style>p{}</style><p>Where is <b>my</b> payout?</p>',
      snippet: 'Where is my payout?',
      is_read: false,
      message_at: '2026-03-01T08:30:00.123456Z',
    },
    {
      id: imported.ids.messages['answer'],
      folder: 'sent',
      previous_folder: null,
      from_name: null,
      snippet: '',
      is_read: true,
    },
    {
      id: imported.ids.messages['other'],
      mailbox_id: imported.ids.mailboxes['payouts'],
      subject: 'Statement',
      message_at: ago(1),
    },
  ]);
  // Thread names are unique within their mailbox.
  const [ask, answer, other] = found.map(({ thread_id }) => thread_id);
  expect(answer).toBe(ask);
  expect(other).not.toBe(ask);
});

test('imports tags', async () => {
  const found = await rows(`
    select t.id, w.slug, t.name, t.color, t.deleted_at from tags t join workspaces w on w.id = t.workspace_id
    order by t.color desc`);
  expect(found).toEqual([
    { id: imported.ids.tags['vip'], slug: 'north', name: 'VIP', color: '#c2410c', deleted_at: null },
    { id: 900, slug: 'north', name: 'vip', color: '#000000', deleted_at: now() },
  ]);
});

test('imports calendars with their shares', async () => {
  const found = await rows(`
    select c.id, w.slug, c.name, c.owner_id, (select json_object_agg(s.user_id, s.level) from calendar_shares s) as shares
    from calendars c join workspaces w on w.id = c.workspace_id`);
  const { anna, iris, jon } = imported.ids.users;
  expect(found).toEqual([
    {
      id: imported.ids.calendars['team'],
      slug: 'north',
      name: 'Team',
      owner_id: anna,
      shares: { [iris!]: 'busy', [jon!]: 'write' },
    },
  ]);
});

test('imports events with overrides, tags and reminders', async () => {
  const { standup } = imported.ids.events;
  const found = await rows(`select * from events where source <> 'import' order by local_start`);
  expect(found).toMatchObject([
    {
      id: standup,
      calendar_id: imported.ids.calendars['team'],
      title: 'Standup',
      description: null,
      location: 'Room 1',
      local_start: '2026-03-02T09:30:00',
      local_end: '2026-03-02T09:45:00',
      all_day: false,
      timezone: 'Europe/London',
      status: 'confirmed',
      source: 'manual',
      recurrence_rule: 'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR',
      removed_dates: ['2026-03-04T09:30:00'],
      conference: { provider: 'zoom', url: 'https://meet.example/1', meeting_id: null, passcode: null },
      organizer_email: 'anna@north.example',
      attendees: [
        {
          email: 'ben@example.net',
          response: 'accepted',
          name: null,
          is_organizer: false,
          is_optional: false,
        },
      ],
      span_start: '2026-03-02T09:30:00.000Z',
      span_end: null,
    },
    {
      id: 4000,
      title: 'Fair',
      local_start: '2026-06-01',
      local_end: '2026-06-03',
      all_day: true,
      status: 'pending',
      source: 'mail',
      recurrence_rule: null,
    },
  ]);
  expect(
    await rows(`select occurrence_start, cancelled, local_start from event_overrides order by 1`),
  ).toEqual([
    { occurrence_start: '2026-03-03T09:30:00', cancelled: false, local_start: '2026-03-03T10:00:00' },
    { occurrence_start: '2026-03-05T09:30:00', cancelled: true, local_start: null },
  ]);
  expect(await rows(`select event_id, tag_id from event_tags`)).toEqual([
    { event_id: standup, tag_id: imported.ids.tags['vip'] },
  ]);
  const reminders = await rows(
    `select event_id, user_id, minutes_before, channel, due_at > $1 as is_due from event_reminders`,
    now(),
  );
  expect(reminders).toEqual([
    {
      event_id: standup,
      user_id: imported.ids.users['anna'],
      minutes_before: 10,
      channel: 'push',
      is_due: true,
    },
  ]);
});

test('imports valid events of an iCalendar document, and reports invalid ones', async () => {
  const found = await rows(`select title, uid, local_start, all_day from events where source = 'import'`);
  expect(found).toEqual([
    { title: 'Holiday', uid: 'holiday@example.net', local_start: '2026-07-07', all_day: true },
  ]);
  expect(imported.reports).toEqual([
    {
      path: 'ics[0]',
      messages: [expect.stringMatching(/^line 8, skipped event broken@example.net: .*DTSTART/)],
    },
  ]);
});

test('imports teams', async () => {
  const found = await rows(`
    select t.id, w.slug, t.name, (
        select count(*)::integer from team_members m where m.workspace_id = t.workspace_id and m.team_id = t.id) as members
    from teams t join workspaces w on w.id = t.workspace_id`);
  expect(found).toEqual([{ id: imported.ids.teams['risk'], slug: 'north', name: 'Risk', members: 2 }]);
});

test('imports tickets and derives their state from their messages', async () => {
  const found = await rows(`
    select t.*, w.slug, (
        select array_agg(tag_id order by tag_id) from ticket_tags x where x.workspace_id = t.workspace_id and x.ticket_id = t.id) as tags
    from tickets t join workspaces w on w.id = t.workspace_id order by t.created_at desc`);
  const { anna, ben, gone } = imported.ids.users;
  expect(found).toMatchObject([
    {
      id: imported.ids.tickets['payout'],
      slug: 'north',
      trader_id: ben,
      subject: 'Où est mon payout?',
      status: 'awaiting_admin',
      priority: 'high',
      ai_enabled: false,
      ai_blocked: true,
      assignee_id: anna,
      team_id: imported.ids.teams['risk'],
      tags: [imported.ids.tags['vip'], 900].sort((a, b) => a! - b!),
      // The assistant's reply and the trader's second message; the internal note has no effect.
      unread: 2,
      last_from: 'trader',
      last_message_at: ago(3),
      trader_wrote_at: ago(3),
      created_at: ago(5),
      closed_at: null,
      search_text: 'ou est mon payout? ben orn ben@example.net',
    },
    {
      id: imported.ids.tickets['silent'],
      slug: 'south',
      unread: 0,
      last_from: null,
      last_message_at: ago(72),
      trader_wrote_at: ago(72),
      closed_at: ago(72),
      tags: null,
    },
    {
      id: 'tkt_imported1',
      trader_id: gone,
      unread: 0,
      last_from: 'admin',
      last_message_at: ago(8 * 24),
      trader_wrote_at: ago(9 * 24),
      closed_at: ago(8 * 24),
    },
  ]);
});

test('imports ticket messages with the name of their author', async () => {
  const found = await rows(
    `
    select id, from_kind, author_id, author, body, internal, event, via_email, image_url, image_name, read_at, created_at,
      search_text, streaming
    from ticket_messages where ticket_id = $1 order by created_at, id`,
    imported.ids.tickets['payout'],
  );
  const { anna, ben } = imported.ids.users;
  const plain = {
    internal: false,
    event: null,
    via_email: false,
    image_url: null,
    image_name: null,
    read_at: null,
    streaming: false,
  };
  expect(found).toEqual([
    {
      ...plain,
      id: imported.ids.ticket_messages['first'],
      from_kind: 'trader',
      author_id: ben,
      author: 'Ben Ørn',
      body: 'Où?',
      read_at: ago(4),
      created_at: ago(5),
      search_text: 'ou?',
    },
    {
      ...plain,
      id: expect.stringMatching(/^tmsg_/),
      from_kind: 'ai',
      author_id: null,
      author: 'Assistant',
      body: 'Soon.',
      created_at: ago(4),
      search_text: 'soon.',
    },
    {
      ...plain,
      id: 'tmsg_imported1',
      from_kind: 'trader',
      author_id: ben,
      author: 'Ben Ørn',
      body: 'When?',
      via_email: true,
      image_url: 'https://files.example/1.png',
      image_name: '1.png',
      created_at: ago(3),
      search_text: 'when?',
    },
    {
      ...plain,
      id: expect.stringMatching(/^tmsg_/),
      from_kind: 'admin',
      author_id: anna,
      author: 'Anna Ek',
      body: '/ai Be kind',
      internal: true,
      event: 'ai_command',
      created_at: ago(2),
      search_text: '/ai be kind',
    },
  ]);
});

test('imports notifications', async () => {
  const found = await rows(`
    select n.id, w.slug, n.user_id, n.kind, n.title, n.body, n.action_url, n.read_at, n.created_at
    from notifications n join workspaces w on w.id = n.workspace_id order by w.slug`);
  expect(found).toEqual([
    {
      id: '0192f0c0-0000-7000-8000-00000000000a',
      slug: 'north',
      user_id: imported.ids.users['anna'],
      kind: 'ticket_awaiting_admin',
      title: 'A ticket waits',
      body: null,
      action_url: '/tickets/1',
      read_at: null,
      created_at: ago(5),
    },
    {
      id: imported.ids.notifications['seen'],
      slug: 'platform',
      user_id: imported.ids.users['iris'],
      kind: 'deal_link_expired',
      title: 'Expired',
      body: 'A link',
      action_url: '/deals/1',
      read_at: ago(1),
      created_at: ago(5),
    },
  ]);
});

test('imports pre-registrations', async () => {
  const found = await rows(`
    select p.id, w.slug, p.email, p.referral_code, p.referral_url, p.status, p.source, p.metadata, p.created_at, p.expires_at,
      p.claimed_at, p.last_sent_at
    from affiliate_pre_registrations p join workspaces w on w.id = p.workspace_id order by w.slug`);
  expect(found).toEqual([
    {
      id: 'aff_pre_imported1',
      slug: 'north',
      email: 'code@example.net',
      referral_code: 'CODE 10',
      referral_url: '/r/CODE%2010',
      status: 'pending',
      source: 'api',
      metadata: { seat: 41, tags: ['a'] },
      created_at: ago(48),
      expires_at: ago(-120),
      claimed_at: null,
      last_sent_at: ago(48),
    },
    {
      id: imported.ids.pre_registrations['claimed'],
      slug: 'south',
      email: 'claimed@example.net',
      referral_code: 'CLAIMED',
      referral_url: 'https://south.example/r/CLAIMED',
      status: 'claimed',
      source: 'import',
      metadata: {},
      created_at: ago(216),
      expires_at: null,
      claimed_at: ago(192),
      last_sent_at: ago(193),
    },
  ]);
});

test('returns the id of every key', () => {
  const { ticket_messages, ...lists } = imported.ids;
  const keysOf = (records: readonly object[]) => records.map((record) => 'key' in record && record.key);
  for (const [list, ids] of Object.entries(lists))
    expect(Object.keys(ids), list).toEqual(keysOf(smallSeed[list as keyof typeof lists]));
  expect(Object.keys(ticket_messages)).toEqual(['first']);
});

test('assigns serial ids above those of the file', async () => {
  await importSeed(base.services, {
    users: [{ key: 'u', email: 'later@example.net', name: 'Later' }],
    mailboxes: [{ key: 'm', firm: 'north', email: 'later@north.example', name: 'Later' }],
    tags: [{ key: 't', firm: 'north', name: 'Later', color: '#fff' }],
    calendars: [{ key: 'c', firm: 'north', name: 'Later', owner: 'u' }],
    events: [{ key: 'e', calendar: 'c', title: 'Later', starts_at: 'now', ends_at: 'now', timezone: 'UTC' }],
  }).then(({ ids }) => {
    expect(ids.mailboxes['m']).toBeGreaterThan(700);
    expect(ids.tags['t']).toBeGreaterThan(900);
    expect(ids.events['e']).toBeGreaterThan(4000);
  });
});

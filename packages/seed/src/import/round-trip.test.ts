import { expect, test } from 'vitest';
import { smallSeed } from '../testing/small-seed.ts';
import { importSeed } from './import-seed.ts';
import { testAccounts } from './testing/accounts.ts';
import { testMailAndCalendars } from './testing/mail-and-calendar.ts';
import { useRoundTrip } from './testing/round-trip.ts';
import { testTickets } from './testing/tickets.ts';

const trip = useRoundTrip();
const { rows, ago, now } = trip;

// They share the import.
testAccounts(trip);
testMailAndCalendars(trip);
testTickets(trip);

test('imports firms', async () => {
  const found = await rows(`
    select slug, name, push_content, assistant_enabled_for_team, assistant_monthly_allowance,
      sla_policy, used, month::text, created_at
    from workspaces left join assistant_usage on workspace_id = id where slug <> 'platform' and sandbox_of is null order by slug`);
  expect(found).toEqual([
    {
      slug: 'north',
      name: 'North',
      push_content: 'none',
      assistant_enabled_for_team: false,
      assistant_monthly_allowance: 50,
      sla_policy: { ...smallSeed.firms[0]!.service_targets, warn_minutes: 15, hours: null },
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
      sla_policy: null,
      used: null,
      month: null,
      created_at: now(),
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
      user_id: trip.imported.ids.users['anna'],
      kind: 'ticket_awaiting_admin',
      title: 'A ticket waits',
      body: null,
      action_url: '/tickets/1',
      read_at: null,
      created_at: ago(5),
    },
    {
      id: trip.imported.ids.notifications['seen'],
      slug: 'platform',
      user_id: trip.imported.ids.users['iris'],
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
      id: trip.imported.ids.pre_registrations['claimed'],
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
  const { ticket_messages, ...lists } = trip.imported.ids;
  const keysOf = (records: readonly object[]) => records.map((record) => 'key' in record && record.key);
  for (const [list, ids] of Object.entries(lists))
    expect(Object.keys(ids), list).toEqual(keysOf(smallSeed[list as keyof typeof lists]));
  expect(Object.keys(ticket_messages)).toEqual(['first']);
});

test('assigns serial ids above those of the file', async () => {
  await importSeed(trip.base.services, {
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

import type { SeedInput, SeedList, SeedRecordInput } from '../schema.ts';
import { smallSeed } from './small-seed.ts';

/** Returns a list of the small seed, the first record with more. */
function first<L extends SeedList & keyof typeof smallSeed>(
  list: L,
  more: Partial<SeedRecordInput<L>>,
): SeedRecordInput<L>[] {
  const [record, ...others] = smallSeed[list] as unknown as SeedRecordInput<L>[];
  return [{ ...record!, ...more }, ...others];
}

/** {@link smallSeed}, with everything that a firm can have set and that stands beside mailboxes, members and tickets. */
export const fullSeed: SeedInput = {
  ...smallSeed,
  firms: first('firms', {
    logo: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
    language: 'de',
    timezone: 'Europe/Berlin',
    audit_days: 400,
    asks_satisfaction: true,
    assistant_guide: {
      rules: 'Be kind.',
      languages: ['de'],
      hand_over: { words: ['lawyer'], priorities: ['urgent'], after_replies: 3 },
    },
  }),
  mail_templates: [
    { firm: 'north', kind: 'member_invite', language: 'de', subject: 'Einladung', text: '{{link}}' },
    { firm: 'north', kind: 'member_invite', language: 'en', subject: 'Invite', text: 'Open {{link}}' },
  ],
  articles: [{ key: 'fees', id: 'art_imported1', firm: 'north', title: 'Fees', text: 'There are none.' }],
  webhooks: [
    {
      key: 'hook',
      id: 'whe_imported1',
      firm: 'north',
      url: 'https://hooks.example/',
      description: 'CRM',
      events: ['ticket.created'],
      disabled: 'member',
    },
  ],
  users: first('users', {
    memberships: [
      {
        firm: 'north',
        role: 'admin',
        permissions: ['view_tickets', 'manage_tickets'],
        available: false,
        ticket_limit: 5,
        muted: [{ kind: 'storage_filling_up', channels: ['sound', 'push'] }],
      },
    ],
  }),
  mailboxes: first('mailboxes', {
    tickets: 'anyone',
    aliases: [{ email: 'Help@north.example', tickets: 'members' }, { email: 'hello@north.example' }],
    signature: 'North',
    absence: {
      is_on: true,
      subject: '',
      text: 'Back on Monday.',
      starts_at: null,
      ends_at: null,
      author: 'anna',
    },
  }),
  messages: first('messages', { tags: ['vip'], starred: true, snoozed_until: 'now+P1D' }),
  ended_invitations: [
    {
      firm: 'north',
      user: 'anna',
      uid: 'holiday@example.net',
      occurrence: {
        time: { isDate: true, text: '20260707', zone: '', date: '2026-07-07', isInstant: false },
        thisAndFuture: false,
      },
      sender: 'ben@example.net',
      sequence: 2,
      ended_at: 'now-P1D',
    },
  ],
  teams: first('teams', { assignment: 'round_robin' }),
  ticket_rules: [
    {
      key: 'late',
      id: 'rule_imported1',
      firm: 'north',
      author: 'anna',
      name: 'Late',
      trigger: { on: 'waiting', for: 'team', minutes: 60 },
      actions: [{ set: 'priority', priority: 'urgent' }],
      stops: true,
    },
  ],
  ticket_views: [
    {
      key: 'urgent',
      id: 'view_imported1',
      firm: 'north',
      user: 'anna',
      name: 'Urgent',
      search: { priority: 'urgent', sort: '-priority' },
    },
    { key: 'risk', firm: 'north', team: 'risk', name: 'Urgent', search: { assignee: 'none' } },
  ],
  ticket_links: [{ firm: 'north', ticket: 'payout', other: 'ended', relation: 'follows' }],
  ticket_merges: [{ firm: 'north', ticket: 'again', into: 'payout' }],
  tickets: first('tickets', {
    messages: [
      ...smallSeed.tickets[0]!.messages!,
      { from: 'admin', author: 'anna', body: 'Paid.', macros: ['mac_imported1'], created_at: 'now-PT1H' },
      { from: 'ai', body: 'No fees.', articles: ['art_imported1'], created_at: 'now-PT1H' },
    ],
    snooze: { since: 'now-PT1H', until: 'now+P1D' },
    drafts: [
      {
        user: 'anna',
        mode: 'reply',
        text: 'It is on',
        html: '<p>It is <b>on</b></p>',
        macros: { ids: ['mac_imported1'], actions: { status: 'resolved' } },
        updated_at: 'now-PT1H',
      },
    ],
    unsent_replies: [
      {
        id: 'tmsg_unsent1',
        author: 'jon',
        text: 'Soon.',
        reason: 'dismissed',
        written_at: 'now-PT2H',
        unsent_at: 'now-PT1H',
      },
    ],
    followers: [{ user: 'jon', since: 'now-PT4H' }],
    rating: { asked_at: 'now-PT3H', score: 4, comment: 'Quick', rated_at: 'now-PT2H' },
  }).concat(
    {
      key: 'woken',
      firm: 'north',
      trader: 'ben',
      subject: 'Later',
      status: 'awaiting_admin',
      snooze: { since: 'now-PT1H' },
      woken_at: 'now-PT2H',
      created_at: 'now-PT4H',
    },
    {
      key: 'again',
      firm: 'north',
      trader: 'ben',
      subject: 'Payout?',
      status: 'closed',
      created_at: 'now-PT4H',
    },
  ),
};

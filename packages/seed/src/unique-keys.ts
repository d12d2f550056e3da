import { nameKey } from '@firmdesk/domain/import';
import type { Path } from './problems.ts';
import type { SeedList, SeedRecord } from './schema.ts';

/** A value that may occur only once among those of the same kind. */
export type UniqueKey = { path: Path; kind: string; value: string };

type Identified = { key?: string | null | undefined; id?: string | number | null | undefined };

function keyAndId(list: string, record: Identified, at: Path = []): UniqueKey[] {
  const { key, id } = record;
  return [
    ...(key == null ? [] : [{ path: [...at, 'key'], kind: `${list} key`, value: key }]),
    ...(id == null ? [] : [{ path: [...at, 'id'], kind: `${list} id`, value: String(id) }]),
  ];
}

function emailOf(list: string, { email }: { email: string }): UniqueKey {
  return { path: ['email'], kind: `${list} email`, value: email.toLowerCase() };
}

function nameInFirm(list: string, { firm, name }: { firm: string; name: string }): UniqueKey {
  return { path: ['name'], kind: `${list} of ${firm}`, value: name.toLowerCase() };
}

/** Returns the number of a ticket, which is unique in its firm (contract §2.5). */
export function ticketNumber(firm: string, id: string): UniqueKey {
  return { path: ['id'], kind: `numbers of ${firm}`, value: id.slice(-6).toUpperCase() };
}

/** Keys, ids and names that must be unique in the file, by list. */
export const uniqueKeysInFile: { [L in SeedList]: (record: SeedRecord<L>) => UniqueKey[] } = {
  firms: (firm) => [{ path: ['slug'], kind: 'firms slug', value: firm.slug }],
  mail_templates: ({ firm, kind, language }) => [
    { path: ['language'], kind: `${kind} of ${firm}`, value: language },
  ],
  articles: (article) => keyAndId('articles', article),
  webhooks: (webhook) => keyAndId('webhooks', webhook),
  // The address of a deleted account may be used again.
  users: (user) => [...keyAndId('users', user), ...(user.deleted ? [] : [emailOf('users', user)])],
  tokens: (token) => keyAndId('tokens', token),
  // The database checks that sessions of one account and firm do not share a push token.
  devices: ({ token, app }) => [{ path: ['app'], kind: `devices of ${token}`, value: app }],
  mailboxes: (mailbox) => [
    ...keyAndId('mailboxes', mailbox),
    emailOf('mailboxes', mailbox),
    ...mailbox.aliases.map((alias, i) => ({ ...emailOf('mailboxes', alias), path: ['aliases', i, 'email'] })),
  ],
  messages: (message) => keyAndId('messages', message),
  tags: (tag) => [...keyAndId('tags', tag), ...(tag.deleted ? [] : [nameInFirm('tags', tag)])],
  calendars: (calendar) => keyAndId('calendars', calendar),
  events: (event) => keyAndId('events', event),
  ics: () => [],
  ended_invitations: () => [],
  teams: (team) => [...keyAndId('teams', team), nameInFirm('teams', team)],
  macros: (macro) => [
    ...keyAndId('macros', macro),
    { path: ['name'], kind: `macros of ${macro.firm}`, value: nameKey(macro.name) },
  ],
  mail_rules: (rule) => keyAndId('mail_rules', rule),
  ticket_rules: (rule) => keyAndId('ticket_rules', rule),
  tickets: (ticket) => [
    ...keyAndId('tickets', ticket),
    ...(ticket.id == null ? [] : [ticketNumber(ticket.firm, ticket.id)]),
    ...ticket.messages.flatMap((message, i) => keyAndId('ticket_messages', message, ['messages', i])),
    ...ticket.unsent_replies.flatMap(({ id }, i) =>
      keyAndId('ticket_messages', { id }, ['unsent_replies', i]),
    ),
  ],
  ticket_views: (view) => [
    ...keyAndId('ticket_views', view),
    { path: ['name'], kind: `views of ${view.firm} ${view.user ?? `team ${view.team}`}`, value: view.name },
  ],
  ticket_links: ({ firm, ticket, other }) => [
    { path: ['other'], kind: `links of ${firm}`, value: [ticket, other].sort().join(' ') },
  ],
  ticket_merges: ({ ticket }) => [{ path: ['ticket'], kind: 'ticket_merges ticket', value: ticket }],
  notifications: (notification) => keyAndId('notifications', notification),
  pre_registrations: (preRegistration) => keyAndId('pre_registrations', preRegistration),
};

const uniqueValues = (list: string, values: readonly string[], field?: string): UniqueKey[] =>
  values.map((value, i) => ({ path: field === undefined ? [list, i] : [list, i, field], kind: list, value }));
const users = (members: readonly { user: string }[]) => members.map(({ user }) => user);

/** Values that must be unique in the lists of one record. */
export const uniqueKeysInRecord: { [L in SeedList]?: (record: SeedRecord<L>) => UniqueKey[] } = {
  users: ({ memberships }) => {
    const firms = memberships.map(({ firm }) => firm);
    return uniqueValues('memberships', firms, 'firm');
  },
  mailboxes: ({ members }) => uniqueValues('members', users(members), 'user'),
  calendars: ({ shares }) => uniqueValues('shares', users(shares), 'user'),
  events: ({ tags, reminders }) => {
    const described = reminders.map((r) => `${r.user} ${r.minutes_before} ${r.channel}`);
    return [...uniqueValues('tags', tags), ...uniqueValues('reminders', described)];
  },
  teams: ({ members }) => uniqueValues('members', members),
  macros: ({ actions }) => uniqueValues('add_tags', actions.add_tags),
  mail_rules: ({ add_tags }) => uniqueValues('add_tags', add_tags),
  messages: ({ tags }) => uniqueValues('tags', tags),
  tickets: ({ tags, drafts, followers }) => [
    ...uniqueValues('tags', tags),
    ...uniqueValues(
      'drafts',
      drafts.map(({ user, mode }) => `${user} ${mode}`),
    ),
    ...uniqueValues('followers', users(followers), 'user'),
  ],
};

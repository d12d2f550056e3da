import type { Path } from './problems.ts';
import type { SeedList, SeedRecord } from './schema.ts';

/** A value that may occur only once among those of the same kind, `of`. */
export type UniqueKey = { path: Path; of: string; value: string };

type Identified = { key?: string | null | undefined; id?: string | number | null | undefined };

function identity(list: string, record: Identified, at: Path = []): UniqueKey[] {
  const { key, id } = record;
  return [
    ...(key == null ? [] : [{ path: [...at, 'key'], of: `${list} key`, value: key }]),
    ...(id == null ? [] : [{ path: [...at, 'id'], of: `${list} id`, value: String(id) }]),
  ];
}

function emailOf(list: string, { email }: { email: string }): UniqueKey {
  return { path: ['email'], of: `${list} email`, value: email.toLowerCase() };
}

function nameInFirm(list: string, { firm, name }: { firm: string; name: string }): UniqueKey {
  return { path: ['name'], of: `${list} of ${firm}`, value: name.toLowerCase() };
}

/** Returns the number of a ticket, which is unique in its firm (contract §2.5). */
export function ticketNumber(firm: string, id: string): UniqueKey {
  return { path: ['id'], of: `numbers of ${firm}`, value: id.slice(-6).toUpperCase() };
}

/** Keys, ids and names that must be unique in the file, by list. */
export const uniqueKeysInFile: { [L in SeedList]: (record: SeedRecord<L>) => UniqueKey[] } = {
  firms: (firm) => [{ path: ['slug'], of: 'firms slug', value: firm.slug }],
  // The address of a deleted account may be used again.
  users: (user) => [...identity('users', user), ...(user.deleted ? [] : [emailOf('users', user)])],
  tokens: (token) => identity('tokens', token),
  // The database checks that sessions of one account and firm do not share a push token.
  devices: ({ token, app }) => [{ path: ['app'], of: `devices of ${token}`, value: app }],
  mailboxes: (mailbox) => [...identity('mailboxes', mailbox), emailOf('mailboxes', mailbox)],
  messages: (message) => identity('messages', message),
  tags: (tag) => [...identity('tags', tag), ...(tag.deleted ? [] : [nameInFirm('tags', tag)])],
  calendars: (calendar) => identity('calendars', calendar),
  events: (event) => identity('events', event),
  ics: () => [],
  teams: (team) => [...identity('teams', team), nameInFirm('teams', team)],
  tickets: (ticket) => [
    ...identity('tickets', ticket),
    ...(ticket.id == null ? [] : [ticketNumber(ticket.firm, ticket.id)]),
    ...ticket.messages.flatMap((message, i) => identity('ticket_messages', message, ['messages', i])),
  ],
  notifications: (notification) => identity('notifications', notification),
  pre_registrations: (reservation) => identity('pre_registrations', reservation),
};

const once = (list: string, values: readonly string[], field?: string): UniqueKey[] =>
  values.map((value, i) => ({ path: field === undefined ? [list, i] : [list, i, field], of: list, value }));
const users = (members: readonly { user: string }[]) => members.map(({ user }) => user);

/** Values that must be unique in the lists of one record. */
export const uniqueKeysInRecord: { [L in SeedList]?: (record: SeedRecord<L>) => UniqueKey[] } = {
  users: ({ memberships }) => {
    const firms = memberships.map(({ firm }) => firm);
    return once('memberships', firms, 'firm');
  },
  mailboxes: ({ members }) => once('members', users(members), 'user'),
  calendars: ({ shares }) => once('shares', users(shares), 'user'),
  events: ({ tags, reminders }) => {
    const described = reminders.map((r) => `${r.user} ${r.minutes_before} ${r.channel}`);
    return [...once('tags', tags), ...once('reminders', described)];
  },
  teams: ({ members }) => once('members', members),
  tickets: ({ tags }) => once('tags', tags),
};

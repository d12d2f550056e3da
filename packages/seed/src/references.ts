import type { Path } from './problems.ts';
import type { SeedList, SeedRecord } from './schema.ts';

/** Lists that other records refer to, with the singular of their names for messages. */
export const singular = {
  firms: 'firm',
  users: 'user',
  tokens: 'token',
  mailboxes: 'mailbox',
  calendars: 'calendar',
  tags: 'tag',
  teams: 'team',
  tickets: 'ticket',
} as const;
/** The lists whose records other records refer to. */
export type ReferenceTarget = keyof typeof singular;

/** A reference at `path`. `firm`, if given, is the firm to which the target must belong. */
export type Reference = { path: Path; to: ReferenceTarget; key: string; firm?: string | undefined };

const inFirm = (firm: string, path: Path = ['firm']): Reference => ({ path, to: 'firms', key: firm });
const toUser = (key: string, ...path: Path): Reference => ({ path, to: 'users', key });
const toUsers = (members: readonly { user: string }[], field: string): Reference[] =>
  members.map(({ user }, i) => toUser(user, field, i, 'user'));
const toTags = (keys: readonly string[], firm: string | undefined, path: Path = ['tags']): Reference[] =>
  keys.map((key, i) => ({ path: [...path, i], to: 'tags', key, firm }));
const toTicket = (key: string, firm: string, field: string): Reference => ({
  path: [field],
  to: 'tickets',
  key,
  firm,
});
const toTeam = (key: string | null | undefined, firm: string): Reference[] =>
  key == null ? [] : [{ path: ['team'], to: 'teams', key, firm }];

type FirmOfCalendar = (key: string) => string | undefined;

/** Returns the references of a record, by list. */
export const references: {
  [L in SeedList]: (record: SeedRecord<L>, firmOfCalendar: FirmOfCalendar) => Reference[];
} = {
  firms: () => [],
  mail_templates: ({ firm }) => [inFirm(firm)],
  articles: ({ firm }) => [inFirm(firm)],
  webhooks: ({ firm }) => [inFirm(firm)],
  users: ({ memberships, staff }) => [
    ...memberships.map(({ firm }, i) => inFirm(firm, ['memberships', i, 'firm'])),
    ...(Array.isArray(staff?.firms) ? staff.firms.map((firm, i) => inFirm(firm, ['staff', 'firms', i])) : []),
  ],
  tokens: ({ user, firm }) => [toUser(user, 'user'), inFirm(firm)],
  devices: ({ token }) => [{ path: ['token'], to: 'tokens', key: token }],
  mailboxes: ({ firm, members, absence }) => [
    inFirm(firm),
    ...toUsers(members, 'members'),
    ...(absence == null ? [] : [toUser(absence.author, 'absence', 'author')]),
  ],
  messages: ({ mailbox, tags }) => [
    { path: ['mailbox'], to: 'mailboxes', key: mailbox },
    ...toTags(tags, undefined),
  ],
  tags: ({ firm }) => [inFirm(firm)],
  calendars: ({ firm, owner, shares }) => [
    inFirm(firm),
    toUser(owner, 'owner'),
    ...toUsers(shares, 'shares'),
  ],
  events: ({ calendar, reminders, tags }, firmOfCalendar) => [
    { path: ['calendar'], to: 'calendars', key: calendar },
    ...toUsers(reminders, 'reminders'),
    ...toTags(tags, firmOfCalendar(calendar)),
  ],
  ics: ({ calendar }) => [{ path: ['calendar'], to: 'calendars', key: calendar }],
  ended_invitations: ({ firm, user }) => [inFirm(firm), toUser(user, 'user')],
  teams: ({ firm, members }) => [inFirm(firm), ...members.map((key, i) => toUser(key, 'members', i))],
  macros: ({ firm, team, actions: { add_tags, assignee } }) => [
    inFirm(firm),
    ...toTeam(team, firm),
    ...toTags(add_tags, firm, ['actions', 'add_tags']),
    ...(assignee == null || assignee === 'me' ? [] : [toUser(assignee, 'actions', 'assignee')]),
  ],
  mail_rules: ({ mailbox, author, add_tags }) => [
    { path: ['mailbox'], to: 'mailboxes', key: mailbox },
    ...(author == null ? [] : [toUser(author, 'author')]),
    ...toTags(add_tags, undefined, ['add_tags']),
  ],
  ticket_rules: ({ firm, author }) => [inFirm(firm), toUser(author, 'author')],
  tickets: ({ firm, trader, assignee, team, tags, messages, drafts, unsent_replies, followers }) => [
    inFirm(firm),
    toUser(trader, 'trader'),
    ...(assignee == null ? [] : [toUser(assignee, 'assignee')]),
    ...toTeam(team, firm),
    ...toTags(tags, firm),
    ...messages.flatMap(({ author }, i) => (author == null ? [] : [toUser(author, 'messages', i, 'author')])),
    ...toUsers(drafts, 'drafts'),
    ...unsent_replies.map(({ author }, i) => toUser(author, 'unsent_replies', i, 'author')),
    ...toUsers(followers, 'followers'),
  ],
  ticket_views: ({ firm, user, team }) => [
    inFirm(firm),
    ...(user == null ? [] : [toUser(user, 'user')]),
    ...toTeam(team, firm),
  ],
  ticket_links: ({ firm, ticket, other }) => [
    inFirm(firm),
    toTicket(ticket, firm, 'ticket'),
    toTicket(other, firm, 'other'),
  ],
  ticket_merges: ({ firm, ticket, into }) => [
    inFirm(firm),
    toTicket(ticket, firm, 'ticket'),
    toTicket(into, firm, 'into'),
  ],
  notifications: ({ user, firm, person }) => [
    toUser(user, 'user'),
    inFirm(firm),
    ...(person == null ? [] : [toUser(person, 'person')]),
  ],
  pre_registrations: ({ firm }) => [inFirm(firm)],
};

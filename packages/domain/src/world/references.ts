/**
 * What the records of a world file say about each other: keys and ids are unique, and a reference names a
 * record that exists and lies in the same firm. The index sees every record twice: `add` all of them, then
 * `check` all of them. So lists may come in any order, and a big file can be read record by record.
 */
import { PLATFORM } from '@firmdesk/contract';
import { formatPath, type Problem, problemsOf, WorldError } from './problems.ts';
import { World, type WorldList, type WorldRecord, worldLists } from './schema.ts';

type Path = readonly PropertyKey[];

const NOUNS = {
  firms: 'firm',
  users: 'user',
  tokens: 'token',
  mailboxes: 'mailbox',
  calendars: 'calendar',
  tags: 'tag',
  teams: 'team',
} as const;
/** The lists whose records are referred to. */
type Target = keyof typeof NOUNS;

/** A reference as it stands at `path`; `firm`, where known, is the one that the target must be of. */
type Reference = { path: Path; to: Target; key: string; firm?: string | undefined };
/** A value that no other record of the file may have. */
type Unique = { path: Path; of: string; value: string };

export class WorldIndex {
  /** Where each unique value was first seen: `users key` `anna` at `users[3].key`. */
  readonly #seen = new Map<string, Map<string, string>>();
  /** The firm of every record that others may refer to; null where it is of none. */
  readonly #firms = new Map<Target, Map<string, string | null>>();

  /** @param knownFirms slugs of firms that the database holds already: a file may add to them. */
  constructor(knownFirms: Iterable<string> = []) {
    for (const slug of [PLATFORM, ...knownFirms]) this.#name('firms', slug, null);
  }

  /** First pass: takes the record in, and tells which of its keys and ids another record has. */
  add<L extends WorldList>(list: L, record: WorldRecord<L>, at: Path): Problem[] {
    if (list in NOUNS) this.#name(list as Target, nameOf(record), firmOf(record));
    const problems: Problem[] = [];
    for (const { path, of, value } of uniques[list](record)) {
      const here = formatPath([...at, ...path]);
      const seen = this.#seen.get(of) ?? new Map<string, string>();
      const before = seen.get(value);
      if (before === undefined) this.#seen.set(of, seen.set(value, here));
      else problems.push({ path: here, message: `"${value}" is already used by ${before}` });
    }
    return problems;
  }

  /** Second pass, when every record has been added: tells which references of the record lead nowhere. */
  check<L extends WorldList>(list: L, record: WorldRecord<L>, at: Path): Problem[] {
    const firmOfCalendar = (key: string) => this.#firms.get('calendars')?.get(key) ?? undefined;
    return references[list](record, firmOfCalendar).flatMap(({ path, to, key, firm }) => {
      const problem = this.#problemWith(to, key, firm);
      return problem === undefined ? [] : [{ path: formatPath([...at, ...path]), message: problem }];
    });
  }

  #problemWith(to: Target, key: string, firm: string | undefined): string | undefined {
    const owner = this.#firms.get(to)?.get(key);
    if (owner === undefined) return `there is no ${NOUNS[to]} "${key}"`;
    if (firm === undefined || owner === null || owner === firm) return undefined;
    return `the ${NOUNS[to]} "${key}" belongs to "${owner}", not to "${firm}"`;
  }

  #name(target: Target, key: string, firm: string | null): void {
    const named = this.#firms.get(target) ?? new Map<string, string | null>();
    this.#firms.set(target, named.set(key, firm));
  }
}

/**
 * A whole world in memory, parsed and with its references checked.
 * @throws WorldError with every problem found
 */
export function parseWorld(input: unknown, knownFirms: Iterable<string> = []): World {
  const parsed = World.safeParse(input);
  if (!parsed.success) throw new WorldError(problemsOf(parsed.error));
  const world = parsed.data;
  const index = new WorldIndex(knownFirms);
  const eachRecord = (visit: <L extends WorldList>(list: L, record: WorldRecord<L>, at: Path) => Problem[]) =>
    (Object.keys(worldLists) as WorldList[]).flatMap((list) =>
      world[list].flatMap((record, position) => visit(list, record, [list, position])),
    );
  const problems = [
    ...eachRecord((list, record, at) => index.add(list, record, at)),
    ...eachRecord((list, record, at) => index.check(list, record, at)),
  ];
  if (problems.length > 0) throw new WorldError(problems);
  return world;
}

function nameOf(record: object): string {
  return String('slug' in record ? record.slug : 'key' in record ? record.key : '');
}

/** A user or a token belongs to no firm in this sense: a person may act in several. */
function firmOf(record: object): string | null {
  return 'firm' in record && !('user' in record) ? String(record.firm) : null;
}

type Identified = { key?: string | null | undefined; id?: string | number | null | undefined };

function identity(list: string, record: Identified, at: Path = []): Unique[] {
  const { key, id } = record;
  return [
    ...(key == null ? [] : [{ path: [...at, 'key'], of: `${list} key`, value: key }]),
    ...(id == null ? [] : [{ path: [...at, 'id'], of: `${list} id`, value: String(id) }]),
  ];
}

function emailOf(list: string, { email }: { email: string }): Unique {
  return { path: ['email'], of: `${list} email`, value: email.toLowerCase() };
}

const uniques: { [L in WorldList]: (record: WorldRecord<L>) => Unique[] } = {
  firms: (firm) => [{ path: ['slug'], of: 'firms slug', value: firm.slug }],
  // A deleted account gives its address free.
  users: (user) => [...identity('users', user), ...(user.deleted ? [] : [emailOf('users', user)])],
  tokens: (token) => identity('tokens', token),
  devices: (device) => [{ path: ['app'], of: `devices of the token "${device.token}"`, value: device.app }],
  mailboxes: (mailbox) => [...identity('mailboxes', mailbox), emailOf('mailboxes', mailbox)],
  messages: (message) => identity('messages', message),
  tags: (tag) => identity('tags', tag),
  calendars: (calendar) => identity('calendars', calendar),
  events: (event) => identity('events', event),
  ics: () => [],
  teams: (team) => identity('teams', team),
  tickets: (ticket) => [
    ...identity('tickets', ticket),
    ...ticket.messages.flatMap((message, i) => identity('ticket_messages', message, ['messages', i])),
  ],
  notifications: (notification) => identity('notifications', notification),
  pre_registrations: (reservation) => identity('pre_registrations', reservation),
};

const inFirm = (firm: string, path: Path = ['firm']): Reference => ({ path, to: 'firms', key: firm });
const toUser = (key: string, ...path: Path): Reference => ({ path, to: 'users', key });
const toUsers = (members: readonly { user: string }[], field: string): Reference[] =>
  members.map(({ user }, i) => toUser(user, field, i, 'user'));
const toTags = (keys: readonly string[], firm: string | undefined): Reference[] =>
  keys.map((key, i) => ({ path: ['tags', i], to: 'tags', key, firm }));

type FirmOfCalendar = (key: string) => string | undefined;

const references: {
  [L in WorldList]: (record: WorldRecord<L>, firmOfCalendar: FirmOfCalendar) => Reference[];
} = {
  firms: () => [],
  users: ({ memberships, staff }) => [
    ...memberships.map(({ firm }, i) => inFirm(firm, ['memberships', i, 'firm'])),
    ...(Array.isArray(staff?.firms) ? staff.firms.map((firm, i) => inFirm(firm, ['staff', 'firms', i])) : []),
  ],
  tokens: ({ user, firm }) => [toUser(user, 'user'), inFirm(firm)],
  devices: ({ token }) => [{ path: ['token'], to: 'tokens', key: token }],
  mailboxes: ({ firm, members }) => [inFirm(firm), ...toUsers(members, 'members')],
  messages: ({ mailbox }) => [{ path: ['mailbox'], to: 'mailboxes', key: mailbox }],
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
  teams: ({ firm, members }) => [inFirm(firm), ...members.map((key, i) => toUser(key, 'members', i))],
  tickets: ({ firm, trader, assignee, team, tags, messages }) => [
    inFirm(firm),
    toUser(trader, 'trader'),
    ...(assignee == null ? [] : [toUser(assignee, 'assignee')]),
    ...(team == null ? [] : [{ path: ['team'], to: 'teams' as const, key: team, firm }]),
    ...toTags(tags, firm),
    ...messages.flatMap(({ author }, i) => (author == null ? [] : [toUser(author, 'messages', i, 'author')])),
  ],
  notifications: ({ user, firm }) => [toUser(user, 'user'), inFirm(firm)],
  pre_registrations: ({ firm }) => [inFirm(firm)],
};

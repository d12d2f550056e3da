/**
 * The import file: a JSON document that describes firms and their data. Every list and nested list may be omitted, `null` in
 * an optional field means omitted, and unknown fields are rejected. `seed-index.ts` checks the references between records.
 */
import {
  ActionUrl,
  IntegerId as AnyIntegerId,
  CreateMacroInput,
  calendarColors,
  deviceApps,
  eventSources,
  eventStatuses,
  folders,
  idOf,
  Language,
  MAX_AUDIT_DAYS,
  MAX_REPLY_MACROS,
  MAX_RULE_TAGS,
  MAX_RULE_TEXT,
  MAX_TICKET_TAGS,
  MIN_AUDIT_DAYS,
  mailRuleFolders,
  memberRoles,
  messageAuthors,
  notificationKinds,
  Permission,
  PLATFORM,
  preRegistrationStatuses,
  pushEnvironments,
  Scope,
  SetAssistantGuideInput,
  SetProfileInput,
  SlaPolicySettings,
  Slug,
  shareLevels,
  ticketPriorities,
  ticketStatuses,
  tokenEnvironments,
  tokenKinds,
} from '@firmdesk/contract';
import { z } from 'zod';
import {
  AvatarUrl,
  DeviceToken,
  EmailAddress,
  JsonObject,
  Key,
  Line,
  Logo,
  list,
  maybe,
  Name,
  NonEmptyText,
  Text,
  Timestamp,
  TimeZone,
} from './fields.ts';
import {
  ArticleRecord,
  EndedInvitationRecord,
  MailTemplateRecord,
  mailboxSettings,
  memberSettings,
  TicketLinkRecord,
  TicketMergeRecord,
  TicketRuleRecord,
  TicketViewRecord,
  teamSettings,
  ticketParts,
  WebhookRecord,
} from './settings-records.ts';

/** Below the maximum of `integer`, so that ids are left for new rows. */
const IntegerId = AnyIntegerId.max(2_000_000_000);

/** A name with a unique index, whose entries have a limited size. */
const UniqueName = Name.max(200);

/** A non-negative PostgreSQL `integer`. */
const Count = z.int().nonnegative().max(2_147_483_647);

/** Four weeks, the maximum time of a reminder before its event. */
const MAX_MINUTES_BEFORE = 40_320;

export const FirmRecord = z.strictObject({
  slug: Slug.refine(
    (slug) => slug !== PLATFORM,
    'must not be "platform", which is reserved for the service itself',
  ),
  name: Name,
  assistant: z
    .strictObject({
      enabled_for_team: z.boolean().default(true),
      monthly_allowance: Count.default(1000),
      used: Count.default(0),
    })
    .prefault({}),
  push_content: z.enum(['full', 'none']).default('full'),
  service_targets: maybe(SlaPolicySettings),
  logo: maybe(Logo),
  /** Of mail to people without an account. */
  language: Language.default('en'),
  timezone: TimeZone.default('UTC'),
  audit_days: maybe(z.int().min(MIN_AUDIT_DAYS).max(MAX_AUDIT_DAYS)),
  /** Whether traders are asked how satisfied they were. */
  asks_satisfaction: z.boolean().default(false),
  assistant_guide: maybe(SetAssistantGuideInput),
});

/** What the platform says about a trader of the firm. */
const TraderProfile = z.strictObject(SetProfileInput.omit({ trader: true }).shape);

const Membership = z.strictObject({
  firm: Slug.refine((slug) => slug !== PLATFORM, 'must be a firm; use `staff` for the service’s own staff'),
  role: z.enum(memberRoles),
  active: z.boolean().default(true),
  permissions: list(Permission),
  profile: maybe(TraderProfile),
  ...memberSettings,
});

export const UserRecord = z.strictObject({
  key: Key,
  id: maybe(idOf('user')),
  email: EmailAddress,
  name: Name,
  password: maybe(NonEmptyText),
  avatar_url: maybe(AvatarUrl),
  language: Language.default('en'),
  timezone: TimeZone.default('UTC'),
  deleted: z.boolean().default(false),
  staff: maybe(
    z.strictObject({
      firms: z.union([z.literal('all'), z.array(Slug)], { error: 'must be "all" or a list of slugs' }),
    }),
  ),
  memberships: list(Membership),
});

export const TokenRecord = z.strictObject({
  key: Key,
  user: Key,
  firm: Slug,
  kind: z.enum(tokenKinds),
  environment: z.enum(tokenEnvironments).default('live'),
  name: maybe(Name),
  scopes: list(Scope),
  expires_at: maybe(Timestamp),
  revoked_at: maybe(Timestamp),
  last_used_at: maybe(Timestamp),
  created_at: maybe(Timestamp),
});

export const DeviceRecord = z.strictObject({
  token: Key,
  app: z.enum(deviceApps),
  environment: z.enum(pushEnvironments),
  device_token: DeviceToken,
  locale: maybe(NonEmptyText),
  timezone: maybe(TimeZone),
  app_version: maybe(NonEmptyText),
  os_version: maybe(NonEmptyText),
});

export const MailboxRecord = z.strictObject({
  key: Key,
  id: maybe(IntegerId),
  firm: Slug,
  email: EmailAddress,
  name: Name,
  members: list(
    z.strictObject({ user: Key, can_write: z.boolean().default(true), notify: z.boolean().default(true) }),
  ),
  ...mailboxSettings,
});

const Folder = z.enum(folders);
const Correspondent = z.strictObject({ email: EmailAddress, name: maybe(Line) });

export const MessageRecord = z.strictObject({
  key: Key,
  id: maybe(idOf('mailMessage')),
  mailbox: Key,
  thread: Key,
  folder: Folder,
  previous_folder: maybe(Folder),
  from: Correspondent,
  to: list(Correspondent),
  cc: list(Correspondent),
  subject: Line,
  body: Text,
  read: z.boolean().default(false),
  /** Of its conversation. */
  tags: list(Key),
  starred: z.boolean().default(false),
  snoozed_until: maybe(Timestamp),
  message_at: Timestamp,
});

export const CalendarRecord = z.strictObject({
  key: Key,
  id: maybe(IntegerId),
  firm: Slug,
  name: Name,
  owner: Key,
  color: maybe(z.enum(calendarColors)),
  shows_busy: z.boolean().default(true),
  shares: list(z.strictObject({ user: Key, level: z.enum(shareLevels) })),
});

export const TagRecord = z.strictObject({
  key: Key,
  id: maybe(IntegerId),
  firm: Slug,
  name: UniqueName,
  color: NonEmptyText,
  deleted: z.boolean().default(false),
});

const EventStatus = z.enum(eventStatuses);

const Override = z
  .strictObject({
    occurrence_start: Timestamp,
    cancelled: maybe(z.literal(true)),
    starts_at: maybe(Timestamp),
    ends_at: maybe(Timestamp),
    all_day: maybe(z.boolean()),
    title: maybe(Line),
    description: maybe(Text),
    location: maybe(Text),
    status: maybe(EventStatus),
  })
  .refine(
    ({ occurrence_start, cancelled, ...changes }) =>
      !cancelled || Object.values(changes).every((v) => v == null),
    'must not contain changes when it is cancelled',
  );

export const EventRecord = z.strictObject({
  key: Key,
  id: maybe(IntegerId),
  calendar: Key,
  title: Line,
  description: maybe(Text),
  location: maybe(Text),
  starts_at: Timestamp,
  ends_at: Timestamp,
  all_day: z.boolean().default(false),
  timezone: TimeZone,
  status: EventStatus.default('confirmed'),
  source: z.enum(eventSources).default('manual'),
  recurrence_rule: maybe(NonEmptyText),
  rdates: list(Timestamp),
  exdates: list(Timestamp),
  overrides: list(Override),
  conference: maybe(
    z.strictObject({
      provider: maybe(Text),
      url: maybe(Text),
      meeting_id: maybe(Text),
      passcode: maybe(Text),
    }),
  ),
  organizer: maybe(z.strictObject({ name: maybe(Line), email: EmailAddress })),
  attendees: list(
    z.strictObject({
      name: maybe(Line),
      email: EmailAddress,
      response: NonEmptyText.default('needs_action'),
      is_organizer: z.boolean().default(false),
      is_optional: z.boolean().default(false),
    }),
  ),
  reminders: list(
    z.strictObject({
      user: Key,
      minutes_before: z.int().nonnegative().max(MAX_MINUTES_BEFORE),
      channel: NonEmptyText,
    }),
  ),
  tags: list(Key),
});

export const IcsRecord = z.strictObject({ calendar: Key, text: NonEmptyText });

export const TeamRecord = z.strictObject({
  key: Key,
  id: maybe(IntegerId),
  firm: Slug,
  name: UniqueName,
  members: list(Key),
  ...teamSettings,
});

const { name: MacroName, texts: MacroTexts, actions: MacroActions } = CreateMacroInput.shape;
const { status: MacroStatus, priority: MacroPriority } = MacroActions.unwrap().shape;

/** A macro, in the order of its firm. `assignee` is a user, or `me`: the agent who sends the reply. */
export const MacroRecord = z.strictObject({
  key: Key,
  id: maybe(idOf('macro')),
  firm: Slug,
  name: Text.pipe(MacroName),
  team: maybe(Key),
  texts: z.array(z.strictObject({ language: Text, text: Text })).pipe(MacroTexts),
  actions: z
    .strictObject({
      add_tags: z.array(Key).max(MAX_TICKET_TAGS).default([]),
      status: MacroStatus,
      priority: MacroPriority,
      assignee: maybe(Key),
    })
    .prefault({}),
  used: Count.default(0),
  last_used_at: maybe(Timestamp),
});

/** A rule of a mailbox, in the order in which they run. `author`: in whose name it forwards. */
export const MailRuleRecord = z.strictObject({
  key: Key,
  id: maybe(z.uuid()),
  mailbox: Key,
  author: maybe(Key),
  from: Line.max(MAX_RULE_TEXT).default(''),
  to: Line.max(MAX_RULE_TEXT).default(''),
  subject: Line.max(MAX_RULE_TEXT).default(''),
  has_attachment: z.boolean().default(false),
  add_tags: z.array(Key).max(MAX_RULE_TAGS).default([]),
  folder: maybe(z.enum(mailRuleFolders)),
  mark_read: z.boolean().default(false),
  star: z.boolean().default(false),
  forward_to: maybe(EmailAddress),
});

const TicketMessage = z.strictObject({
  key: maybe(Key),
  id: maybe(idOf('ticketMessage')),
  from: z.enum(messageAuthors),
  author: maybe(Key),
  body: Text,
  /** The text with formatting, of which a safe part is kept: the body is then the text of that. */
  body_html: maybe(NonEmptyText),
  internal: z.boolean().default(false),
  event: maybe(NonEmptyText),
  via_email: z.boolean().default(false),
  image_url: maybe(NonEmptyText),
  image_name: maybe(Name),
  read_at: maybe(Timestamp),
  /** The ids of the macros in it, and of the articles on which it is based, as those records have them. */
  macros: z.array(idOf('macro')).max(MAX_REPLY_MACROS).default([]),
  articles: list(idOf('article')),
  created_at: Timestamp,
});

/**
 * A ticket and its conversation. The assistant does not answer imported tickets (docs/decisions/0010). The import therefore
 * sets `ai_enabled` to false if the team has answered, and changes the status of `open` tickets: to `awaiting_admin` if the
 * trader wrote last; if the assistant is off and the team or the assistant wrote last, to `awaiting_trader`.
 */
export const TicketRecord = z
  .strictObject({
    key: Key,
    id: maybe(idOf('ticket')),
    firm: Slug,
    trader: Key,
    subject: Line,
    status: z.enum(ticketStatuses),
    priority: z.enum(ticketPriorities).default('normal'),
    ai_enabled: z.boolean().default(true),
    ai_blocked: z.boolean().default(false),
    assignee: maybe(Key),
    team: maybe(Key),
    tags: list(Key),
    created_at: Timestamp,
    closed_at: maybe(Timestamp),
    messages: list(TicketMessage),
    ...ticketParts,
  })
  .refine(({ status, closed_at }) => closed_at == null || status === 'resolved' || status === 'closed', {
    path: ['closed_at'],
    error: 'must only be set on a resolved or closed ticket',
  })
  .refine(({ status, snooze }) => snooze == null || (status !== 'resolved' && status !== 'closed'), {
    path: ['snooze'],
    error: 'must not be set on a resolved or closed ticket',
  });

export const NotificationRecord = z.strictObject({
  key: Key,
  id: maybe(z.guid().toLowerCase()),
  user: Key,
  firm: Slug,
  kind: z.enum(notificationKinds),
  /** The account with whose name the title begins: the title in the file continues after the name. */
  person: maybe(Key),
  title: Name,
  body: maybe(Text),
  action_url: ActionUrl,
  read_at: maybe(Timestamp),
  created_at: Timestamp,
});

export const PreRegistrationRecord = z.strictObject({
  key: Key,
  id: maybe(idOf('preRegistration')),
  firm: Slug,
  email: EmailAddress,
  referral_code: NonEmptyText,
  referral_url: maybe(NonEmptyText),
  status: z.enum(preRegistrationStatuses).default('pending'),
  source: NonEmptyText.default('api'),
  metadata: JsonObject.default({}),
  created_at: Timestamp,
  expires_at: maybe(Timestamp),
  claimed_at: maybe(Timestamp),
  last_sent_at: maybe(Timestamp),
});

/** The lists of an import file with the schemas of their records. A list refers only to lists before it. */
export const seedLists = {
  firms: FirmRecord,
  mail_templates: MailTemplateRecord,
  articles: ArticleRecord,
  webhooks: WebhookRecord,
  users: UserRecord,
  mailboxes: MailboxRecord,
  tags: TagRecord,
  messages: MessageRecord,
  calendars: CalendarRecord,
  events: EventRecord,
  ics: IcsRecord,
  ended_invitations: EndedInvitationRecord,
  teams: TeamRecord,
  macros: MacroRecord,
  mail_rules: MailRuleRecord,
  ticket_rules: TicketRuleRecord,
  ticket_views: TicketViewRecord,
  tickets: TicketRecord,
  ticket_links: TicketLinkRecord,
  ticket_merges: TicketMergeRecord,
  notifications: NotificationRecord,
  pre_registrations: PreRegistrationRecord,
  // Last, so that tokens are created in the final transaction: only its result contains their plaintext.
  tokens: TokenRecord,
  devices: DeviceRecord,
};

export type SeedList = keyof typeof seedLists;
export type SeedRecord<L extends SeedList> = z.output<(typeof seedLists)[L]>;
export type SeedRecordInput<L extends SeedList> = z.input<(typeof seedLists)[L]>;

export const Seed = z.strictObject(
  Object.fromEntries(
    Object.entries(seedLists).map(([name, record]) => [name, z.array(record).default([])]),
  ) as {
    [L in SeedList]: z.ZodDefault<z.ZodArray<(typeof seedLists)[L]>>;
  },
);
export type Seed = z.output<typeof Seed>;
/** The input of a seed, in which defaults may be omitted. */
export type SeedInput = z.input<typeof Seed>;

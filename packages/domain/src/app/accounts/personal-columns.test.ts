/** Every column that holds text is classified by what an erasure does to what it says about the person. */

import { openTestServices, type TestServices } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { erasureSteps } from './erasure-steps.ts';

/** An id, a key, a value of a list, a number as text, a hash, or a setting: nothing that says whose it is. */
const NONE = { kind: 'none' } as const;
/** An erasure deletes the row, or replaces the value. */
const ERASED = { kind: 'erased' } as const;
/** It can say something about a person, and stays, for the reason. */
const kept = (reason: string) => ({ kind: 'kept', reason }) as const;

const RECORD = kept('the firm’s record, whose text is not searched for names');
const MAIL = kept('the firm’s correspondence, with the addresses on it');
const OF_FIRM = kept('the firm’s own text, which does not copy anything of a person');
const FOR_DAYS = kept('deleted by the retention after some days');

const columns: Record<string, Record<string, typeof NONE | typeof ERASED | ReturnType<typeof kept>>> = {
  affiliate_pre_registrations: {
    ...all(NONE, 'id', 'status', 'source'),
    ...all(ERASED, 'email', 'metadata'),
    ...all(kept('the code under which the affiliate is known publicly'), 'referral_code', 'referral_url'),
  },
  agent_availability: all(NONE, 'user_id'),
  assignment_turns: all(NONE, 'user_id'),
  assistant_runs: {
    ...all(
      NONE,
      'ticket_id',
      'kind',
      'state',
      'message_id',
      'status_before',
      'asked_by',
      'command_id',
      'articles',
    ),
    instruction: FOR_DAYS,
  },
  assistant_usage: { days: NONE },
  attachments: {
    ...all(
      NONE,
      'id',
      'ticket_id',
      'uploader_id',
      'part_of',
      'type',
      'mail_message_id',
      'content',
      'uploads',
      'scan',
    ),
    name: ERASED,
  },
  audit_events: {
    ...all(NONE, 'actor_kind', 'action', 'target_type', 'target_id'),
    actor: kept('the id of an account, or the name that an operator gives: the trail says who did what'),
    network: kept('the network of an address, which does not identify a person'),
    ...all(kept('roles, permissions and settings; no name or address is recorded'), 'before', 'after'),
  },
  bulk_change_batches: all(NONE, 'bulk_change_id', 'tickets', 'changed', 'skipped'),
  bulk_changes: all(NONE, 'id', 'user_id', 'action', 'state', 'stopped_because', 'undone_by'),
  calendar_shares: all(NONE, 'user_id', 'level'),
  calendars: {
    ...all(NONE, 'owner_id', 'color'),
    name: kept('a calendar that is shared is its readers’; others are deleted'),
  },
  devices: all(
    ERASED,
    ...[
      'token_id',
      'app',
      'environment',
      'device_token',
      'keys',
      'locale',
      'timezone',
      'app_version',
      'os_version',
      'user_id',
    ],
  ),
  ended_invitations: {
    ...all(NONE, 'user_id', 'uid', 'occurrence'),
    ...all(ERASED, 'organizer_email', 'sender_email'),
  },
  event_log: { ...all(NONE, 'subject', 'type'), body: ERASED },
  event_overrides: {
    ...all(NONE, 'occurrence_start', 'local_start', 'local_end', 'status'),
    ...all(RECORD, 'title', 'description', 'location', 'search_text'),
  },
  event_reminders: all(ERASED, 'user_id', 'channel'),
  events: {
    ...all(NONE, 'uid', 'local_start', 'local_end', 'timezone', 'status', 'source', 'recurrence_rule'),
    ...all(NONE, 'added_dates', 'removed_dates', 'conference'),
    ...all(ERASED, 'organizer_name', 'organizer_email', 'sender_email', 'attendees'),
    ...all(RECORD, 'title', 'description', 'location', 'search_text'),
  },
  data_requests: {
    ...all(NONE, 'id', 'kind', 'person_id', 'requested_by', 'state', 'counts'),
    ...all(FOR_DAYS, 'left_out', 'problem'),
  },
  delayed_sends: {
    ...all(NONE, 'id', 'ticket_id', 'author_id', 'actions', 'macro_ids'),
    ...all(ERASED, 'author', 'attachments'),
    ...all(RECORD, 'body', 'body_html', 'image_url', 'image_name'),
  },
  idempotency_keys: {
    ...all(NONE, 'id', 'body_hash'),
    answer: kept('deleted after three days; a repeated call gets what it got before'),
  },
  installation: all(NONE, 'compatible_since', 'secret', 'previous_secret'),
  invites: { ...all(NONE, 'id', 'permissions', 'state'), ...all(ERASED, 'email', 'invited_by') },
  job_requests: all(NONE, 'task', 'payload', 'key'),
  knowledge_articles: { id: NONE, ...all(OF_FIRM, 'title', 'text', 'words') },
  macros: {
    ...all(NONE, 'id', 'status', 'priority', 'assignee_id'),
    ...all(OF_FIRM, 'name', 'name_key', 'texts'),
  },
  mail_messages: {
    ...all(
      NONE,
      'id',
      'folder',
      'previous_folder',
      'internet_message_id',
      'in_reply_to',
      'answers_id',
      'reference_ids',
      'content_digest',
      'about_ticket',
    ),
    ...all(MAIL, 'from_email', 'from_name', 'to_recipients', 'cc_recipients', 'bcc_recipients'),
    ...all(MAIL, 'subject', 'body', 'snippet', 'left_out', 'search_text', 'sender_check', 'reply_to'),
    attachments: ERASED,
  },
  mail_usage: all(ERASED, 'user_id'),
  mail_search_postings: all(NONE, 'messages'),
  mail_search_words: { word: kept('a word, without where it was used; deleted when no text has it') },
  mailbox_addresses: { address: kept('an address of the firm'), tickets: NONE },
  mailbox_members: all(ERASED, 'user_id'),
  mailboxes: all(
    kept('an address of the firm, its name, and texts that are written for it'),
    ...['email', 'name', 'signature', 'absence', 'rules'],
  ),
  memberships: all(NONE, 'user_id', 'role', 'permissions'),
  mikro_orm_migrations: all(NONE, 'name'),
  notification_mutes: all(ERASED, 'user_id', 'kind', 'channels'),
  notifications: {
    ...all(NONE, 'user_id', 'person_id', 'kind', 'reason', 'action_url'),
    // The name of the person is added when the title is read.
    title: NONE,
    body: kept(
      'the subject of a ticket or a part of a note, which are the firm’s records; deleted after a year',
    ),
  },
  outgoing_messages: {
    ...all(NONE, 'id', 'message_id', 'author_id', 'kind'),
    user_id: ERASED,
    ...all(FOR_DAYS, 'about', 'content'),
  },
  outgoing_recipients: {
    ...all(NONE, 'message_id', 'state'),
    ...all(MAIL, 'email', 'detail'),
  },
  passkeys: all(ERASED, 'user_id', 'credential_id', 'public_key', 'transports', 'name'),
  push_outbox: {
    ...all(NONE, 'token_id', 'app', 'type', 'subject', 'state', 'reason', 'trace'),
    ...all(FOR_DAYS, 'reminder', 'payload'),
  },
  recovery_codes: all(ERASED, 'user_id', 'code_hash'),
  reply_drafts: {
    ...all(NONE, 'user_id', 'ticket_id', 'mode', 'version', 'macros'),
    ...all(ERASED, 'text', 'html', 'image_url', 'image_name'),
  },
  // Counts of a firm; the value is the id of an agent, a tag or a macro, or a language.
  report_days: all(NONE, 'dimension', 'value'),
  report_progress: all(NONE, 'settings'),
  search_postings: all(NONE, 'tickets'),
  search_words: { word: kept('a word, without where it was used; deleted when no text has it') },
  provider_accounts: all(ERASED, 'user_id', 'issuer', 'subject'),
  sign_in_domains: all(OF_FIRM, 'domain', 'proof'),
  sign_in_providers: all(NONE, 'issuer', 'client_id', 'client_secret', 'break_glass_user_id'),
  second_factors: all(ERASED, 'user_id', 'secret'),
  sign_in_challenges: all(ERASED, 'id', 'kind', 'user_id', 'content'),
  staff_firms: all(ERASED, 'user_id'),
  tags: all(OF_FIRM, 'name', 'color'),
  team_members: all(ERASED, 'user_id'),
  teams: { ...all(OF_FIRM, 'name'), assignment: NONE },
  ticket_followers: all(ERASED, 'ticket_id', 'user_id'),
  ticket_links: all(NONE, 'ticket_id', 'other_id', 'relation'),
  ticket_messages: {
    ...all(
      NONE,
      'id',
      'ticket_id',
      'from_kind',
      'author_id',
      'event',
      'mentions',
      'macro_ids',
      'article_ids',
    ),
    ...all(ERASED, 'author', 'attachments'),
    ...all(RECORD, 'body', 'body_html', 'image_url', 'image_name', 'search_text'),
  },
  ticket_ratings: { ticket_id: NONE, comment: RECORD },
  ticket_tags: all(NONE, 'ticket_id'),
  ticket_view_orders: all(ERASED, 'user_id', 'views'),
  rule_events: all(NONE, 'ticket_id', 'kind', 'body', 'chain'),
  ticket_rules: {
    ...all(NONE, 'id', 'author_id', 'trigger'),
    ...all(OF_FIRM, 'name', 'conditions', 'actions', 'paused_because'),
  },
  ticket_views: { ...all(NONE, 'id', 'user_id'), ...all(OF_FIRM, 'name', 'search') },
  tickets: {
    ...all(
      NONE,
      'id',
      'number',
      'trader_id',
      'status',
      'priority',
      'assignee_id',
      'last_from',
      'queue_tie',
      'merged_into',
    ),
    subject: RECORD,
    search_text: ERASED,
  },
  tokens: all(
    ERASED,
    ...['id', 'user_id', 'kind', 'environment', 'name', 'scopes', 'secret_hash', 'previous_secret_hash'],
    'signed_in_by',
  ),
  trader_profiles: all(
    ERASED,
    'user_id',
    'country',
    'language',
    'timezone',
    'verification',
    'data',
    'layout',
  ),
  unsent_replies: {
    ...all(NONE, 'id', 'ticket_id', 'author_id', 'macros', 'reason'),
    ...all(ERASED, 'author', 'attachments'),
    ...all(RECORD, 'text', 'html', 'image_url', 'image_name'),
  },
  unsent_reminders: all(ERASED, 'user_id', 'channel', 'reason'),
  users: {
    id: NONE,
    ...all(ERASED, 'email', 'name', 'password_hash', 'avatar_url', 'avatar_hash', 'language', 'timezone'),
  },
  waiting_assignments: all(NONE, 'ticket_id'),
  webhook_deliveries: {
    ...all(NONE, 'id', 'endpoint_id', 'event_id', 'type', 'subject', 'state'),
    detail: FOR_DAYS,
  },
  webhook_endpoints: {
    ...all(NONE, 'id', 'events', 'secret', 'previous_secret', 'disabled'),
    ...all(OF_FIRM, 'url', 'description'),
  },
  webhook_events: { ...all(NONE, 'id', 'type', 'subject'), ...all(ERASED, 'person', 'data') },
  workers: all(NONE, 'pool_id'),
  workspaces: all(
    OF_FIRM,
    'slug',
    'name',
    'logo',
    'logo_hash',
    'language',
    'timezone',
    'push_content',
    'sla_policy',
    'mail_templates',
    'ticket_automation',
    'assistant_guide',
    'deletion_requested_by',
  ),
  import_batches: all(NONE, 'digest', 'next_list', 'made'),
  imports: all(NONE, 'digest'),
};

function all<Class>(each: Class, ...names: string[]): Record<string, Class> {
  return Object.fromEntries(names.map((name) => [name, each]));
}

let base: TestServices;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
});
afterAll(() => base[Symbol.asyncDispose]());

test('every column of text, JSON or bytes is classified', async () => {
  const { rows } = await base.services.pool.query<{ name: string }>(`
    select c.relname || '.' || a.attname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid left join pg_type e on e.oid = t.typelem
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and (t.typcategory in ('S', 'U') or e.typcategory in ('S', 'U'))
      and coalesce(nullif(e.typname, 'char'), t.typname) not in ('uuid', 'xid8')`);
  const listed = Object.entries(columns).flatMap(([table, named]) =>
    Object.keys(named).map((column) => `${table}.${column}`),
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(listed.sort());
});

/** What an erasure changes without a step. */
const WITHOUT_STEP = [
  ...['devices', 'event_log', 'staff_firms', 'tokens', 'users'],
  ...['passkeys', 'provider_accounts', 'recovery_codes', 'second_factors', 'sign_in_challenges'],
];

test('what is classified as erased is deleted or replaced by a step of the erasure', () => {
  const missing = Object.entries(columns).flatMap(([table, named]) => {
    const steps = erasureSteps.filter((step) => step.table === table);
    const isChanged = (column: string) =>
      steps.some(({ set }) => set === null || new RegExp(`\\b${column} = `).test(set));
    return Object.entries(named)
      .filter(([column, { kind }]) => kind === 'erased' && !isChanged(column))
      .map(([column]) => `${table}.${column}`);
  });
  // The account's own tables, and the text that a search reads: `erase-account.ts` changes them.
  expect(missing.filter((name) => !WITHOUT_STEP.includes(name.split('.')[0]!))).toEqual([
    'tickets.search_text',
  ]);
});

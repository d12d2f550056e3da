/**
 * The tables that hold a firm's data. Each has `workspace_id` first in its primary key, its unique indexes and its references to
 * other tables of this list, and has no triggers. Each statement on one names the firm. A table comes after those that it refers to.
 */
export const firmTables = [
  'tags',
  'mailboxes',
  'mailbox_members',
  'mail_threads',
  'mail_messages',
  'calendars',
  'calendar_shares',
  'events',
  'event_overrides',
  'event_tags',
  'event_reminders',
  'unsent_reminders',
  'teams',
  'team_members',
  'tickets',
  'ticket_messages',
  'ticket_tags',
  'held_replies',
  'assistant_runs',
  'assistant_usage',
  'notifications',
  'notification_mutes',
  'affiliate_pre_registrations',
  'search_words',
  'search_postings',
  'search_progress',
  'event_log',
  'event_log_heads',
  'job_requests',
  'audit_events',
] as const;

/** The tables that are not a firm's, each with the reason. */
export const sharedTables = {
  workspaces: 'the list of firms',
  users: 'an account can belong to several firms',
  memberships: 'sign-in asks for the firms of an account',
  staff_firms: 'sign-in asks for the firms in which a member of the staff may act',
  tokens: 'a call has a token before it has a firm, and an account lists its sessions in all firms',
  devices: 'a registration belongs to a session (tokens)',
  push_outbox: 'the queue of deliveries to devices; senders take the oldest of all firms',
  mailbox_addresses: 'the directory of addresses, which are unique over all firms',
  idempotency_keys: 'a key belongs to a token, and is looked up before the firm is known',
  workers: 'the leases of processes',
  world_imports: 'a file is imported once, and can contain several firms',
  world_import_batches: 'a part of world_imports',
  installation: 'one row for the whole installation',
  mikro_orm_migrations: 'the history of the schema',
} as const;

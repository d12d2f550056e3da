/**
 * The tables that get the firm into their keys (migrations 0022 to 0026, docs/decisions/0026). A firm's table has
 * `workspace_id` first in its primary key, its unique indexes and its references to other tables of the firm, so that the
 * database rejects a row that refers to another firm.
 */
export interface FirmTable {
  table: string;
  /**
   * Selects the firm of `new`, for a table that did not have the column. It goes through tables that had it, whose rows are
   * all filled.
   */
  firmOf?: string;
  /** Columns that become `bigint`: ids that can exceed 32 bits, and references to them. */
  wide?: readonly string[];
  /** The primary key, after `workspace_id`. */
  key: readonly string[];
  references?: readonly Reference[];
  /** Other indexes that get the firm, by name. */
  indexes?: Readonly<Record<string, FirmIndex>>;
}

export interface Reference {
  column: string;
  table: string;
  onDelete: 'cascade' | 'set null';
}

export interface FirmIndex {
  isUnique: boolean;
  /** What follows `workspace_id` in the definition. */
  columns: string;
  where?: string;
}

const ofMailbox = 'select b.workspace_id from mailboxes b where b.id = new.mailbox_id';
const ofCalendar = 'select c.workspace_id from calendars c where c.id = new.calendar_id';
const ofEvent =
  'select c.workspace_id from events e join calendars c on c.id = e.calendar_id where e.id = new.event_id';
// Not `t`: that is the row which is filled.
const ofTeam = 'select o.workspace_id from teams o where o.id = new.team_id';
const ofTicket = 'select o.workspace_id from tickets o where o.id = new.ticket_id';

const cascade = (column: string, table: string): Reference => ({ column, table, onDelete: 'cascade' });
const setNull = (column: string, table: string): Reference => ({ column, table, onDelete: 'set null' });

/** Referenced tables come before those that refer to them. */
export const firmTables: readonly FirmTable[] = [
  {
    table: 'mailboxes',
    key: ['id'],
    indexes: { mailboxes_address: { isUnique: true, columns: 'lower(email)' } },
  },
  {
    table: 'mailbox_members',
    firmOf: ofMailbox,
    key: ['mailbox_id', 'user_id'],
    references: [cascade('mailbox_id', 'mailboxes')],
    indexes: { mailbox_members_user: { isUnique: false, columns: 'user_id, mailbox_id' } },
  },
  {
    table: 'mail_threads',
    firmOf: ofMailbox,
    wide: ['id'],
    key: ['id'],
    references: [cascade('mailbox_id', 'mailboxes')],
  },
  {
    table: 'mail_messages',
    firmOf: ofMailbox,
    wide: ['alias', 'thread_id'],
    key: ['id'],
    references: [cascade('mailbox_id', 'mailboxes'), cascade('thread_id', 'mail_threads')],
    indexes: {
      mail_messages_alias: { isUnique: true, columns: 'alias' },
      mail_messages_internet_id: {
        isUnique: true,
        columns: 'mailbox_id, internet_message_id',
        where: 'internet_message_id is not null',
      },
      mail_messages_thread: { isUnique: false, columns: 'thread_id, message_at, id' },
    },
  },
  { table: 'tags', key: ['id'] },
  { table: 'calendars', key: ['id'] },
  {
    table: 'calendar_shares',
    firmOf: ofCalendar,
    key: ['calendar_id', 'user_id'],
    references: [cascade('calendar_id', 'calendars')],
    indexes: { calendar_shares_user: { isUnique: false, columns: 'user_id, calendar_id' } },
  },
  {
    table: 'events',
    firmOf: ofCalendar,
    wide: ['id'],
    key: ['id'],
    references: [cascade('calendar_id', 'calendars')],
    indexes: { events_uid: { isUnique: true, columns: 'calendar_id, uid', where: 'uid is not null' } },
  },
  {
    table: 'event_overrides',
    firmOf: ofCalendar,
    wide: ['event_id'],
    key: ['event_id', 'occurrence_start'],
    references: [cascade('event_id', 'events'), cascade('calendar_id', 'calendars')],
  },
  {
    table: 'event_tags',
    firmOf: ofEvent,
    wide: ['event_id'],
    key: ['event_id', 'tag_id'],
    references: [cascade('event_id', 'events'), cascade('tag_id', 'tags')],
    indexes: { event_tags_tag: { isUnique: false, columns: 'tag_id' } },
  },
  {
    table: 'event_reminders',
    firmOf: ofEvent,
    wide: ['event_id'],
    key: ['event_id', 'user_id', 'minutes_before', 'channel'],
    references: [cascade('event_id', 'events')],
  },
  {
    table: 'unsent_reminders',
    firmOf: ofEvent,
    wide: ['event_id'],
    key: ['id'],
    references: [cascade('event_id', 'events')],
    indexes: { unsent_reminders_event: { isUnique: false, columns: 'event_id' } },
  },
  { table: 'teams', key: ['id'] },
  {
    table: 'team_members',
    firmOf: ofTeam,
    key: ['team_id', 'user_id'],
    references: [cascade('team_id', 'teams')],
    indexes: { team_members_user: { isUnique: false, columns: 'user_id, team_id' } },
  },
  { table: 'tickets', key: ['id'], references: [setNull('team_id', 'teams')] },
  { table: 'ticket_messages', key: ['id'], references: [cascade('ticket_id', 'tickets')] },
  {
    table: 'ticket_tags',
    firmOf: ofTicket,
    key: ['ticket_id', 'tag_id'],
    references: [cascade('ticket_id', 'tickets'), cascade('tag_id', 'tags')],
    indexes: { ticket_tags_tag: { isUnique: false, columns: 'tag_id, ticket_id' } },
  },
  {
    table: 'assistant_runs',
    key: ['id'],
    references: [cascade('ticket_id', 'tickets'), setNull('message_id', 'ticket_messages')],
  },
  { table: 'notifications', key: ['id'] },
  { table: 'affiliate_pre_registrations', key: ['id'] },
];

/** The name of the new column of an id while both exist. */
export function wideName(column: string): string {
  return `${column}_wide`;
}

/** Replaces the columns of a table that become wide by the new ones, in a list of columns. */
export function widen({ wide = [] }: FirmTable, columns: string): string {
  return wide.reduce(
    (text, column) => text.replace(new RegExp(`\\b${column}\\b`), wideName(column)),
    columns,
  );
}

/** The columns that rows from before migration 0022 do not have. */
export function newColumns({ firmOf, wide = [] }: FirmTable): string[] {
  return [...(firmOf ? ['workspace_id'] : []), ...wide.map(wideName)];
}

/** The name of the constraint of a reference. */
export function referenceName({ table }: FirmTable, reference: Reference): string {
  return `${table}_in_${reference.table}`;
}

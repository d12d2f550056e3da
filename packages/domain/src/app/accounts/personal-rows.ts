/**
 * What happens to the rows of firms that name an account, when the account is erased:
 *
 * - `delete`: they are only about the account;
 * - `unset`: the reference is emptied;
 * - `keep`: they are the firm's, and show "Former user".
 */
export type Erasure = 'delete' | 'unset' | 'keep';

/** A column of a firm's table that names an account. An export contains the rows; an erasure changes them. */
export interface PersonalRows {
  table: string;
  column: string;
  /** The second column of the primary key, if an account can have many rows. */
  key?: string;
  erasure: Erasure;
}

/** All references from firms' tables to accounts. A test compares the list with the catalogue. */
export const personalRows: readonly PersonalRows[] = [
  { table: 'mailbox_members', column: 'user_id', erasure: 'delete' },
  { table: 'invites', column: 'invited_by', key: 'id', erasure: 'delete' },
  // The files of exports about the account are deleted before.
  { table: 'data_requests', column: 'person_id', key: 'id', erasure: 'keep' },
  { table: 'data_requests', column: 'requested_by', key: 'id', erasure: 'keep' },
  { table: 'team_members', column: 'user_id', erasure: 'delete' },
  { table: 'calendar_shares', column: 'user_id', erasure: 'delete' },
  { table: 'event_reminders', column: 'user_id', erasure: 'delete' },
  { table: 'ended_invitations', column: 'user_id', key: 'id', erasure: 'delete' },
  { table: 'unsent_reminders', column: 'user_id', key: 'id', erasure: 'delete' },
  { table: 'notifications', column: 'user_id', key: 'id', erasure: 'delete' },
  // Notifications of others, whose title begins with the account's name when it is read.
  { table: 'notifications', column: 'person_id', key: 'id', erasure: 'keep' },
  { table: 'mail_usage', column: 'user_id', erasure: 'delete' },
  { table: 'outgoing_messages', column: 'user_id', key: 'id', erasure: 'delete' },
  { table: 'outgoing_messages', column: 'author_id', key: 'id', erasure: 'keep' },
  { table: 'notification_mutes', column: 'user_id', erasure: 'delete' },
  { table: 'trader_profiles', column: 'user_id', erasure: 'delete' },
  // Their contents and names are deleted before.
  { table: 'attachments', column: 'uploader_id', key: 'id', erasure: 'unset' },
  { table: 'ticket_views', column: 'user_id', key: 'id', erasure: 'delete' },
  { table: 'ticket_view_orders', column: 'user_id', erasure: 'delete' },
  { table: 'agent_availability', column: 'user_id', erasure: 'delete' },
  { table: 'assignment_turns', column: 'user_id', key: 'team_id', erasure: 'delete' },
  { table: 'ticket_followers', column: 'user_id', key: 'ticket_id', erasure: 'delete' },
  { table: 'reply_drafts', column: 'user_id', key: 'id', erasure: 'delete' },
  { table: 'tickets', column: 'assignee_id', key: 'id', erasure: 'unset' },
  { table: 'macros', column: 'assignee_id', key: 'id', erasure: 'unset' },
  // Calendars that are not shared are deleted before; colleagues use the others.
  { table: 'calendars', column: 'owner_id', key: 'id', erasure: 'keep' },
  { table: 'tickets', column: 'trader_id', key: 'id', erasure: 'keep' },
  { table: 'unsent_replies', column: 'author_id', key: 'id', erasure: 'keep' },
  { table: 'ticket_messages', column: 'author_id', key: 'id', erasure: 'keep' },
];

import { ERASED } from '../../access/accounts/erase-identity.ts';
import { personalRows } from './personal-rows.ts';

/** The values of each statement of a step, after the firm (`$1`). */
export interface Subject {
  /** `$2` */
  userId: string;
  /** `$3` */
  email: string;
}

/** Rows of a firm that an erasure deletes or changes. */
export interface ErasureStep {
  table: string;
  /** The condition on the rows. A changed row no longer meets it, so that an interrupted erasure continues. */
  where: string;
  /** The assignments; null to delete the rows. */
  set: string | null;
  /** Whether no index finds the rows, so that the table is read once, in ranges of its ids. */
  isWalked?: boolean;
}

/** The calendars that the subject shares with no one. */
const OWN_CALENDARS = `any(array(
  select c.id from calendars c where c.workspace_id = $1 and c.owner_id = $2 and not exists (
    select from calendar_shares s where s.workspace_id = $1 and s.calendar_id = c.id and s.user_id <> $2)))`;
const IS_SUBJECT = `lower(a.value->>'email') = lower($3::text)`;
const ERASED_ATTENDEE = `'{"name": "${ERASED.name}", "email": "${ERASED.email}"}'::jsonb`;

const IS_SENT_BY_SUBJECT = 'lower(from_email) = lower($3::text)';
const IS_FILE_OF_SUBJECT = `(f.uploader_id = $2 or f.ticket_id = any(array(
  select t.id from tickets t where t.workspace_id = $1 and t.trader_id = $2)) or f.mail_message_id = any(array(
  select id from mail_messages where workspace_id = $1 and ${IS_SENT_BY_SUBJECT})))`;
/** Replaces the names of a message's files, for clients that show them. */
const DELETED_FILES = `attachments = (
  select jsonb_agg(a.value || '{"name": "Deleted file", "deleted": true}' order by a.place)
  from jsonb_array_elements(attachments) with ordinality as a (value, place))`;
const HAS_FILES = `attachments <> '[]' and not attachments @> '[{"deleted": true}]'`;

/** What accounts have written on tickets, in this order: a delayed send that runs meanwhile copies its name and its files. */
const WRITTEN = ['delayed_sends', 'unsent_replies', 'ticket_messages'];

/** Replace the name of the author of what an account has written on tickets. */
export const authorSteps: readonly ErasureStep[] = WRITTEN.map((table) => ({
  table,
  where: `author_id = $2 and author <> '${ERASED.name}'`,
  set: `author = '${ERASED.name}'`,
  isWalked: table === 'ticket_messages',
}));

/** Delete webhook events about the account, and those with its name: of its messages, and of tickets that were assigned to it. */
export const webhookSteps: readonly ErasureStep[] = [
  { table: 'webhook_events', where: 'person in (lower($2), lower($3::text))', set: null },
  {
    table: 'webhook_events',
    where: `(data->'assignee'->>'id' = $2 or exists (
      select from ticket_messages m where m.workspace_id = $1 and m.id = webhook_events.data->>'id' and m.author_id = $2))`,
    set: null,
    isWalked: true,
  },
];

/**
 * What an erasure does to the rows of a firm, in this order. Tickets, messages and mail stay: they are the firm's records. Texts are
 * not searched for names. The files of the account, of its tickets and of mail from its address are deleted, because they can be identity documents.
 */
export const erasureSteps: readonly ErasureStep[] = [
  { table: 'events', where: `calendar_id = ${OWN_CALENDARS}`, set: null },
  { table: 'calendars', where: `id = ${OWN_CALENDARS}`, set: null },
  ...[...WRITTEN, 'mail_messages'].map((table) => ({
    table,
    where: `${HAS_FILES} and id = any(array(
      select f.part_of from attachments f where f.workspace_id = $1 and f.part_of is not null and ${IS_FILE_OF_SUBJECT}))`,
    set: DELETED_FILES,
  })),
  {
    table: 'attachments',
    where: `id = any(array(
      select f.id from attachments f where f.workspace_id = $1 and f.deleted_at is null and ${IS_FILE_OF_SUBJECT}))`,
    set: `name = '', deleted_at = now()`,
  },
  ...personalRows
    .filter(({ erasure }) => erasure !== 'keep')
    .map(({ table, column, erasure }) => ({
      table,
      where: `${column} = $2`,
      set: erasure === 'delete' ? null : `${column} = null`,
    })),
  ...authorSteps,
  {
    table: 'events',
    where: `(lower(organizer_email) = lower($3::text) or lower(sender_email) = lower($3::text)
      or exists (select from jsonb_array_elements(attendees) a where ${IS_SUBJECT}))`,
    set: `organizer_name = case when lower(organizer_email) = lower($3::text) then '${ERASED.name}' else organizer_name end,
      organizer_email = case when lower(organizer_email) = lower($3::text) then '${ERASED.email}' else organizer_email end,
      sender_email = case when lower(sender_email) = lower($3::text) then '${ERASED.email}' else sender_email end,
      attendees = coalesce((select jsonb_agg(case when ${IS_SUBJECT} then a.value || ${ERASED_ATTENDEE} else a.value end order by a.place)
        from jsonb_array_elements(attendees) with ordinality as a (value, place)), '[]')`,
    isWalked: true,
  },
  { table: 'invites', where: 'lower(email) = lower($3::text)', set: null },
  {
    table: 'ended_invitations',
    where: '(sender_email = lower($3::text) or organizer_email = lower($3::text))',
    set: null,
    isWalked: true,
  },
  {
    table: 'affiliate_pre_registrations',
    where: 'lower(email) = lower($3::text)',
    set: `email = '${ERASED.email}', metadata = '{}'`,
  },
  ...webhookSteps,
];

/** The values of a statement of a step. Those that it does not use must have a type as well. */
export function valuesOf(firm: number, { userId, email }: Subject): unknown[] {
  return [firm, userId, email];
}

/** The condition of a step's rows in a firm. It uses all values. */
export function conditionOf({ where }: ErasureStep): string {
  return `workspace_id = $1 and $2::text is not null and $3::text is not null and ${where}`;
}

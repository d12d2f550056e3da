import type { BrowserKeys, NotificationKind } from '@firmdesk/contract';
import type { Pool } from 'pg';
import {
  ADMINISTERS_WORKSPACE,
  BELONGS_TO_WORKSPACE,
  calendarsOf,
  IS_SUSPENDED,
  isLive,
  MAILBOX_MEMBERS,
  TOKENS,
} from '../../access/policy.ts';
import { VISIBLE_KINDS } from '../../access/visible-kinds.ts';
import type { AccessLevel, Conference, EventTimes } from '../../calendar/index.ts';
import { allFirms } from '../../platform/distribution/all-firms.ts';
import type { LeasedPush } from '../outbox.ts';
import { NOTIFICATION_TITLE } from './notification-title.ts';

/** The account and device of an outbox row, as they are now. */
export interface Recipient {
  id: string;
  device_token: string | null;
  /** Those of a browser; null for a phone. */
  keys: BrowserKeys | null;
  environment: 'sandbox' | 'production' | null;
  /** When the device's token was last registered. */
  last_seen_at: string | null;
  /** The device's time zone, or else the account's. */
  timezone: string;
  language: string;
  user_id: string;
  user_email: string;
  workspace_id: number;
  /** The firm's slug, also for its sandbox. */
  workspace: string;
  /** The workspace's name. */
  firm: string;
  push_content: 'full' | 'none';
  /** Whether the workspace is a sandbox, whose pushes are recorded and not sent. */
  is_test: boolean;
  /** Whether the token is live. */
  is_live: boolean;
  /** Whether the account is still a member of the workspace. */
  belongs: boolean;
  /** Whether the workspace is suspended. */
  is_suspended: boolean;
  /** Whether the token has the scope for pushes of this type. */
  has_scope: boolean;
  /** Whether the token has the scope `mail:read`. The badge counts mail. */
  reads_mail: boolean;
  /** Whether the account is still an administrator of the workspace. */
  is_admin: boolean;
  /** The kinds of notification that the account may see. */
  visible_kinds: readonly NotificationKind[];
}

const FIND_RECIPIENTS = `
  select o.id, d.device_token, d.keys, d.environment, d.last_seen_at, coalesce(d.timezone, u.timezone) as timezone, u.language,
    u.id as user_id, u.email as user_email, h.id as workspace_id, w.slug as workspace, w.name as firm, h.push_content, h.sandbox_of is not null as is_test,
    ${isLive('$2::timestamptz')} as is_live,
    ${BELONGS_TO_WORKSPACE} as belongs,
    ${IS_SUSPENDED} as is_suspended,
    o.type = 'test' or case o.type when 'mail.message' then 'mail:read' when 'calendar.reminder' then 'calendar:read'
      else 'admin:read' end = any(t.scopes) as has_scope,
    'mail:read' = any(t.scopes) as reads_mail,
    ${ADMINISTERS_WORKSPACE} as is_admin,
    ${VISIBLE_KINDS} as visible_kinds
  from unnest($1::uuid[], $3::text[], $4::text[], $5::text[]) as o (id, token_id, app, type)
  join (${TOKENS}) on t.id = o.token_id
  left join devices d on d.token_id = o.token_id and d.app = o.app`;

/** Returns the recipients of outbox rows, by row id. */
export async function findRecipients(
  pool: Pool,
  pushes: readonly LeasedPush[],
  now: Date,
): Promise<Map<string, Recipient>> {
  const { rows } = await pool.query<Recipient>(FIND_RECIPIENTS, [
    pushes.map(({ id }) => id),
    now.toISOString(),
    pushes.map(({ token_id }) => token_id),
    pushes.map(({ app }) => app),
    pushes.map(({ type }) => type),
  ]);
  return byId(rows);
}

/** The message of an outbox row, if the recipient is a member of its mailbox. {@link Recipient.belongs} says whether he may still read it. */
export interface MailSubject {
  /** The id of the outbox row, as in the other subjects. */
  id: string;
  message_id: string;
  thread_id: number;
  mailbox_id: number;
  folder: string;
  from_name: string | null;
  from_email: string;
  subject: string;
  /** Whether the recipient wants pushes of the mailbox. */
  notify: boolean;
}

/**
 * The rows whose subjects a statement reads, from its first parameter. The second has their firms: each table is restricted to them, so that a
 * statement on the rows of one firm uses one server of a distributed installation.
 */
const ROWS = `jsonb_to_recordset($1::jsonb)
  as o (id uuid, workspace_id integer, user_id text, subject text, reminder jsonb)`;

/** Returns the values of a statement on {@link ROWS}. */
function valuesOf(rows: readonly LeasedPush[]): [string, number[]] {
  const read = rows.map(({ id, workspace_id, user_id, subject, reminder }) => ({
    id,
    workspace_id,
    user_id,
    subject,
    reminder,
  }));
  return [JSON.stringify(read), [...new Set(rows.map(({ workspace_id }) => workspace_id))]];
}

const FIND_MAIL = `${allFirms('pushes')}
  select o.id, m.id as message_id, m.thread_id, m.mailbox_id, m.folder, m.from_name, m.from_email, m.subject, r.notify
  from ${ROWS}
  join mail_messages m on m.workspace_id = o.workspace_id and m.id = o.subject
  join (${MAILBOX_MEMBERS}) on b.workspace_id = m.workspace_id and b.id = m.mailbox_id and r.user_id = o.user_id
  where m.workspace_id = any($2) and b.workspace_id = any($2) and r.workspace_id = any($2)`;

/** Returns the messages of outbox rows, by row id. */
export async function findMail(pool: Pool, pushes: readonly LeasedPush[]): Promise<Map<string, MailSubject>> {
  if (pushes.length === 0) return new Map();
  return byId((await pool.query<MailSubject>(FIND_MAIL, valuesOf(pushes))).rows);
}

/** The notification of an outbox row, if it is in the recipient's notification centre. */
export interface NotificationSubject {
  id: string;
  notification_id: string;
  kind: NotificationKind;
  title: string;
  body: string | null;
  action_url: string;
  /** Whether the recipient turned off pushes for it. */
  muted: boolean;
}

const FIND_NOTIFICATIONS = `${allFirms('pushes')}
  select o.id, n.id as notification_id, n.kind, ${NOTIFICATION_TITLE} as title, n.body, n.action_url,
    exists (select from notification_mutes s
      where s.workspace_id = n.workspace_id and s.workspace_id = any($2) and s.user_id = n.user_id
        and s.kind = coalesce(n.reason, n.kind) and 'push' = any(s.channels)) as muted
  from ${ROWS}
  join notifications n on n.workspace_id = o.workspace_id and n.id = o.subject::uuid and n.user_id = o.user_id
  where n.workspace_id = any($2)`;

/** Returns the notifications of outbox rows, by row id. */
export async function findNotifications(
  pool: Pool,
  pushes: readonly LeasedPush[],
): Promise<Map<string, NotificationSubject>> {
  if (pushes.length === 0) return new Map();
  return byId((await pool.query<NotificationSubject>(FIND_NOTIFICATIONS, valuesOf(pushes))).rows);
}

/** The event of an outbox row, if the recipient can access its calendar and has not removed the reminder. */
export interface EventSubject extends EventTimes {
  id: string;
  workspace_id: number;
  event_id: number;
  title: string;
  conference: Conference | null;
  level: AccessLevel;
  has_overrides: boolean;
}

const FIND_EVENTS = `${allFirms('pushes')}
  select o.id, e.workspace_id, e.id as event_id, e.title, e.conference, e.local_start, e.local_end, e.all_day, e.timezone,
    e.recurrence_rule, e.added_dates, e.removed_dates,
    c.level,
    exists (select from event_overrides v
      where v.workspace_id = e.workspace_id and v.workspace_id = any($2) and v.event_id = e.id) as has_overrides
  from ${ROWS}
  join events e on e.workspace_id = o.workspace_id and e.id = (o.reminder->>'event_id')::bigint
  join lateral (${calendarsOf('o.user_id', 'e.workspace_id', '$2')}) c on c.id = e.calendar_id
  join event_reminders r on r.workspace_id = e.workspace_id and r.event_id = e.id and r.user_id = o.user_id
    and r.channel = 'push' and r.minutes_before = (o.reminder->>'minutes_before')::integer
  where e.workspace_id = any($2) and r.workspace_id = any($2)`;

/** Returns the events of outbox rows, by row id. */
export async function findEvents(
  pool: Pool,
  pushes: readonly LeasedPush[],
): Promise<Map<string, EventSubject>> {
  if (pushes.length === 0) return new Map();
  return byId((await pool.query<EventSubject>(FIND_EVENTS, valuesOf(pushes))).rows);
}

/** An account in a workspace, to which it belongs. */
export interface BadgeOwner {
  user_id: string;
  workspace_id: number;
}

/** Counts each mailbox once, even if the input contains several of its readers. */
const COUNT_BADGES = `${allFirms('pushes')}
  with reader as (
    select k.user_id, k.workspace_id, r.mailbox_id
    from jsonb_to_recordset($1::jsonb) as k (user_id text, workspace_id integer)
    join (${MAILBOX_MEMBERS}) on r.user_id = k.user_id and b.workspace_id = k.workspace_id
    where b.workspace_id = any($2) and r.workspace_id = any($2)
  ),
  unread as materialized (
    select workspace_id, mailbox_id, count(*) as unread from mail_messages
    where workspace_id = any($2) and folder = 'inbox' and not is_read
      and (workspace_id, mailbox_id) in (select workspace_id, mailbox_id from reader)
    group by workspace_id, mailbox_id
  )
  select user_id, workspace_id, sum(unread)::integer as unread
  from reader join unread using (workspace_id, mailbox_id) group by user_id, workspace_id`;

/** Counts the unread messages in the inboxes that each owner may read (contract §6.1.4, G-36). Returns a lookup by owner. */
export async function countBadges(
  pool: Pool,
  owners: readonly BadgeOwner[],
): Promise<(owner: BadgeOwner) => number> {
  const key = ({ user_id, workspace_id }: BadgeOwner) => `${workspace_id} ${user_id}`;
  const distinct = [...new Map(owners.map((owner) => [key(owner), owner])).values()].map(
    ({ user_id, workspace_id }) => ({ user_id, workspace_id }),
  );
  if (distinct.length === 0) return () => 0;
  const { rows } = await pool.query<BadgeOwner & { unread: number }>(COUNT_BADGES, [
    JSON.stringify(distinct),
    [...new Set(distinct.map(({ workspace_id }) => workspace_id))],
  ]);
  const badges = new Map(rows.map((row) => [key(row), row.unread]));
  return (owner) => badges.get(key(owner)) ?? 0;
}

function byId<T extends { id: string }>(rows: T[]): Map<string, T> {
  return new Map(rows.map((row) => [row.id, row]));
}

import type { Services } from '@firmdesk/domain';

/** The tables that an import writes. */
const tables = [
  'workspaces',
  'users',
  'staff_firms',
  'memberships',
  'tokens',
  'devices',
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
  'teams',
  'team_members',
  'macros',
  'tickets',
  'ticket_messages',
  'ticket_tags',
  'notifications',
  'affiliate_pre_registrations',
  'imports',
  'import_batches',
] as const;

/** Returns the number of rows of each table. */
export async function countRows({ pool }: Services): Promise<Record<string, number>> {
  const counts = tables.map((table) => `(select count(*)::integer from ${table}) as ${table}`);
  const { rows } = await pool.query(`select ${counts.join(', ')}`);
  return rows[0];
}

/** Returns the rows of a query. */
export async function rowsOf({ pool }: Services, query: string, ...values: unknown[]): Promise<object[]> {
  return (await pool.query(query, values)).rows;
}

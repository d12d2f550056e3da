/** What people call the tables that an erasure changes. The other names say it themselves. */
const tableLabels: Readonly<Record<string, string>> = {
  users: 'Account',
  tokens: 'Sessions and API keys',
  mailbox_members: 'Access to mailboxes',
  team_members: 'Places in teams',
  calendar_shares: 'Shared calendars',
  event_reminders: 'Reminders',
  events: 'Calendar events',
  mail_usage: 'Counts of sent mail',
  mail_messages: 'Mail',
  outgoing_messages: 'Sent mail',
  attachments: 'Files',
  ticket_followers: 'Followed tickets',
  ticket_view_orders: 'Orders of views',
  agent_availability: 'Availability',
  assignment_turns: 'Turns in the assignment',
  affiliate_pre_registrations: 'Pre-registrations',
  trader_profiles: 'Trader profile',
  ticket_messages: 'Messages on tickets',
  event_log: 'Live events',
  data_requests: 'Exports and erasures',
};

/** Returns what people call a table. */
export function tableLabel(table: string): string {
  return tableLabels[table] ?? `${table.charAt(0).toUpperCase()}${table.slice(1)}`.replaceAll('_', ' ');
}

/** Returns a number of rows in words. */
export function recordsText(count: number): string {
  return count === 1 ? '1 record' : `${count.toLocaleString('en')} records`;
}

/** Returns the size of a file in words. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const [unit, divisor] = bytes < 1_000_000 ? ['kB', 1_000] : bytes < 1e9 ? ['MB', 1_000_000] : ['GB', 1e9];
  return `${(bytes / Number(divisor)).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
}

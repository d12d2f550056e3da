import { type Permission, permissions } from '@firmdesk/contract';

/** What each permission allows, in the order in which they are shown. */
export const permissionTexts: Record<Permission, { label: string; allows: string; group: string }> = {
  view_tickets: {
    group: 'Support',
    label: 'View tickets',
    allows: 'Read all tickets and be assigned to them.',
  },
  manage_tickets: {
    group: 'Support',
    label: 'Answer tickets',
    allows: 'Reply, and change status, priority, assignee and tags.',
  },
  manage_assistant: {
    group: 'Support',
    label: 'Manage support settings',
    allows: 'Change the assistant, macros and SLA.',
  },
  view_payouts: { group: 'Firm', label: 'View payouts', allows: 'Be notified of payouts.' },
  view_affiliates: {
    group: 'Firm',
    label: 'View affiliates',
    allows: 'See pre-registrations and be notified.',
  },
  manage_affiliates: {
    group: 'Firm',
    label: 'Manage affiliates',
    allows: 'Create and revoke pre-registrations.',
  },
  view_risk: { group: 'Firm', label: 'View risk', allows: 'Be notified of risk flags.' },
  view_storage: { group: 'Firm', label: 'View storage', allows: 'Be notified when storage runs low.' },
  view_mail_health: {
    group: 'Firm',
    label: 'View mail health',
    allows: 'Be notified of bounces and complaints.',
  },
  view_reports: { group: 'Firm', label: 'View reports', allows: 'See reports of the whole team.' },
  manage_members: {
    group: 'Administration',
    label: 'Manage members',
    allows: 'Invite people, change what others may do, and dismiss members.',
  },
  manage_settings: {
    group: 'Administration',
    label: 'Manage settings',
    allows: 'Change teams, tags, webhooks and the settings of the firm.',
  },
  manage_tokens: {
    group: 'Administration',
    label: 'Manage API keys',
    allows: 'Create, rotate and revoke API keys.',
  },
  view_audit: {
    group: 'Administration',
    label: 'View the audit log',
    allows: 'See who changed what in the firm.',
  },
};

const agent: readonly Permission[] = ['view_tickets', 'manage_tickets'];
const lead: readonly Permission[] = [...agent, 'manage_assistant', 'view_affiliates', 'view_reports'];

/** Usual sets of permissions. */
export const presets: readonly { name: string; permissions: readonly Permission[] }[] = [
  { name: 'Agent', permissions: agent },
  { name: 'Lead', permissions: lead },
  { name: 'Administrator', permissions },
];

/** Returns the name of the preset with exactly these permissions, or how many there are. */
export function describePermissions(held: readonly Permission[]): string {
  const preset = presets.find(
    (each) => each.permissions.length === held.length && each.permissions.every((one) => held.includes(one)),
  );
  if (preset) return preset.name;
  if (held.length === 0) return 'No permissions';
  return held.length === 1 ? permissionTexts[held[0]!].label : `${held.length} permissions`;
}

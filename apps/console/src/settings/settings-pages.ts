import type { Permission } from '@firmdesk/contract';

/** A page of the settings, or a part of one. */
export interface SettingsPage {
  to:
    | '/settings/general'
    | '/settings/members'
    | '/settings/teams'
    | '/settings/tags'
    | '/settings/shared-mailboxes'
    | '/settings/keys'
    | '/settings/webhooks'
    | '/settings/sign-in'
    | '/settings/audit'
    | '/settings/data'
    | '/settings/assistant'
    | '/settings/macros'
    | '/settings/sla'
    | '/settings/assignment'
    | '/settings/rules'
    | '/settings/mail'
    | '/settings/mailboxes'
    | '/settings/calendars'
    | '/account/sessions'
    | '/account/notifications'
    | '/account/sign-in';
  /** The id of the part of the page. */
  hash?: string;
  label: string;
  group: 'Support' | 'Firm' | 'Your account';
  /** What else it is found by. */
  words: string;
  permission?: Permission;
  /** Whether a session on test data has no access, because it changes the account or the firm. */
  isLiveOnly?: boolean;
}

const account = { to: '/account/sessions', group: 'Your account' } as const;
/** The sandbox has the settings of the firm. */
const firm = { group: 'Firm', isLiveOnly: true } as const;
const support = { group: 'Support', permission: 'view_tickets' } as const;

const pages: readonly SettingsPage[] = [
  {
    ...support,
    to: '/settings/assistant',
    label: 'Assistant',
    words: 'ai allowance team knowledge articles tone rules languages hand over try',
  },
  { ...support, to: '/settings/macros', label: 'Macros', words: 'prepared replies templates import export' },
  { ...support, to: '/settings/sla', label: 'SLA', words: 'targets first response business hours' },
  {
    ...support,
    to: '/settings/assignment',
    label: 'Assignment',
    words: 'round robin availability away load limit teams agents automatic',
    permission: 'manage_settings',
  },
  {
    ...support,
    to: '/settings/rules',
    label: 'Rules',
    words: 'automation triggers conditions when if then workflow',
    permission: 'manage_settings',
  },
  {
    ...support,
    to: '/settings/mail',
    label: 'Mail wording',
    words: 'templates texts languages email',
    permission: 'manage_assistant',
  },
  {
    ...firm,
    to: '/settings/general',
    label: 'General',
    words: 'name logo language time zone push content retention audit',
    permission: 'manage_settings',
  },
  {
    ...firm,
    to: '/settings/members',
    label: 'Members',
    words: 'people invite team permissions roles dismiss traders access',
    permission: 'manage_members',
  },
  {
    group: 'Firm',
    to: '/settings/teams',
    label: 'Teams',
    words: 'groups members assign queue',
    permission: 'manage_settings',
  },
  {
    group: 'Firm',
    to: '/settings/tags',
    label: 'Tags',
    words: 'labels colours merge',
    permission: 'manage_settings',
  },
  {
    ...firm,
    to: '/settings/shared-mailboxes',
    label: 'Shared mailboxes',
    words: 'mail addresses aliases members support',
    permission: 'manage_settings',
  },
  {
    ...firm,
    to: '/settings/keys',
    label: 'API keys',
    words: 'tokens secrets scopes rotate revoke developers',
    permission: 'manage_tokens',
  },
  {
    ...firm,
    to: '/settings/sign-in',
    label: 'Sign-in',
    words: 'single sign-on sso oidc openid provider domains required',
    permission: 'manage_settings',
  },
  {
    group: 'Firm',
    to: '/settings/webhooks',
    label: 'Webhooks',
    words: 'events endpoints deliveries developers integrations',
    permission: 'manage_settings',
  },
  {
    group: 'Firm',
    to: '/settings/audit',
    label: 'Audit log',
    words: 'history changes who export csv',
    permission: 'view_audit',
  },
  {
    ...firm,
    to: '/settings/data',
    label: 'Data',
    words: 'export download delete close firm privacy gdpr backup move',
    permission: 'manage_settings',
  },
  { ...account, hash: 'profile', label: 'Profile', words: 'name picture avatar language', isLiveOnly: true },
  { ...account, label: 'Sessions', words: 'signed in devices sign out security' },
  {
    ...account,
    to: '/account/notifications',
    label: 'Notifications',
    words:
      'mute alerts kinds bell desktop sound pop-ups push phone browser mentions assignments devices apps',
  },
  {
    ...account,
    to: '/account/notifications',
    hash: 'weekly-report',
    label: 'Weekly report',
    words: 'mail figures',
    permission: 'view_reports',
  },
  { ...account, hash: 'time-zone', label: 'Time zone', words: 'clock', isLiveOnly: true },
  {
    ...account,
    to: '/account/sign-in',
    label: 'Password and sign-in',
    words: 'security change passkeys authenticator second factor two-factor totp recovery codes',
    isLiveOnly: true,
  },
  { ...account, hash: 'browser', label: 'This browser', words: 'theme dark light undo preferences' },
  {
    ...account,
    to: '/settings/mailboxes',
    label: 'Mailboxes',
    words: 'mail signature out of office absence vacation automatic answer',
  },
  {
    ...account,
    to: '/settings/calendars',
    label: 'Calendars',
    words: 'calendar share sharing colleagues colour name busy free events delete',
  },
];

/** Returns the pages of the settings that an account may see. */
export function settingsFor(permissions: readonly Permission[], { isTest }: { isTest: boolean }) {
  return pages.filter(
    ({ permission, isLiveOnly }) =>
      (!permission || permissions.includes(permission)) && !(isLiveOnly && isTest),
  );
}

/** Returns the pages in which every word of a text occurs: in the name, the group or the other words. */
export function findSettings(shown: readonly SettingsPage[], text: string): SettingsPage[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  return shown.filter(({ label, group, words }) => {
    const all = `${label} ${group} ${words}`.toLowerCase();
    return wanted.every((word) => all.includes(word));
  });
}

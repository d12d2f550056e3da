import type { Permission } from '@firmdesk/contract';
import {
  Bell,
  CalendarDays,
  ChartColumn,
  Handshake,
  Inbox,
  type LucideIcon,
  Mail,
  Settings,
} from 'lucide-react';
import type { SettingsPage } from '../settings/settings-pages.ts';

export interface Destination {
  to:
    | '/tickets'
    | '/mail'
    | '/calendar'
    | '/notifications'
    | '/pre-registrations'
    | '/reports'
    | SettingsPage['to'];
  label: string;
  /** The label in the bottom bar of a phone, where it is another one. */
  shortLabel?: string;
  keys: string;
  icon: LucideIcon;
  /** The beginnings of the paths of the pages that are reached from this one. */
  sections?: readonly string[];
  /** The permission that the page needs. */
  permission?: Permission;
}

/** The pages besides the settings in the side bar, the command menu and the shortcuts. */
const destinations: readonly Destination[] = [
  { to: '/tickets', label: 'Tickets', keys: 'g t', icon: Inbox, permission: 'view_tickets' },
  { to: '/mail', label: 'Mail', keys: 'g m', icon: Mail },
  { to: '/calendar', label: 'Calendar', keys: 'g c', icon: CalendarDays },
  { to: '/notifications', label: 'Notifications', shortLabel: 'Alerts', keys: 'g n', icon: Bell },
  {
    to: '/pre-registrations',
    label: 'Pre-registrations',
    shortLabel: 'Referrals',
    keys: 'g p',
    icon: Handshake,
    permission: 'view_affiliates',
  },
  { to: '/reports', label: 'Reports', keys: 'g r', icon: ChartColumn, permission: 'view_reports' },
];

/** Returns the pages that an account may see. */
export function destinationsFor(permissions: readonly Permission[]): Destination[] {
  // The settings of the account are shown to everybody.
  const to = permissions.includes('view_tickets') ? '/settings/assistant' : '/account/sessions';
  const settings = { to, label: 'Settings', keys: 'g s', icon: Settings } as const;
  return [
    ...destinations.filter(({ permission }) => !permission || permissions.includes(permission)),
    { ...settings, sections: ['/settings/', '/account/'] },
  ];
}

/** Returns the page that opens without another choice: the tickets, or the first one that the account may see. */
export function firstDestination(permissions: readonly Permission[]): Destination['to'] {
  return destinationsFor(permissions)[0]!.to;
}

/** The first page of each section, by the first part of its pages' paths. */
const sections = {
  tickets: '/tickets',
  mail: '/mail',
  calendar: '/calendar',
  notifications: '/notifications',
  'pre-registrations': '/pre-registrations',
  reports: '/reports',
  settings: '/settings/assistant',
  account: '/account/sessions',
} as const;

/** Returns the first page of the section that a path in a firm belongs to, or null if the console has no such section. */
export function sectionPage(path: string): (typeof sections)[keyof typeof sections] | null {
  const [section = ''] = path.split(/[/?#]/).filter(Boolean);
  return Object.hasOwn(sections, section) ? sections[section as keyof typeof sections] : null;
}

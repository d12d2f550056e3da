import type { Permission } from '@firmdesk/contract';
import { Bell, CalendarDays, Handshake, Inbox, type LucideIcon, Mail, Settings } from 'lucide-react';

export interface Destination {
  to: '/tickets' | '/mail' | '/calendar' | '/notifications' | '/pre-registrations' | '/settings/assistant';
  label: string;
  keys: string;
  icon: LucideIcon;
  /** The permission that the page needs. */
  permission?: Permission;
}

/** The pages in the side bar, the command menu and the shortcuts. */
export const destinations: readonly Destination[] = [
  { to: '/tickets', label: 'Tickets', keys: 'g t', icon: Inbox, permission: 'view_tickets' },
  { to: '/mail', label: 'Mail', keys: 'g m', icon: Mail },
  { to: '/calendar', label: 'Calendar', keys: 'g c', icon: CalendarDays },
  { to: '/notifications', label: 'Notifications', keys: 'g n', icon: Bell },
  {
    to: '/pre-registrations',
    label: 'Pre-registrations',
    keys: 'g p',
    icon: Handshake,
    permission: 'view_affiliates',
  },
  {
    to: '/settings/assistant',
    label: 'Assistant settings',
    keys: 'g s',
    icon: Settings,
    permission: 'view_tickets',
  },
];

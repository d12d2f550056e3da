import { permissions } from '../values/enumerations.ts';
import type { Permission } from './access.ts';

/**
 * The permissions that an export needs: those for what is in it. No permission covers the mail and the calendars of colleagues, so who exports these
 * holds every permission. An own export needs those for a trader.
 */
export const exportPermissions = {
  trader: ['manage_members', 'view_tickets', 'view_affiliates'],
  colleague: permissions,
  firm: permissions,
} as const satisfies Record<string, readonly Permission[]>;

import type { SeedList, SeedRecordInput } from '../schema.ts';
import { exportCalendars, exportEvents } from './calendar.ts';
import type { ExportContext } from './context.ts';
import { exportMacros } from './macros.ts';
import { exportMailboxes, exportMessages } from './mail.ts';
import { exportMailRules } from './mail-rules.ts';
import { exportNotifications, exportPreRegistrations } from './notifications.ts';
import {
  exportArticles,
  exportEndedInvitations,
  exportMailTemplates,
  exportTicketRules,
  exportWebhooks,
} from './settings.ts';
import { exportTicketLinks, exportTicketMerges, exportTicketViews } from './ticket-lists.ts';
import { exportTags, exportTeams, exportTickets } from './tickets.ts';
import { exportFirms, exportUsers } from './users.ts';

/**
 * Reads the records of each list, page by page. A record's key is its id. Tokens are not exported: only hashes of their secrets are
 * stored; nor are passwords, for the same reason. The lists are in the order in which an import writes them.
 */
export const exportedLists = {
  firms: exportFirms,
  mail_templates: exportMailTemplates,
  articles: exportArticles,
  webhooks: exportWebhooks,
  users: exportUsers,
  mailboxes: exportMailboxes,
  tags: exportTags,
  messages: exportMessages,
  calendars: exportCalendars,
  events: exportEvents,
  ended_invitations: exportEndedInvitations,
  teams: exportTeams,
  macros: exportMacros,
  mail_rules: exportMailRules,
  ticket_rules: exportTicketRules,
  ticket_views: exportTicketViews,
  tickets: exportTickets,
  ticket_links: exportTicketLinks,
  ticket_merges: exportTicketMerges,
  notifications: exportNotifications,
  pre_registrations: exportPreRegistrations,
} satisfies { [L in SeedList]?: (ctx: ExportContext) => AsyncGenerator<SeedRecordInput<L>[]> };

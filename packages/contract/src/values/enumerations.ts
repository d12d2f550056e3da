/** The scopes of a token. REST needs only the first seven (contract §5.2); the others are for typed RPC. */
export const scopes = [
  'mail:read',
  'mail:write',
  'calendar:read',
  'notifications:write',
  'admin:read',
  'admin:write',
  'affiliates:write',
  'calendar:write',
  'notifications:read',
  'platform:write',
] as const;

/** The permissions of a firm's administrator. The service's own staff hold all of them in every firm where they may act. */
export const permissions = [
  'view_tickets',
  'manage_tickets',
  'view_payouts',
  'view_affiliates',
  'manage_affiliates',
  'view_risk',
  'view_storage',
  'view_mail_health',
  'manage_assistant',
  'manage_members',
  'manage_settings',
  'manage_tokens',
  'view_audit',
  'view_reports',
] as const;

/** What an entry of the audit log is about. Those about a ticket are found by its id. */
export const auditKinds = [
  'user',
  'invite',
  'team',
  'tag',
  'token',
  'firm',
  'mailbox',
  'calendar',
  'macro',
  'rule',
  'webhook',
  'article',
] as const;
export type AuditKind = (typeof auditKinds)[number];

export const ticketStatuses = ['open', 'awaiting_admin', 'awaiting_trader', 'resolved', 'closed'] as const;

/** Most urgent first. */
export const ticketPriorities = ['urgent', 'high', 'normal', 'low'] as const;

export const ticketSorts = [
  'queue',
  '-last_message_at',
  '-created_at',
  'created_at',
  '-priority',
  'next_due_at',
] as const;

/**
 * Who gets a ticket of a team. `round_robin`: the agents in turn; `least_loaded`: the one with the fewest tickets; `knows_trader`: the one
 * who last wrote to the trader, else as `least_loaded`.
 */
export const assignmentModes = ['off', 'round_robin', 'least_loaded', 'knows_trader'] as const;

/** The properties of a ticket whose change can start a rule. */
export const ruleProperties = ['status', 'priority', 'assignee', 'team', 'tags', 'assistant'] as const;

/** The groups in which the ticket list can be filtered (contract §4.7). */
export const ticketGroups = ['waiting', 'open', 'ai', 'trader', 'ended', 'all'] as const;
export type TicketGroup = (typeof ticketGroups)[number];

export const folders = ['inbox', 'drafts', 'sent', 'archive', 'spam', 'trash'] as const;

/** The folders to which a message can be moved. Drafts and sent mail have folders of their own. */
export const filingFolders = ['inbox', 'archive', 'spam', 'trash'] as const;

/** The folders to which a rule moves mail that arrives. */
export const mailRuleFolders = ['archive', 'spam', 'trash'] as const;

/** The colours of calendars. A client shows each so that text on it can be read, in light and dark. */
export const calendarColors = ['indigo', 'green', 'amber', 'pink', 'sky', 'lime', 'red', 'purple'] as const;
export type CalendarColor = (typeof calendarColors)[number];

/** The occurrences of a series that a change applies to: the one at `occurrence_start`, that and all later ones, or all. */
export const eventExtents = ['this', 'this_and_following', 'all'] as const;
export type EventExtent = (typeof eventExtents)[number];

export const preRegistrationStatuses = ['pending', 'claimed', 'revoked', 'expired'] as const;
export type PreRegistrationStatus = (typeof preRegistrationStatuses)[number];

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof weekdays)[number];

/** What an endpoint can be told. A change of a ticket is one event: `ticket.resolved` or `ticket.closed` if it ends it, otherwise `ticket.updated`. */
export const webhookEventTypes = [
  'ticket.created',
  'ticket.updated',
  'ticket.resolved',
  'ticket.closed',
  'message.created',
  'pre_registration.created',
  'pre_registration.claimed',
  'pre_registration.revoked',
  'pre_registration.expired',
  'mail.bounced',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** `failed`: given up after three days. */
export const webhookDeliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number];

/** What answered an ended ticket: only the assistant, or the team after it. */
export const ticketEnders = ['assistant', 'handover'] as const;

/** Whether a ticket met a target. */
export const slaResults = [
  'first_response_met',
  'first_response_missed',
  'resolution_met',
  'resolution_missed',
] as const;

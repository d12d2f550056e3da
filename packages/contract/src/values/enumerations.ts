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

/** An API key is issued by an operator; a device token by signing in (contract §5). */
export const tokenKinds = ['api_key', 'device'] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** How a session was opened. `code`: a password and the code of a second factor; `provider`: the firm's single sign-on. */
export const signInMethods = ['password', 'code', 'passkey', 'provider'] as const;
export type SignInMethod = (typeof signInMethods)[number];

export const tokenEnvironments = ['live', 'test'] as const;
export type TokenEnvironment = (typeof tokenEnvironments)[number];

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

export const memberRoles = ['admin', 'trader'] as const;
export type MemberRole = (typeof memberRoles)[number];

export const deviceApps = ['mail', 'calendar', 'admin'] as const;
export type DeviceApp = (typeof deviceApps)[number];

/** What gets pushes: the apps of phones, and a browser in which the console is open or was. */
export const pushApps = [...deviceApps, 'browser'] as const;
export type PushApp = (typeof pushApps)[number];

export const pushEnvironments = ['sandbox', 'production'] as const;
export type PushEnvironment = (typeof pushEnvironments)[number];

export const ticketStatuses = ['open', 'awaiting_admin', 'awaiting_trader', 'resolved', 'closed'] as const;

/** Most urgent first. */
export const ticketPriorities = ['urgent', 'high', 'normal', 'low'] as const;

export const messageAuthors = ['trader', 'admin', 'ai', 'system'] as const;

/** Why a notification concerns an account in person. */
export const notificationReasons = ['mention', 'assignment'] as const;
export type NotificationReason = (typeof notificationReasons)[number];

/** How a ticket is linked with another: `follows` one that had ended, or is `followed_by` it. */
export const ticketRelations = ['linked', 'follows', 'followed_by'] as const;
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

/** What a rule does that changes no property of a ticket. */
export const ruleEffects = ['note', 'macro', 'notification'] as const;

/** The groups in which the ticket list can be filtered (contract §4.7). */
export const ticketGroups = ['waiting', 'open', 'ai', 'trader', 'ended', 'all'] as const;
export type TicketGroup = (typeof ticketGroups)[number];

/** The types of files that the service recognizes, by their content. Files of other types are `application/octet-stream`. */
export const attachmentTypes = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'application/pdf',
  'application/octet-stream',
] as const;
export type AttachmentType = (typeof attachmentTypes)[number];

/** `waiting`: it cannot be read yet; `infected`: it is never served. */
export const scanStates = ['waiting', 'clean', 'infected'] as const;
export type ScanState = (typeof scanStates)[number];

/**
 * `undoing`: gives the changed tickets their earlier values back. `stopped`: the account for which it ran may no longer change tickets; any
 * agent who may can undo it.
 */
export const bulkChangeStates = ['running', 'done', 'undoing', 'undone', 'stopped'] as const;

/**
 * Why an account for which a job acts may no longer answer and change tickets. `dismissed`: it is no longer a member of the firm, or its
 * staff; `account_ended`: it was deactivated or erased; `permission_lost`: it no longer holds `view_tickets` and `manage_tickets`.
 */
export const lostRights = ['dismissed', 'account_ended', 'permission_lost', 'firm_suspended'] as const;
export type LostRight = (typeof lostRights)[number];

/** Why a delayed send did not happen, and the reply is kept for the team. `ticket_ended`: the ticket was resolved or closed before it. */
export const unsentReasons = [...lostRights, 'ticket_ended'] as const;
export type UnsentReason = (typeof unsentReasons)[number];

/**
 * Why a ticket was left as it is. `unchanged`: it had the value already; `ended`: resolved or closed; `not_found`: no ticket of the firm;
 * `value_gone`: the agent, team or tag does not exist any more; `changed_since`: the change was not undone, because somebody has
 * changed the ticket since.
 */
export const bulkSkipReasons = [
  'unchanged',
  'ended',
  'not_found',
  'too_many_tags',
  'value_gone',
  'changed_since',
] as const;

export const folders = ['inbox', 'drafts', 'sent', 'archive', 'spam', 'trash'] as const;

/** The folders to which a message can be moved. Drafts and sent mail have folders of their own. */
export const filingFolders = ['inbox', 'archive', 'spam', 'trash'] as const;

/** The folders to which a rule moves mail that arrives. */
export const mailRuleFolders = ['archive', 'spam', 'trash'] as const;

/** The folders to which mail can be delivered. */
export const deliveryFolders = ['inbox', 'spam', 'archive'] as const;

/** How far a message that was sent has come for a recipient. */
export const deliveryStates = ['queued', 'sent', 'delivered_locally', 'failed', 'not_sent'] as const;

export const senderCheckStatuses = ['verified', 'unverified', 'failed'] as const;

export const shareLevels = ['busy', 'read', 'write'] as const;
export type ShareLevel = (typeof shareLevels)[number];

/** The colours of calendars. A client shows each so that text on it can be read, in light and dark. */
export const calendarColors = ['indigo', 'green', 'amber', 'pink', 'sky', 'lime', 'red', 'purple'] as const;
export type CalendarColor = (typeof calendarColors)[number];

export const eventStatuses = ['confirmed', 'pending'] as const;
export type EventStatus = (typeof eventStatuses)[number];

export const eventSources = ['manual', 'mail', 'import'] as const;
export type EventSource = (typeof eventSources)[number];

/** The responses of an attendee. An import may contain others: a reader must accept any text. */
export const attendeeResponses = ['needs_action', 'accepted', 'declined', 'tentative'] as const;
export type AttendeeResponse = (typeof attendeeResponses)[number];

export const reminderChannels = ['push', 'email'] as const;
export type ReminderChannel = (typeof reminderChannels)[number];

/** The occurrences of a series that a change applies to: the one at `occurrence_start`, that and all later ones, or all. */
export const eventExtents = ['this', 'this_and_following', 'all'] as const;
export type EventExtent = (typeof eventExtents)[number];

export const preRegistrationStatuses = ['pending', 'claimed', 'revoked', 'expired'] as const;
export type PreRegistrationStatus = (typeof preRegistrationStatuses)[number];

/** How the console shows a value: a date in the reader's zone, a flag as Yes or No, an http or https URL as a link. */
export const profileFormats = ['text', 'money', 'date', 'flag', 'link'] as const;
export type ProfileFormat = (typeof profileFormats)[number];

export const verificationStatuses = ['unverified', 'pending', 'verified', 'rejected'] as const;
export type VerificationStatus = (typeof verificationStatuses)[number];

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

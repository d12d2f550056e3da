/** Enumerations that only schemas use. They stand apart from those of the console, whose first load has no schemas. */

/** An API key is issued by an operator; a device token by signing in (contract §5). */
export const tokenKinds = ['api_key', 'device'] as const;

export type TokenKind = (typeof tokenKinds)[number];

/** How a session was opened. `code`: a password and the code of a second factor; `provider`: the firm's single sign-on. */
export const signInMethods = ['password', 'code', 'passkey', 'provider'] as const;

export type SignInMethod = (typeof signInMethods)[number];

export const tokenEnvironments = ['live', 'test'] as const;

export type TokenEnvironment = (typeof tokenEnvironments)[number];

export const memberRoles = ['admin', 'trader'] as const;

export type MemberRole = (typeof memberRoles)[number];

export const deviceApps = ['mail', 'calendar', 'admin'] as const;

export type DeviceApp = (typeof deviceApps)[number];

/** What gets pushes: the apps of phones, and a browser in which the console is open or was. */
export const pushApps = [...deviceApps, 'browser'] as const;

export type PushApp = (typeof pushApps)[number];

export const pushEnvironments = ['sandbox', 'production'] as const;

export type PushEnvironment = (typeof pushEnvironments)[number];

export const messageAuthors = ['trader', 'admin', 'ai', 'system'] as const;

/** Why a notification concerns an account in person. */
export const notificationReasons = ['mention', 'assignment'] as const;

export type NotificationReason = (typeof notificationReasons)[number];

/** How a ticket is linked with another: `follows` one that had ended, or is `followed_by` it. */
export const ticketRelations = ['linked', 'follows', 'followed_by'] as const;

/** What a rule does that changes no property of a ticket. */
export const ruleEffects = ['note', 'macro', 'notification'] as const;

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

/** The folders to which mail can be delivered. */
export const deliveryFolders = ['inbox', 'spam', 'archive'] as const;

/** How far a message that was sent has come for a recipient. */
export const deliveryStates = ['queued', 'sent', 'delivered_locally', 'failed', 'not_sent'] as const;

export const senderCheckStatuses = ['verified', 'unverified', 'failed'] as const;

export const shareLevels = ['busy', 'read', 'write'] as const;

export type ShareLevel = (typeof shareLevels)[number];

export const eventStatuses = ['confirmed', 'pending'] as const;

export type EventStatus = (typeof eventStatuses)[number];

export const eventSources = ['manual', 'mail', 'import'] as const;

export type EventSource = (typeof eventSources)[number];

/** The responses of an attendee. An import may contain others: a reader must accept any text. */
export const attendeeResponses = ['needs_action', 'accepted', 'declined', 'tentative'] as const;

export type AttendeeResponse = (typeof attendeeResponses)[number];

export const reminderChannels = ['push', 'email'] as const;

export type ReminderChannel = (typeof reminderChannels)[number];

/** How the console shows a value: a date in the reader's zone, a flag as Yes or No, an http or https URL as a link. */
export const profileFormats = ['text', 'money', 'date', 'flag', 'link'] as const;

export type ProfileFormat = (typeof profileFormats)[number];

export const verificationStatuses = ['unverified', 'pending', 'verified', 'rejected'] as const;

export type VerificationStatus = (typeof verificationStatuses)[number];

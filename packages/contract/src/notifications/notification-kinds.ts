import type { Permission } from '../firm/access.ts';
import { type NotificationReason, notificationReasons } from '../values/schema-enumerations.ts';

/**
 * Who may see a kind of notification: when it is raised, and each time that it is read, counted, streamed or pushed. Except for `person`,
 * the account that caused it is not notified.
 *
 * - `admins`: the workspace's administrators with the permission.
 * - `assigned`: the same, or those of them to whom it is assigned.
 * - `person`: the named account.
 * - `staff`: the service's own staff, in `platform`.
 */
export type Audience =
  | { readonly to: 'admins' | 'assigned'; readonly permission: Permission }
  | { readonly to: 'person' | 'staff' };

/** The kinds of notification (contract §6.1) and the audience of each. Staff hold every permission in `platform`. */
export const notificationAudiences = {
  payout_requested: { to: 'admins', permission: 'view_payouts' },
  payout_awaiting_payment: { to: 'admins', permission: 'view_payouts' },
  affiliate_application_received: { to: 'admins', permission: 'view_affiliates' },
  affiliate_code_requested: { to: 'admins', permission: 'view_affiliates' },
  affiliate_payout_requested: { to: 'admins', permission: 'view_affiliates' },
  risk_flag_raised: { to: 'assigned', permission: 'view_risk' },
  ticket_awaiting_admin: { to: 'assigned', permission: 'view_tickets' },
  storage_filling_up: { to: 'assigned', permission: 'view_storage' },
  mail_deliverability: { to: 'assigned', permission: 'view_mail_health' },
  webhook_disabled: { to: 'admins', permission: 'manage_settings' },
  firm_deletion: { to: 'admins', permission: 'manage_settings' },
  firm_export: { to: 'admins', permission: 'manage_settings' },
  new_device_signed_in: { to: 'person' },
  sign_in_changed: { to: 'person' },
  mail_not_delivered: { to: 'person' },
  deal_awaiting_approval: { to: 'staff' },
  billing_payment_failed: { to: 'staff' },
  deal_link_expired: { to: 'staff' },
  analytics_health: { to: 'staff' },
} as const satisfies Record<string, Audience>;

export type NotificationKind = keyof typeof notificationAudiences;
export const notificationKinds = Object.keys(notificationAudiences) as NotificationKind[];

/** What a person sets apart: the kinds, and the reasons why a notification concerns them in person. */
export type NotificationTopic = NotificationReason | NotificationKind;
export const notificationTopics: readonly NotificationTopic[] = [
  ...notificationReasons,
  ...notificationKinds,
];

/** How a person learns of a notification. What the bell does not get is not raised, so it reaches no other channel. */
export const notificationChannels = ['bell', 'desktop', 'sound', 'push'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/** Notifications with a reason have this kind, because the contract has none of their own. */
const KIND_OF_REASONS: NotificationKind = 'ticket_awaiting_admin';

/** Returns the kind that the notifications of a topic have. */
export function kindOfTopic(topic: NotificationTopic): NotificationKind {
  return Object.hasOwn(notificationAudiences, topic) ? (topic as NotificationKind) : KIND_OF_REASONS;
}

/** Why a topic stays in the bell: it tells that somebody else may use an account, or that the firm's service stops. */
export type RequiredReason = 'security' | 'service';

export const requiredTopics: Partial<Record<NotificationTopic, RequiredReason>> = {
  new_device_signed_in: 'security',
  sign_in_changed: 'security',
  storage_filling_up: 'service',
  mail_deliverability: 'service',
  webhook_disabled: 'service',
  firm_deletion: 'service',
  firm_export: 'security',
};

import type {
  Notification,
  NotificationKind,
  NotificationReason,
  NotificationTopic,
} from '@firmdesk/contract';

/** The labels of the kinds of notification. */
const notificationKindLabels: Record<NotificationKind, string> = {
  payout_requested: 'Payout to review',
  payout_awaiting_payment: 'Payout to pay',
  affiliate_application_received: 'Affiliate application',
  affiliate_code_requested: 'Referral code to review',
  affiliate_payout_requested: 'Commission requested',
  risk_flag_raised: 'Risk flag',
  ticket_awaiting_admin: 'Ticket needs a reply',
  storage_filling_up: 'Storage',
  mail_deliverability: 'Mail deliverability',
  webhook_disabled: 'Webhook switched off',
  firm_deletion: 'Deletion of the firm',
  firm_export: 'Export of the firm',
  new_device_signed_in: 'New device',
  sign_in_changed: 'Sign-in changed',
  mail_not_delivered: 'Mail not delivered',
  deal_awaiting_approval: 'Deal to approve',
  billing_payment_failed: 'Billing',
  deal_link_expired: 'Onboarding link expired',
  analytics_health: 'Analytics',
};

const reasonLabels: Record<NotificationReason, string> = {
  mention: 'Mention',
  assignment: 'Assigned to you',
};

/** Returns what a notification is about: in person, or by its kind. */
export function notificationLabel({ kind, reason }: Pick<Notification, 'kind' | 'reason'>): string {
  return topicLabel(reason ?? kind);
}

export function topicLabel(topic: NotificationTopic): string {
  return { ...notificationKindLabels, ...reasonLabels }[topic];
}

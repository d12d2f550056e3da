/** The kinds of notice, contract §6.1. The last four are for the service's own staff alone. */
export const notificationKinds = [
  'payout_requested',
  'payout_awaiting_payment',
  'affiliate_application_received',
  'affiliate_code_requested',
  'affiliate_payout_requested',
  'risk_flag_raised',
  'ticket_awaiting_admin',
  'storage_filling_up',
  'mail_deliverability',
  'new_device_signed_in',
  'deal_awaiting_approval',
  'billing_payment_failed',
  'deal_link_expired',
  'analytics_health',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

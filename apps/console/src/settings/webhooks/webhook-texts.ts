import type { WebhookDeliveryState, WebhookEventType } from '@firmdesk/contract';

/** What happened, for people. */
export const webhookEventLabels: Record<WebhookEventType, string> = {
  'ticket.created': 'Ticket opened',
  'ticket.updated': 'Ticket changed',
  'ticket.resolved': 'Ticket resolved',
  'ticket.closed': 'Ticket closed',
  'message.created': 'Message or note on a ticket',
  'pre_registration.created': 'Code reserved',
  'pre_registration.claimed': 'Code claimed',
  'pre_registration.revoked': 'Code revoked',
  'pre_registration.expired': 'Code expired',
  'mail.bounced': 'Mail not delivered',
};

export const deliveryStateLabels: Record<WebhookDeliveryState, string> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Given up',
};

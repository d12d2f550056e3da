/** The entry point for other features. */
export { enqueueDeliveries } from './dispatch-events.ts';
export { webhookBody } from './send-deliveries.ts';
export { webhookSecret } from './signature.ts';
export { WebhookEndpointEntity } from './webhook.entity.ts';
export { hasWebhooks, type NewWebhookEvent, webhookWrites, writeWebhookEvents } from './webhook-events.ts';
export { checkWebhookUrl } from './webhook-url.ts';

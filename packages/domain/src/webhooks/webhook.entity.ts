import type { WebhookDeliveryState, WebhookEndpoint, WebhookEventType } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';

/** Where a firm's events are sent. */
export const WebhookEndpointSchema = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  properties: {
    workspaceId: p.integer().primary().autoincrement(false),
    id: p.text().primary(),
    url: p.text(),
    description: p.text(),
    events: p.array().$type<WebhookEventType[]>().columnType('text[]'),
    /** Signs the deliveries. */
    secret: p.blob(),
    /** The secret before the last rotation, which signs as well until a time. */
    previousSecret: p.blob().nullable(),
    previousSecretUntil: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    /** Since when no attempt has succeeded; null after one that did. */
    failingSince: p.datetime(3).nullable(),
    /** Until when no other attempt begins. */
    pausedUntil: p.datetime(3).nullable(),
    disabled: p.text().$type<NonNullable<WebhookEndpoint['disabled']>>().nullable(),
  },
});
export class WebhookEndpointEntity extends WebhookEndpointSchema.class {}
WebhookEndpointSchema.setClass(WebhookEndpointEntity);

/** An event that was written for endpoints, in the transaction of the change. */
export const WebhookEventSchema = defineEntity({
  name: 'WebhookEvent',
  tableName: 'webhook_events',
  properties: {
    workspaceId: p.integer().primary(),
    id: p.text().primary(),
    /** The order of a subject's events. */
    position: p.integer().columnType('bigint').defaultRaw(`nextval('webhook_event_positions')`),
    type: p.text().$type<WebhookEventType>(),
    /** The id of a ticket, a pre-registration or a message. */
    subject: p.text(),
    /** Whom it is about: the id of an account, or an address in lower case. */
    person: p.text(),
    data: p.json().$type<Record<string, unknown>>(),
    isDispatched: p.boolean().default(false),
    createdAt: p.datetime(3),
  },
});

/** An event on its way to an endpoint. */
export const WebhookDeliverySchema = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    workspaceId: p.integer().primary(),
    id: p.text().primary(),
    endpointId: p.text(),
    eventId: p.text(),
    position: p.integer().columnType('bigint'),
    type: p.text().$type<WebhookEventType>(),
    subject: p.text(),
    state: p.text().$type<WebhookDeliveryState>().default('waiting'),
    attempts: p.integer().default(0),
    createdAt: p.datetime(3),
    /** When it was last begun anew. */
    startedAt: p.datetime(3),
    dueAt: p.datetime(3),
    /** Until when a sender has it. */
    leasedUntil: p.datetime().columnType('timestamptz').nullable(),
    status: p.smallint().nullable(),
    detail: p.text().nullable(),
    endedAt: p.datetime(3).nullable(),
  },
});

import {
  CreateWebhookEndpointInput,
  ListWebhookDeliveriesInput,
  RotateWebhookSecretInput,
  UpdateWebhookEndpointInput,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryRef,
  WebhookDeliveryWithBody,
  WebhookEndpoint,
  WebhookEndpointDeleted,
  WebhookEndpointRef,
  WebhookEndpoints,
  WebhookEndpointWithSecret,
} from '@firmdesk/contract';
import { adminProcedure, NoInput, router } from '../../procedures/trpc.ts';
import { createEndpoint, deleteEndpoint, rotateSecret, updateEndpoint } from './change-endpoints.ts';
import { getDelivery, listDeliveries, replayDelivery } from './deliveries.ts';
import { listEndpoints } from './list-endpoints.ts';

const access = { tag: 'Firm', permissions: ['manage_settings'] } as const;
const reading = { ...access, scope: 'admin:read' } as const;
const managing = { ...access, scope: 'admin:write' } as const;
/** The response contains a secret, which is not stored for a replay. */
const once = { hasSecret: true, withoutIdempotencyKey: true } as const;
const errors = ['resource_not_found'] as const;

export const webhooksRouter = router({
  list: adminProcedure({
    ...reading,
    summary: 'List the webhook endpoints of the firm, or of its test data',
    input: NoInput,
    output: WebhookEndpoints,
  }).query(async ({ ctx }) => ({ data: await listEndpoints(ctx) })),

  create: adminProcedure({
    ...managing,
    ...once,
    summary: 'Add a webhook endpoint; its secret is shown once',
    status: [201],
    input: CreateWebhookEndpointInput,
    output: WebhookEndpointWithSecret,
  }).mutation(({ ctx, input }) => createEndpoint(ctx, input)),

  update: adminProcedure({
    ...managing,
    summary: 'Change a webhook endpoint, or switch it on or off',
    errors,
    input: UpdateWebhookEndpointInput,
    output: WebhookEndpoint,
  }).mutation(({ ctx, input }) => updateEndpoint(ctx, input)),

  rotate: adminProcedure({
    ...managing,
    ...once,
    summary: 'Give a webhook endpoint a new secret',
    errors,
    input: RotateWebhookSecretInput,
    output: WebhookEndpointWithSecret,
  }).mutation(({ ctx, input }) => rotateSecret(ctx, input)),

  delete: adminProcedure({
    ...managing,
    summary: 'Delete a webhook endpoint with its deliveries',
    errors,
    input: WebhookEndpointRef,
    output: WebhookEndpointDeleted,
  }).mutation(async ({ ctx, input }) => {
    await deleteEndpoint(ctx, input);
    return { object: 'webhook_endpoint_deleted' as const, id: input.id };
  }),

  deliveries: adminProcedure({
    ...reading,
    summary: 'List the deliveries of events to webhook endpoints',
    errors,
    input: ListWebhookDeliveriesInput,
    output: WebhookDeliveryPage,
  }).query(({ ctx, input }) => listDeliveries(ctx, input)),

  delivery: adminProcedure({
    ...reading,
    summary: 'Get a delivery with its body',
    errors,
    input: WebhookDeliveryRef,
    output: WebhookDeliveryWithBody,
  }).query(({ ctx, input }) => getDelivery(ctx, input.id)),

  replay: adminProcedure({
    ...managing,
    summary: 'Send an event to a webhook endpoint again',
    errors,
    input: WebhookDeliveryRef,
    output: WebhookDelivery,
  }).mutation(({ ctx, input }) => replayDelivery(ctx, input.id)),
});

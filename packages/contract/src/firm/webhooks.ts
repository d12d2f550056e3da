import * as z from 'zod';
import { PreRegistration } from '../affiliates.ts';
import { Ticket, TicketMessage } from '../tickets/tickets.ts';
import { type WebhookEventType, webhookDeliveryStates, webhookEventTypes } from '../values/enumerations.ts';
import { fieldErrorCodes, Limit, Line, pageOf, Timestamp, VisibleLine } from '../values/fields.ts';
import { IntegerId, idOf } from '../values/ids.ts';
import { MAX_KEY_OVERLAP_HOURS, MAX_QUERY_LENGTH, MAX_WEBHOOK_URL } from '../values/limits.ts';
import { tokenEnvironments } from '../values/schema-enumerations.ts';
import { WorkspaceSlug } from './access.ts';

/** A message that a recipient does not get. `reason`: the words of the mail server, null if it gave none. */
export const MailBounce = z.object({
  object: z.literal('mail_bounce'),
  id: idOf('mailMessage'),
  address_id: IntegerId,
  email: z.string(),
  reason: z.string().nullable(),
});
export type MailBounce = z.infer<typeof MailBounce>;

type TypesOf<Group extends string> = Extract<WebhookEventType, `${Group}.${string}`>;
const typesOf = <Group extends string>(group: Group) =>
  z.enum(webhookEventTypes.filter((type): type is TypesOf<Group> => type.startsWith(`${group}.`)));

const envelope = {
  object: z.literal('event'),
  id: idOf('webhookEvent'),
  created_at: Timestamp,
  /** The slug of the firm, or of its sandbox. */
  workspace: WorkspaceSlug,
  environment: z.enum(tokenEnvironments),
};

/** The body of a webhook: an event with the object as it was then, in the form of `/v1`. */
export const WebhookEvent = z.union([
  z.object({ ...envelope, type: typesOf('ticket'), data: Ticket }),
  z.object({ ...envelope, type: typesOf('message'), data: TicketMessage }),
  z.object({ ...envelope, type: typesOf('pre_registration'), data: PreRegistration }),
  z.object({ ...envelope, type: typesOf('mail'), data: MailBounce }),
]);
export type WebhookEvent = z.infer<typeof WebhookEvent>;

const EventTypes = z
  .array(z.enum(webhookEventTypes))
  .min(1)
  .max(webhookEventTypes.length)
  .transform((types) => webhookEventTypes.filter((type) => types.includes(type)));

/**
 * Where events are sent. `disabled`: null while they are; `failing`: it has answered no delivery for three days. `previous_until`: until when
 * deliveries are also signed with the secret before the last rotation.
 */
export const WebhookEndpoint = z.object({
  object: z.literal('webhook_endpoint'),
  id: idOf('webhookEndpoint'),
  url: z.string(),
  description: z.string(),
  events: z.array(z.enum(webhookEventTypes)),
  disabled: z.enum(['member', 'failing']).nullable(),
  failing_since: Timestamp.nullable(),
  previous_until: Timestamp.nullable(),
  created_at: Timestamp,
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** The endpoints of the firm, or of its test data, newest first. */
export const WebhookEndpoints = z.object({ data: z.array(WebhookEndpoint) });

export const WebhookEndpointRef = z.object({ id: idOf('webhookEndpoint') });

export const CreateWebhookEndpointInput = z.object({
  url: VisibleLine.max(MAX_WEBHOOK_URL),
  description: Line.max(200).default(''),
  events: EventTypes,
});

/** What is left out stays. `enabled`: whether events are sent. */
export const UpdateWebhookEndpointInput = WebhookEndpointRef.extend({
  url: VisibleLine.max(MAX_WEBHOOK_URL).optional(),
  description: Line.max(200).optional(),
  events: EventTypes.optional(),
  enabled: z.boolean().optional(),
});

/** `overlap_hours`: for how long deliveries are also signed with the last secret. */
export const RotateWebhookSecretInput = WebhookEndpointRef.extend({
  overlap_hours: z.int().min(0).max(MAX_KEY_OVERLAP_HOURS).default(24),
});

/** The only response with the secret of the endpoint. */
export const WebhookEndpointWithSecret = WebhookEndpoint.extend({ secret: z.string() });

export const WebhookEndpointDeleted = z.object({
  object: z.literal('webhook_endpoint_deleted'),
  id: idOf('webhookEndpoint'),
});

/**
 * An event on its way to an endpoint. `subject`: the id of the ticket, the pre-registration or the message. `status`: of the last answer, null
 * without one. `detail`: why the last attempt failed, or how the last answer began. `next_attempt_at`: null once it has ended.
 */
export const WebhookDelivery = z.object({
  object: z.literal('webhook_delivery'),
  id: idOf('webhookDelivery'),
  endpoint: idOf('webhookEndpoint'),
  event: idOf('webhookEvent'),
  type: z.enum(webhookEventTypes),
  subject: z.string(),
  state: z.enum(webhookDeliveryStates),
  attempts: z.int(),
  status: z.int().nullable(),
  detail: z.string().nullable(),
  created_at: Timestamp,
  next_attempt_at: Timestamp.nullable(),
  ended_at: Timestamp.nullable(),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

/** `q`: words, each a part of the type, of the id of the event or of what it is about, or of the result. By default newest first. */
export const ListWebhookDeliveriesInput = z.object({
  endpoint: idOf('webhookEndpoint').optional(),
  state: z.enum(webhookDeliveryStates).optional(),
  type: z.enum(webhookEventTypes).optional(),
  q: Line.max(MAX_QUERY_LENGTH).optional(),
  sort: z
    .enum(['-created_at', 'created_at'])
    .default('-created_at')
    .register(fieldErrorCodes, { code: 'invalid_sort' }),
  limit: Limit,
  starting_after: z
    .string()
    .regex(/^\d{1,15}\.whd_[0-9A-Za-z]{6,64}$/)
    .optional()
    .register(fieldErrorCodes, { code: 'invalid_cursor' }),
});
export const WebhookDeliveryPage = pageOf(WebhookDelivery);

export const WebhookDeliveryRef = z.object({ id: idOf('webhookDelivery') });

/** A delivery with the body that is sent. */
export const WebhookDeliveryWithBody = WebhookDelivery.extend({ body: z.string() });

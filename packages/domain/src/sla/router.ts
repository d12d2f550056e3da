import { SetSlaPolicyInput, SlaPolicy, SlaPolicyStreamEvent, StreamSlaPolicyInput } from '@firmdesk/contract';
import { streamTopic } from '../procedures/stream-topic.ts';
import { trackedStreamOf } from '../procedures/tracked-stream.ts';
import { adminProcedure, NoInput, router } from '../procedures/trpc.ts';
import { getSlaPolicy, SLA_POLICY, setSlaPolicy } from './policy.ts';

export const slaRouter = router({
  get: adminProcedure({
    tag: 'Tickets',
    summary: 'Get the firm’s SLA policy: targets and business hours',
    scope: 'admin:read',
    permissions: ['view_tickets'],
    input: NoInput,
    output: SlaPolicy,
  }).query(({ ctx }) => getSlaPolicy(ctx)),

  set: adminProcedure({
    tag: 'Tickets',
    summary: 'Replace the firm’s SLA policy',
    scope: 'admin:write',
    // As for the assistant's settings.
    permissions: ['manage_assistant'],
    errors: ['precondition_failed'],
    input: SetSlaPolicyInput,
    output: SlaPolicy,
  }).mutation(({ ctx, input }) => setSlaPolicy(ctx, input)),

  live: adminProcedure({
    tag: 'Tickets',
    summary: 'Follow changes of the firm’s SLA policy',
    scope: 'admin:read',
    permissions: ['view_tickets'],
    input: StreamSlaPolicyInput,
    output: trackedStreamOf(SlaPolicyStreamEvent),
  }).subscription(({ ctx, input, signal }) =>
    streamTopic<SlaPolicyStreamEvent>(ctx, { subject: SLA_POLICY }, input, signal!),
  ),
});

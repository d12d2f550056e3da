import {
  ServiceTargets,
  ServiceTargetsStreamEvent,
  SetServiceTargetsInput,
  StreamServiceTargetsInput,
} from '@firmdesk/contract';
import { streamSubject } from '../procedures/stream-subject.ts';
import { trackedStreamOf } from '../procedures/tracked-stream.ts';
import { adminProcedure, NoInput, router } from '../procedures/trpc.ts';
import { getServiceTargets, SERVICE_TARGETS, setServiceTargets } from './policy.ts';

export const serviceTargetRouter = router({
  get: adminProcedure({
    tag: 'Tickets',
    summary: 'Get the firm’s service targets and business hours',
    scope: 'admin:read',
    permissions: ['view_tickets'],
    input: NoInput,
    output: ServiceTargets,
  }).query(({ ctx }) => getServiceTargets(ctx)),

  set: adminProcedure({
    tag: 'Tickets',
    summary: 'Replace the firm’s service targets and business hours',
    scope: 'admin:write',
    // As for the assistant's settings.
    permissions: ['manage_assistant'],
    errors: ['precondition_failed'],
    input: SetServiceTargetsInput,
    output: ServiceTargets,
  }).mutation(({ ctx, input }) => setServiceTargets(ctx, input)),

  live: adminProcedure({
    tag: 'Tickets',
    summary: 'Follow changes of the firm’s service targets',
    scope: 'admin:read',
    permissions: ['view_tickets'],
    input: StreamServiceTargetsInput,
    output: trackedStreamOf(ServiceTargetsStreamEvent),
  }).subscription(({ ctx, input, signal }) =>
    streamSubject<ServiceTargetsStreamEvent>(ctx, SERVICE_TARGETS, input, signal!),
  ),
});

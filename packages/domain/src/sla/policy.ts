import { isDeepStrictEqual } from 'node:util';
import {
  type ServiceTarget,
  type ServiceTargets,
  type SetServiceTargetsInput,
  type TicketPriority,
  ticketPriorities,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import { recordAudit } from '../access/audit.ts';
import { appendEvents } from '../platform/events/append-events.ts';
import { defineJob, enqueue } from '../platform/jobs/jobs.ts';
import { ApiError } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import type { StoredTargets } from './ticket-clock.ts';

const NO_TARGET: ServiceTarget = { first_response_minutes: null, resolution_minutes: null };
const NO_TARGETS: StoredTargets = {
  targets: Object.fromEntries(ticketPriorities.map((priority) => [priority, NO_TARGET])) as Record<
    TicketPriority,
    ServiceTarget
  >,
  warn_minutes: 15,
  hours: null,
};

/** Computes the due times of a firm's open tickets again, from the ticket after `after` on. */
export const refreshDueTimesJob = defineJob(
  'tickets.refresh_due',
  z.object({ workspace: z.int(), after: z.string().optional() }),
);

/** The subject of the events about a firm's targets. */
export const SERVICE_TARGETS = 'service_targets';

/** After this time the due times are computed once more, for tickets that were being opened during the change. */
const REPEAT_MS = 10_000;

/** Returns the firm's targets and business hours. */
export async function getServiceTargets(ctx: AccountContext): Promise<ServiceTargets> {
  return { object: 'service_targets', ...((await read(ctx)) ?? NO_TARGETS) };
}

/**
 * Replaces the firm's targets and business hours, and publishes that they change. A job then computes the due times of the open tickets
 * again. Throws `precondition_failed` if the firm no longer has what is expected.
 */
export async function setServiceTargets(
  ctx: AccountContext,
  { expected, ...settings }: SetServiceTargetsInput,
): Promise<ServiceTargets> {
  const { id, slug } = ctx.workspace;
  const before = await read(ctx, sql`for no key update`);
  if (expected && !isDeepStrictEqual(before ?? NO_TARGETS, expected))
    throw new ApiError('precondition_failed', {
      message: 'Others have changed the service targets since you read them. Check them, then save again.',
    });
  await sql`update workspaces set service_targets = ${JSON.stringify(settings)}::jsonb where id = ${id}`.execute(
    ctx.db,
  );
  await recordAudit({ ...ctx, actor: { kind: 'account', id: ctx.identity.user.id } }, id, {
    action: 'firm.service_targets_changed',
    target: { type: 'firm', id: slug },
    before: { service_targets: before },
    after: { service_targets: settings },
  });
  await appendEvents(ctx, id, [{ subject: SERVICE_TARGETS, type: 'service_targets.changed', body: {} }]);
  for (const afterMs of [0, REPEAT_MS])
    await enqueue(
      ctx,
      refreshDueTimesJob,
      { workspace: id },
      { key: `tickets.refresh_due:${id}:${afterMs}`, afterMs },
    );
  return { object: 'service_targets', ...settings };
}

async function read({ db, workspace }: AccountContext, lock = sql``): Promise<StoredTargets | null> {
  const { rows } = await sql<{ service_targets: StoredTargets | null }>`
    select service_targets from workspaces where id = ${workspace.id} ${lock}`.execute(db);
  return rows[0]!.service_targets;
}

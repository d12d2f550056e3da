import { isDeepStrictEqual } from 'node:util';
import {
  type BusinessHours,
  type SetSlaPolicyInput,
  type SlaPolicy,
  type SlaTargets,
  type TicketPriority,
  ticketPriorities,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import { recordAudit } from '../access/audit/audit.ts';
import { Workspace } from '../access/workspaces/workspace.entity.ts';
import { appendEvents } from '../platform/events/append-events.ts';
import { defineJob, enqueue } from '../platform/jobs/jobs.ts';
import { ApiError } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import type { StoredSlaPolicy } from './ticket-clock.ts';

const NO_TARGETS: SlaTargets = { first_response_minutes: null, resolution_minutes: null };
const NO_POLICY: StoredSlaPolicy = {
  targets: Object.fromEntries(ticketPriorities.map((priority) => [priority, NO_TARGETS])) as Record<
    TicketPriority,
    SlaTargets
  >,
  warn_minutes: 15,
  hours: null,
};

/** Computes the due times of a firm's open tickets again, from the ticket after `after` on. */
export const refreshDueTimesJob = defineJob(
  'tickets.refresh_due',
  z.object({ workspace: z.int(), after: z.string().optional() }),
);

/** The subject of the events about a firm's SLA policy. */
export const SLA_POLICY = 'sla_policy';

/** After this time the due times are computed once more, for tickets that were being opened during the change. */
const REPEAT_MS = 10_000;

/** Returns the firm's SLA policy. */
export async function getSlaPolicy(ctx: AccountContext): Promise<SlaPolicy> {
  return { object: 'service_targets', ...((await read(ctx)) ?? NO_POLICY) };
}

/**
 * Replaces the firm's SLA policy, and publishes that it changes. A job then computes the due times of the open tickets
 * again. Throws `precondition_failed` if the firm no longer has what is expected.
 */
export async function setSlaPolicy(
  ctx: AccountContext,
  { expected, ...settings }: SetSlaPolicyInput,
): Promise<SlaPolicy> {
  const { id, slug } = ctx.workspace;
  const before = await read(ctx, sql`for no key update`);
  if (expected && !isDeepStrictEqual(before ?? NO_POLICY, expected))
    throw new ApiError('precondition_failed', {
      message: 'Others have changed the SLA since you read it. Check it, then save again.',
    });
  const firm = await ctx.em.findOneOrFail(Workspace, id);
  firm.slaPolicy = settings;
  await recordAudit({ ...ctx, actor: { kind: 'account', id: ctx.identity.user.id } }, id, {
    action: 'firm.service_targets_changed',
    target: { type: 'firm', id: slug },
    before: { service_targets: before },
    after: { service_targets: settings },
  });
  await appendEvents(ctx, id, [{ subject: SLA_POLICY, type: 'service_targets.changed', body: {} }]);
  for (const afterMs of [0, REPEAT_MS])
    await enqueue(
      ctx,
      refreshDueTimesJob,
      { workspace: id },
      { key: `tickets.refresh_due:${id}:${afterMs}`, afterMs },
    );
  return { object: 'service_targets', ...settings };
}

/** Returns the firm's business hours; null if it has none. */
export async function readBusinessHours(ctx: AccountContext): Promise<BusinessHours | null> {
  return (await read(ctx))?.hours ?? null;
}

async function read({ db, workspace }: AccountContext, lock = sql``): Promise<StoredSlaPolicy | null> {
  const { rows } = await sql<{ sla_policy: StoredSlaPolicy | null }>`
    select sla_policy from workspaces where id = ${workspace.id} ${lock}`.execute(db);
  return rows[0]!.sla_policy;
}

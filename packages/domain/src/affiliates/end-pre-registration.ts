import {
  type PreRegistration,
  type PreRegistrationAction,
  preRegistrationTransitions,
} from '@firmdesk/contract';
import { LockMode } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { stopProductMail } from '../mail/index.ts';
import { withTransaction } from '../platform/database/transaction.ts';
import { allFirms } from '../platform/distribution/all-firms.ts';
import { ApiError } from '../platform/process/errors.ts';
import type { Services } from '../platform/services.ts';
import { writeWebhookEvents } from '../webhooks/index.ts';
import { PreRegistration as PreRegistrationEntity } from './pre-registration.entity.ts';
import {
  columnsAt,
  type FirmContext,
  readPreRegistration,
  toPreRegistration,
  webhookEventOf,
} from './pre-registration.ts';

/** The number of rows that one statement expires. */
const EXPIRE_BATCH = 1000;

/** Claims the reserved code of a pre-registration for its affiliate. Throws `resource_not_found`, `pre_registration_ended`. */
export function claimPreRegistration(ctx: FirmContext, { id }: { id: string }): Promise<PreRegistration> {
  return end(ctx, 'claim', id);
}

/** Revokes a pre-registration. Throws `resource_not_found`, `pre_registration_ended`. */
export function revokePreRegistration(ctx: FirmContext, { id }: { id: string }): Promise<PreRegistration> {
  return end(ctx, 'revoke', id);
}

/** Ends a pre-registration. Of two concurrent calls, the second waits for the lock, and fails. */
async function end(
  ctx: FirmContext,
  action: Exclude<PreRegistrationAction, 'expire'>,
  id: string,
): Promise<PreRegistration> {
  const { em, workspace, now } = ctx;
  const { from, to } = preRegistrationTransitions[action];
  const key = { workspaceId: workspace.id, id };
  const entity = await em.findOneOrFail(PreRegistrationEntity, key, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const { status } = await readPreRegistration(ctx, id);
  if (status !== from)
    throw new ApiError('pre_registration_ended', { message: `The pre-registration is ${status}.` });
  entity.status = to;
  if (to === 'claimed') entity.claimedAt = now;
  await em.flush();
  await stopProductMail(ctx, workspace.id, id, `The pre-registration is ${to}.`);
  const ended = await readPreRegistration(ctx, id);
  await writeWebhookEvents(ctx, workspace.id, () => [webhookEventOf(ended, to)]);
  return ended;
}

/** Sets the status of expired pre-registrations in all firms, in batches. Returns their number. Reads do not depend on it. */
export async function expirePreRegistrations(services: Services, batch = EXPIRE_BATCH): Promise<number> {
  let total = 0;
  for (let found = batch; found === batch; ) {
    const expired = await findExpired(services, batch);
    found = expired.length;
    for (const [firm, rows] of Map.groupBy(expired, ({ workspace_id }) => workspace_id)) {
      total += await expire(
        services,
        firm,
        rows.map(({ id }) => id),
      );
    }
  }
  return total;
}

async function findExpired({ firmServers, clock }: Services, limit: number) {
  const { from } = preRegistrationTransitions.expire;
  return firmServers.readAll<{ workspace_id: number; id: string }>({
    text: (isAmong) => `${allFirms('pre-registrations')}
    select workspace_id, id from affiliate_pre_registrations
    where status = $1 and expires_at <= $2 and ${isAmong('workspace_id')} order by expires_at limit $3`,
    values: [from, clock.now().toISOString(), limit],
  });
}

/** Stores the expiry of a firm's pre-registrations that are still pending. Returns their number. */
function expire(services: Services, firm: number, ids: string[]): Promise<number> {
  const { from, to } = preRegistrationTransitions.expire;
  return withTransaction(services, async (ctx) => {
    const { rows } = await sql<{ id: string }>`
      update affiliate_pre_registrations set status = ${to}
      where workspace_id = ${firm} and id = any(${ids}) and status = ${from} and expires_at <= ${ctx.now.toISOString()}
      returning id`.execute(ctx.db);
    if (rows.length === 0) return 0;
    await writeWebhookEvents(ctx, firm, async () => {
      const expired = await ctx.db
        .selectFrom('affiliate_pre_registrations')
        .select(columnsAt(ctx.now))
        .where('workspace_id', '=', firm)
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .execute();
      return expired.map((row) => webhookEventOf(toPreRegistration(row), to));
    });
    return rows.length;
  });
}

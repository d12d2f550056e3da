import {
  type PreRegistration,
  type PreRegistrationAction,
  preRegistrationTransitions,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import type { Services } from '../platform/services.ts';
import { withTransaction } from '../platform/transaction.ts';
import { columnsAt, type FirmContext, statusAt, toPreRegistration } from './pre-registration.ts';

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

/** Ends a pre-registration with one conditional update, so that only one of two concurrent calls succeeds. */
async function end(
  { em, workspace, now }: FirmContext,
  action: Exclude<PreRegistrationAction, 'expire'>,
  id: string,
): Promise<PreRegistration> {
  const { from, to } = preRegistrationTransitions[action];
  const db = sqlOf(em);
  const row = await db
    .updateTable('affiliate_pre_registrations')
    .set({ status: to, ...(to === 'claimed' && { claimed_at: now }) })
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', id)
    .where(statusAt(now), '=', from)
    .returning(columnsAt(now))
    .executeTakeFirst();
  if (row) return toPreRegistration(row);
  const found = await db
    .selectFrom('affiliate_pre_registrations')
    .select(statusAt(now).as('status'))
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!found) throw new ApiError('resource_not_found');
  throw new ApiError('pre_registration_ended', { message: `The pre-registration is ${found.status}.` });
}

/** Sets the status of expired pre-registrations in all firms, in batches. Returns their number. Reads do not depend on it. */
export async function expirePreRegistrations(services: Services, batch = EXPIRE_BATCH): Promise<number> {
  let total = 0;
  for (let expired = batch; expired === batch; total += expired) {
    expired = await withTransaction(services, (ctx) => expireBatch(ctx, batch));
  }
  return total;
}

async function expireBatch({ em, now }: OperationContext, batch: number): Promise<number> {
  const { from, to } = preRegistrationTransitions.expire;
  const { numAffectedRows } = await sql`
    update affiliate_pre_registrations set status = ${to}
    where id in (
      select id from affiliate_pre_registrations
      where status = ${from} and expires_at <= ${now.toISOString()}
      order by expires_at
      limit ${batch}
      for update skip locked)`.execute(sqlOf(em));
  return Number(numAffectedRows);
}

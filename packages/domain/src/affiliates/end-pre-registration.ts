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

/** Written down at once by one statement, at most. */
const EXPIRED_AT_ONCE = 1000;

/** The reserved code becomes its affiliate's. Raises `resource_not_found`, `pre_registration_ended`. */
export function claimPreRegistration(ctx: FirmContext, { id }: { id: string }): Promise<PreRegistration> {
  return end(ctx, 'claim', id);
}

/** The firm takes the reservation back. Raises `resource_not_found`, `pre_registration_ended`. */
export function revokePreRegistration(ctx: FirmContext, { id }: { id: string }): Promise<PreRegistration> {
  return end(ctx, 'revoke', id);
}

/** One conditional update: of two that would end it, one does. */
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

/** Writes down, batch by batch, what has expired in any firm; readers need not wait for it. Returns how many. */
export async function expirePreRegistrations(services: Services, batch = EXPIRED_AT_ONCE): Promise<number> {
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

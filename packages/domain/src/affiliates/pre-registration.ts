import type { PreRegistration, PreRegistrationStatus } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../platform/database/context.ts';
import { ApiError } from '../platform/process/errors.ts';
import type { NewWebhookEvent } from '../webhooks/index.ts';

/** The context of an operation in a firm. */
export interface FirmContext extends OperationContext {
  workspace: { id: number };
}

/** The status at a time: `pending` past `expires_at` is `expired`, even before the job has updated the row. */
export function statusAt(now: Date) {
  return sql<PreRegistrationStatus>`
    case when status = 'pending' and expires_at <= ${now.toISOString()} then 'expired' else status end`;
}

/** The columns for {@link toPreRegistration}. */
export function columnsAt(now: Date) {
  return [
    'id',
    'email',
    'referral_code',
    'referral_url',
    statusAt(now).as('status'),
    'source',
    'metadata',
    'created_at',
    'expires_at',
    'claimed_at',
    'last_sent_at',
  ] as const;
}

/** Returns a pre-registration of the firm. Throws `resource_not_found`. */
export async function readPreRegistration(
  { db, workspace, now }: FirmContext,
  id: string,
): Promise<PreRegistration> {
  const row = await db
    .selectFrom('affiliate_pre_registrations')
    .select(columnsAt(now))
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw new ApiError('resource_not_found');
  return toPreRegistration(row);
}

/** Converts a row to the object of the contract. */
export function toPreRegistration(row: Omit<PreRegistration, 'object'>): PreRegistration {
  return { object: 'affiliate_pre_registration', ...row };
}

/** Returns the event of a pre-registration for the firm's webhooks. */
export function webhookEventOf(
  data: PreRegistration,
  what: 'created' | Exclude<PreRegistrationStatus, 'pending'>,
): NewWebhookEvent {
  return { type: `pre_registration.${what}`, subject: data.id, person: data.email, data };
}

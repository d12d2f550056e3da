import type { PreRegistration, PreRegistrationStatus } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../platform/context.ts';

/** The firm that an operation acts in. */
export interface FirmContext extends OperationContext {
  workspace: { id: number };
}

/** The state at a moment: `pending` past `expires_at` is `expired`, whether or not the job has written it down. */
export function statusAt(now: Date) {
  return sql<PreRegistrationStatus>`
    case when status = 'pending' and expires_at <= ${now.toISOString()} then 'expired' else status end`;
}

/** What a plain query selects for {@link toPreRegistration}. */
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

export function toPreRegistration(row: Omit<PreRegistration, 'object'>): PreRegistration {
  return { object: 'affiliate_pre_registration', ...row };
}

import type { PreRegistration } from '@firmdesk/contract';
import { LockMode } from '@mikro-orm/postgresql';
import { ApiError } from '../platform/process/errors.ts';
import { PreRegistration as PreRegistrationEntity } from './pre-registration.entity.ts';
import { type FirmContext, readPreRegistration } from './pre-registration.ts';
import { sendReservation } from './send-reservation.ts';

/** The shortest time between two mails about one reservation. */
const RESEND_MS = 600_000;

/**
 * Sends the mail about a pending reservation again. Throws `resource_not_found`, `pre_registration_ended`, and `rate_limited` if the latest mail is not ten
 * minutes old. Of two concurrent calls, the second waits for the lock, and fails.
 */
export async function resendPreRegistration(
  ctx: FirmContext,
  { id }: { id: string },
): Promise<PreRegistration> {
  const { em, workspace, now } = ctx;
  const key = { workspaceId: workspace.id, id };
  const entity = await em.findOneOrFail(PreRegistrationEntity, key, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const { status, last_sent_at } = await readPreRegistration(ctx, id);
  if (status !== 'pending')
    throw new ApiError('pre_registration_ended', { message: `The pre-registration is ${status}.` });
  const waitMs = Date.parse(last_sent_at) + RESEND_MS - now.getTime();
  if (waitMs > 0)
    throw new ApiError('rate_limited', {
      message: 'The mail was sent less than 10 minutes ago.',
      retryAfterSeconds: Math.ceil(waitMs / 1_000),
      limit: 'pre_registration_mail',
    });
  entity.lastSentAt = now;
  await em.flush();
  const resent = await readPreRegistration(ctx, id);
  await sendReservation(ctx, resent);
  return resent;
}

import type { PreRegisterInput, PreRegistration } from '@firmdesk/contract';
import { sql } from 'kysely';
import { invalidField } from '../platform/process/errors.ts';
import { newId } from '../platform/process/ids.ts';
import { writeWebhookEvents } from '../webhooks/index.ts';
import { PreRegistration as PreRegistrationEntity } from './pre-registration.entity.ts';
import { type FirmContext, readPreRegistration, statusAt, webhookEventOf } from './pre-registration.ts';
import { sendReservation } from './send-reservation.ts';

/**
 * Reserves a referral code in a firm, and sends a mail about it. Codes are case-insensitive. A code is taken while its pre-registration is pending, and
 * permanently once it is claimed. Throws `validation_failed` for a taken code, and for an expiry that is not in the future.
 */
export async function preRegister(ctx: FirmContext, input: PreRegisterInput): Promise<PreRegistration> {
  const { em, db, now, workspace } = ctx;
  const expiresAt = input.expires_at === undefined ? null : new Date(input.expires_at);
  if (expiresAt && expiresAt <= now) throw invalidField('expires_at', 'must be in the future');
  const code = input.referral_code.toLowerCase();
  // Serializes calls for one code until the transaction ends. A unique index is not possible: imported data may contain
  // a code twice.
  await sql`select pg_advisory_xact_lock(${workspace.id}, hashtext(${code}))`.execute(db);
  const taken = await db
    .selectFrom('affiliate_pre_registrations')
    .select('id')
    .where('workspace_id', '=', workspace.id)
    .where(sql`lower(referral_code)`, '=', code)
    .where(statusAt(now), 'in', ['pending', 'claimed'])
    .executeTakeFirst();
  if (taken) throw invalidField('referral_code', 'is already taken');
  const { id } = em.create(PreRegistrationEntity, {
    workspaceId: workspace.id,
    id: newId('preRegistration', now),
    email: input.email,
    referralCode: input.referral_code,
    referralUrl: input.referral_url,
    status: 'pending',
    source: input.source,
    metadata: input.metadata,
    createdAt: now,
    expiresAt,
    lastSentAt: now,
  });
  await em.flush();
  const reserved = await readPreRegistration(ctx, id);
  await sendReservation(ctx, reserved);
  await writeWebhookEvents(ctx, workspace.id, () => [webhookEventOf(reserved, 'created')]);
  return reserved;
}

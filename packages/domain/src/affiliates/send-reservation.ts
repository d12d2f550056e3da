import type { PreRegistration } from '@firmdesk/contract';
import { sql } from 'kysely';
import { queueProductMail } from '../mail/index.ts';
import { renderTemplate } from '../templates/index.ts';
import type { FirmContext } from './pre-registration.ts';

/** Requests the mail that tells an affiliate of their pending reservation. It is not sent after the reservation has ended. */
export async function sendReservation(
  ctx: FirmContext,
  { id, email, referral_code, referral_url, expires_at }: PreRegistration,
): Promise<void> {
  const { workspace } = ctx;
  const { rows } = await sql<{ name: string }>`
    select name from workspaces where id = ${workspace.id}`.execute(ctx.db);
  const { subject, html } = await renderTemplate(ctx, 'pre_registration', workspace, 'en', {
    firm_name: rows[0]!.name,
    email,
    referral_code,
    referral_url,
    expires_at: expires_at === null ? null : `${expires_at.slice(0, 16).replace('T', ' ')} UTC`,
  });
  await queueProductMail(ctx, {
    workspaceId: workspace.id,
    to: { email, name: null },
    subject,
    html,
    about: id,
    sendUntil: expires_at === null ? null : new Date(expires_at),
    isAutomatic: true,
  });
}

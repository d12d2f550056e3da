import { sql } from 'kysely';
import { createChallenge } from '../../access/sign-in/challenges.ts';
import { newContext } from '../../platform/database/transaction.ts';
import type { Services } from '../../platform/services.ts';
import { renderTemplate } from '../../templates/index.ts';
import { systemAddress } from './system-address.ts';
import type { PasswordResetContent } from './system-mail.ts';
import type { WrittenMail } from './written-mail.ts';

/**
 * Writes the mail with the link for a new password. The link is made with each attempt to send it and is in no row: the mail that is stored until
 * then names the page only.
 */
export async function writePasswordReset(
  services: Services,
  workspaceId: number,
  { userId, content }: { userId: string; content: PasswordResetContent },
): Promise<WrittenMail> {
  const ctx = newContext(services);
  const { rows } = await sql<{ email: string; name: string; language: string; firm: string }>`
    select u.email, u.name, u.language, w.name as firm from users u, workspaces w
    where u.id = ${userId} and u.deleted_at is null and u.deactivated_at is null and w.id = ${workspaceId}`.execute(
    ctx.db,
  );
  const [user] = rows;
  if (!user) return { reason: 'The account has ended.' };
  const { text, expiresAt } = await createChallenge(ctx, 'password_reset', userId);
  const written = await renderTemplate(ctx, 'password_reset', { id: workspaceId }, user.language, {
    firm_name: user.firm,
    name: user.name,
    // After the hash, so that no server and no log gets it.
    reset_url: `${content.page}#${text}`,
    expires_at: `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  });
  return {
    message: {
      from: { name: user.firm, address: systemAddress(services) },
      to: { name: user.name, address: user.email },
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...written,
    },
    returnPath: '',
  };
}

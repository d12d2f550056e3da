import { sql } from 'kysely';
import { IS_ENABLED } from '../access/policy.ts';
import { findSignInWorkspaces } from '../access/tokens/sign-in-workspaces.ts';
import { queueSystemMail, type SecurityChange, securityNoticeText } from '../mail/index.ts';
import { raiseNotification } from '../notifications/index.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { DAY_MS, MINUTE_MS } from '../platform/process/clock.ts';

/** Firms of an account in which it is notified. */
const MAX_FIRMS = 20;
/** Mails that an account gets in an hour. */
const MAX_MAILS_PER_HOUR = 20;

interface Change {
  userId: string;
  change: SecurityChange;
  /** The network of the caller; null for an operator. */
  network: string | null;
  /** The session that has made the change, whose devices get no push. */
  session?: string;
}

/**
 * Tells the owner of an account that how it signs in has changed, in the notification centre of each of its firms, because the owner can have any of
 * them open, and by one mail. Neither says more than what happened, when and from which network.
 */
export async function notifySecurityChange(
  ctx: OperationContext,
  { userId, change, network, session }: Change,
): Promise<void> {
  const { rows } = await sql<{ language: string; timezone: string; isStaff: boolean }>`
    select u.language, u.timezone, u.is_staff as "isStaff" from users u
    where u.id = ${userId} and ${sql.raw(IS_ENABLED)}`.execute(ctx.db);
  const [user] = rows;
  if (!user) return;
  const workspaces = await findSignInWorkspaces(ctx, { id: userId, isStaff: user.isStaff });
  const firms = workspaces.filter(({ isSuspended }) => !isSuspended).slice(0, MAX_FIRMS);
  const content = { change, at: ctx.now.toISOString(), network };
  for (const workspace of firms)
    await raiseNotification(ctx, {
      workspace,
      kind: 'sign_in_changed',
      ...securityNoticeText(user, content),
      actionUrl: '/account/sign-in',
      to: [userId],
      exceptSession: session,
    });
  const [first] = firms;
  if (!first || (await hasEnoughMails(ctx, first.id, userId))) return;
  await queueSystemMail(ctx, first.id, {
    kind: 'security_notice',
    userId,
    about: `security ${userId} ${change} ${content.at}`,
    content,
    sendUntil: new Date(ctx.now.getTime() + 7 * DAY_MS).toISOString(),
  });
}

async function hasEnoughMails(
  { db, now }: OperationContext,
  workspaceId: number,
  userId: string,
): Promise<boolean> {
  const since = new Date(now.getTime() - 60 * MINUTE_MS).toISOString();
  const { rows } = await sql`
    select from outgoing_messages
    where workspace_id = ${workspaceId} and user_id = ${userId} and kind = 'security_notice' and send_at > ${since}
    limit 1 offset ${MAX_MAILS_PER_HOUR - 1}`.execute(db);
  return rows.length > 0;
}

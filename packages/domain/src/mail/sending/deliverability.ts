import { sql } from 'kysely';
import { raiseNotification } from '../../notifications/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';

/** The shares of the mail of a day beyond which a firm is warned: mail servers refuse senders whose shares are higher. */
const MAX_BOUNCES = 0.05;
const MAX_COMPLAINTS = 0.001;
/** So many are needed at least: one of a few messages tells nothing about a firm. */
const FEWEST_BOUNCES = 5;
const FEWEST_COMPLAINTS = 2;

interface Day {
  slug: string;
  answered: number;
  bounced: number;
  complaints: number;
  is_raised: boolean;
}

/**
 * Raises `mail_deliverability` if too much of the mail that servers have answered on this day (UTC) was refused or returned, or is called spam: at most
 * once a day.
 */
export async function checkDeliverability(ctx: OperationContext, workspaceId: number): Promise<void> {
  const { db, now } = ctx;
  const day = `${now.toISOString().slice(0, 10)}T00:00:00.000Z`;
  // So that two bounces at once raise it once.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mail_deliverability ${workspaceId}`}, 0))`.execute(
    db,
  );
  const { rows } = await sql<Day>`
    select w.slug, r.answered, r.bounced, (
        select count(*)::integer from outgoing_recipients c where c.workspace_id = ${workspaceId} and c.complained_at >= ${day}
      ) as complaints,
      exists (select from notifications n
        where n.workspace_id = ${workspaceId} and n.kind = 'mail_deliverability' and n.created_at >= ${day}) as is_raised
    from workspaces w cross join lateral (
      select count(*)::integer as answered, count(*) filter (where state = 'failed')::integer as bounced
      from outgoing_recipients where workspace_id = ${workspaceId} and answered_at >= ${day}) r
    where w.id = ${workspaceId}`.execute(db);
  const { slug, answered, bounced, complaints, is_raised } = rows[0]!;
  const isReturned = bounced >= FEWEST_BOUNCES && bounced > MAX_BOUNCES * answered;
  const isCalledSpam = complaints >= FEWEST_COMPLAINTS && complaints > MAX_COMPLAINTS * answered;
  if (is_raised || !(isReturned || isCalledSpam)) return;
  await raiseNotification(ctx, {
    workspace: { id: workspaceId, slug },
    kind: 'mail_deliverability',
    title: 'Too much of the firm’s mail is returned',
    body: `Today ${bounced} of ${answered} messages were refused or returned, and ${complaints} were called spam. Mail servers may soon refuse more: send only to addresses that are known to be right.`,
    actionUrl: '/mail',
  });
}

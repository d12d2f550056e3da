import {
  type RateTicketInput,
  Rating,
  type SatisfactionSettings,
  type TicketSatisfaction,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import { recordAudit } from '../access/audit/audit.ts';
import { firmIdOf } from '../access/policy.ts';
import { openRatingLink, RATING_LINK_DAYS, type RatedTicket } from '../access/rating-link.ts';
import { logoUrl } from '../access/workspaces/logo.ts';
import { Workspace } from '../access/workspaces/workspace.entity.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { newContext, withTransaction } from '../platform/database/transaction.ts';
import { isServed } from '../platform/jobs/suspended-firms.ts';
import { DAY_MS } from '../platform/process/clock.ts';
import { ApiError, invalidField } from '../platform/process/errors.ts';
import type { Services } from '../platform/services.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/** What the page of a link shows. */
export interface RatingPage {
  firm: string;
  /** The URL of the firm's logo. */
  logo: string | null;
  subject: string;
  /** Of the trader. */
  language: string;
  /** What the trader answered before; null if nothing yet. */
  score: number | null;
  /** Whether the trader was asked more than {@link RATING_LINK_DAYS} days ago: the link records nothing any more. */
  isExpired: boolean;
}

/** Returns what the page of a link shows; null if the link, its ticket, its trader or its firm is not there any more. */
export async function readRatingPage(services: Services, link: string): Promise<RatingPage | null> {
  const ticket = await openRatingLink(services, link);
  return ticket && readPage(newContext(services), ticket);
}

/**
 * Stores what a trader says by a link, once, unless the link has expired. Returns what the page then shows; null as {@link readRatingPage} does. Throws `validation_failed`.
 */
export async function rateByLink(
  services: Services,
  link: string,
  input: { score: unknown; comment: unknown },
): Promise<RatingPage | null> {
  const ticket = await openRatingLink(services, link);
  if (!ticket) return null;
  // What the database cannot store is left out: the trader cannot see it either.
  const comment = typeof input.comment === 'string' ? input.comment.toWellFormed().replaceAll('\0', '') : '';
  const rating = Rating.safeParse({ score: Number(input.score), comment });
  if (!rating.success) throw invalidField('score', 'must be a number from 1 to 5');
  return services.firmServers.run(ticket.workspaceId, () =>
    withTransaction(services, async (ctx) => {
      const page = await readPage(ctx, ticket);
      if (!page || page.isExpired) return page;
      await store(ctx, ticket, rating.data);
      return readPage(ctx, ticket);
    }),
  );
}

/** Stores what a trader says to the platform, which decides when it asks. Throws `resource_not_found`, `validation_failed`, and `precondition_failed` if they said it before. */
export async function rateForTrader(
  ctx: AccountContext,
  { ticket, from, ...rating }: RateTicketInput,
): Promise<TicketSatisfaction> {
  const { db, workspace } = ctx;
  const { rows } = await sql<{ is_merged: boolean }>`
    select t.merged_into is not null as is_merged
    from tickets t join users u on u.id = t.trader_id
    where t.workspace_id = ${workspace.id} and t.id = ${ticket} and lower(u.email) = lower(${from}) and u.deleted_at is null
      and exists (select from memberships
      where workspace_id = ${firmIdOf(workspace.id)} and user_id = u.id)`.execute(db);
  if (!rows[0]) throw new ApiError('resource_not_found');
  if (rows[0].is_merged) throw invalidField('ticket', 'must not be a ticket that was merged into another');
  if (!(await store(ctx, { workspaceId: workspace.id, ticketId: ticket }, rating)))
    throw new ApiError('precondition_failed', { message: 'The trader has rated this ticket already.' });
  return getSatisfaction(ctx, { ticket });
}

/** Returns what the trader of a ticket was asked and answered. Throws `resource_not_found`. */
export async function getSatisfaction(
  { db, workspace }: AccountContext,
  { ticket }: { ticket: string },
): Promise<TicketSatisfaction> {
  const { rows } = await sql<{
    asked_at: string | null;
    score: number | null;
    comment: string | null;
    rated_at: string | null;
  }>`
    select r.asked_at, r.score, r.comment, r.rated_at from tickets t
    left join ticket_ratings r on r.workspace_id = ${workspace.id} and r.ticket_id = t.id
    where t.workspace_id = ${workspace.id} and t.id = ${ticket}`.execute(db);
  if (!rows[0]) throw new ApiError('resource_not_found');
  const { comment, ...rating } = rows[0];
  return { object: 'ticket_satisfaction', ticket_id: ticket, ...rating, comment: comment ?? '' };
}

/** Returns whether the firm's traders are asked. */
export async function getSatisfactionSettings({
  em,
  workspace,
}: AccountContext): Promise<SatisfactionSettings> {
  const { asksSatisfaction } = await em.findOneOrFail(Workspace, workspace.id);
  return { object: 'satisfaction_settings', asks: asksSatisfaction };
}

/** Sets whether the firm's traders are asked. */
export async function setSatisfactionSettings(
  ctx: AccountContext,
  { asks }: { asks: boolean },
): Promise<SatisfactionSettings> {
  const { em, workspace, identity } = ctx;
  const firm = await em.findOneOrFail(Workspace, workspace.id);
  const before = firm.asksSatisfaction;
  firm.asksSatisfaction = asks;
  await recordAudit({ ...ctx, actor: { kind: 'account', id: identity.user.id } }, workspace.id, {
    action: 'firm.satisfaction_changed',
    target: { type: 'firm', id: workspace.slug },
    before: { asks: before },
    after: { asks },
  });
  return { object: 'satisfaction_settings', asks };
}

async function readPage(
  { db, now, services }: OperationContext,
  { workspaceId, ticketId }: RatedTicket,
): Promise<RatingPage | null> {
  const { rows } = await sql<RatingPage>`
    select w.name as firm, w.logo_hash as logo, t.subject, coalesce(p.language, u.language) as language, r.score,
      coalesce(r.asked_at <= ${expiredSince(now)}::timestamptz, false) as "isExpired"
    from tickets t
    join workspaces w on w.id = t.workspace_id join users u on u.id = t.trader_id and u.deleted_at is null
    left join trader_profiles p on p.workspace_id = ${workspaceId} and p.user_id = u.id
    left join ticket_ratings r on r.workspace_id = ${workspaceId} and r.ticket_id = t.id
    where t.workspace_id = ${workspaceId}
    and t.id = ${ticketId} and ${sql.raw(isServed('w.id'))}`.execute(db);
  return rows[0] ? { ...rows[0], logo: logoUrl(services, rows[0].logo) } : null;
}

function expiredSince(now: Date): string {
  return new Date(now.getTime() - RATING_LINK_DAYS * DAY_MS).toISOString();
}

/** Stores a rating unless the ticket has one. Returns whether it did. */
async function store(
  { db, now }: OperationContext,
  { workspaceId, ticketId }: RatedTicket,
  { score, comment }: Rating,
): Promise<boolean> {
  const { rows } = await sql`
    insert into ticket_ratings as r (workspace_id, ticket_id, score, comment, rated_at)
    values (${workspaceId}, ${ticketId}, ${score}, ${comment}, ${now.toISOString()})
    on conflict (workspace_id, ticket_id) do update
      set score = excluded.score, comment = excluded.comment, rated_at = excluded.rated_at
      where r.score is null
    returning ticket_id`.execute(db);
  return rows.length > 0;
}

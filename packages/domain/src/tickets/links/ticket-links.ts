import {
  type LinkedTicket,
  type LinkTicketsInput,
  MAX_TICKET_LINKS,
  type TicketLinks,
} from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { OperationContext } from '../../platform/database/context.ts';
import { executeWrites } from '../../platform/database/execute-writes.ts';
import { appendEvents, eventsWrite } from '../../platform/events/append-events.ts';
import { invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { refetchEvent } from '../streams/publish.ts';
import type { TicketState } from '../ticket-state.ts';
import { lockBoth } from './lock-both.ts';
import { TicketLink } from './ticket-link.entity.ts';

/*
 * Links between tickets of a firm. A link is two rows, one for each ticket, so that a ticket's links are found by the key. Both are
 * written under the locks of both tickets.
 */

/** Links two tickets. Linked ones stay so. Throws `resource_not_found`, and `validation_failed` beyond {@link MAX_TICKET_LINKS}. */
export async function linkTickets(
  ctx: AccountContext,
  { ticket, other }: z.infer<typeof LinkTicketsInput>,
): Promise<TicketLinks> {
  if (ticket === other) throw invalidField('other', 'must be another ticket');
  await lockBoth(ctx, ctx.workspace.id, [ticket, other]);
  const [links, linksOfOther] = [
    await readLinks(ctx, ctx.workspace.id, ticket),
    await readLinks(ctx, ctx.workspace.id, other),
  ];
  if (links.some(({ id }) => id === other)) return toTicketLinks(ticket, links);
  if (Math.max(links.length, linksOfOther.length) >= MAX_TICKET_LINKS)
    throw invalidField('other', `must not exceed ${MAX_TICKET_LINKS} links of either ticket`);
  for (const [ticketId, otherId] of bothWays(ticket, other))
    ctx.em.create(TicketLink, { workspaceId: ctx.workspace.id, ticketId, otherId, createdAt: ctx.now });
  await ctx.em.flush();
  return publishLinks(ctx, ticket, other);
}

/** Links a new ticket with one that it follows, which is locked. Not limited: a trader who writes is never refused. */
export async function linkFollowUp(
  ctx: OperationContext,
  ticket: TicketState,
  earlier: Pick<TicketState, 'id'>,
): Promise<void> {
  const { workspace_id: workspaceId } = ticket;
  const at = ctx.now.toISOString();
  await executeWrites(ctx.db, [
    sql`
      insert into ticket_links (workspace_id, ticket_id, other_id, relation, created_at)
      values (${workspaceId}, ${ticket.id}, ${earlier.id}, 'follows', ${at}),
        (${workspaceId}, ${earlier.id}, ${ticket.id}, 'followed_by', ${at})`,
    eventsWrite(ctx, workspaceId, [refetchEvent(earlier.id)]),
  ]);
}

/** Removes the link between two tickets, if there is one. Throws `resource_not_found`. */
export async function unlinkTickets(
  ctx: AccountContext,
  { ticket, other }: z.infer<typeof LinkTicketsInput>,
): Promise<TicketLinks> {
  if (ticket === other) throw invalidField('other', 'must be another ticket');
  await lockBoth(ctx, ctx.workspace.id, [ticket, other]);
  for (const [ticketId, otherId] of bothWays(ticket, other))
    await ctx.em.nativeDelete(TicketLink, { workspaceId: ctx.workspace.id, ticketId, otherId });
  return publishLinks(ctx, ticket, other);
}

function bothWays(ticket: string, other: string) {
  return [
    [ticket, other],
    [other, ticket],
  ] as const;
}

/** Returns the statement that selects the tickets that a ticket is linked with, latest link first. */
export function selectLinks(
  firm: RawBuilder<unknown>,
  ticket: RawBuilder<unknown>,
): RawBuilder<LinkedTicket> {
  return sql`
    select o.id, '#' || o.number as number, o.subject, o.status, l.relation
    from ticket_links l join tickets o on o.workspace_id = ${firm} and o.id = l.other_id
    where l.workspace_id = ${firm} and l.ticket_id = ${ticket}
    order by l.created_at desc, o.id limit ${sql.lit(MAX_TICKET_LINKS)}`;
}

async function readLinks(
  { db }: OperationContext,
  workspaceId: number,
  ticket: string,
): Promise<LinkedTicket[]> {
  return (await selectLinks(sql`${workspaceId}::integer`, sql`${ticket}`).execute(db)).rows;
}

async function publishLinks(ctx: AccountContext, ticket: string, other: string): Promise<TicketLinks> {
  await appendEvents(ctx, ctx.workspace.id, [refetchEvent(ticket), refetchEvent(other)]);
  return toTicketLinks(ticket, await readLinks(ctx, ctx.workspace.id, ticket));
}

function toTicketLinks(ticket_id: string, links: LinkedTicket[]): TicketLinks {
  return { object: 'ticket_links', ticket_id, links };
}

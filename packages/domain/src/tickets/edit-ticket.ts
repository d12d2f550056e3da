import type {
  AssignInput,
  BlockAssistantInput,
  SetPriorityInput,
  SetStatusInput,
  SetTagsInput,
  SwitchAssistantInput,
  Ticket,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { IS_AGENT } from '../access/policy.ts';
import { sqlOf } from '../platform/database.ts';
import { invalidField } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { changeTicket, lockTicket, markMessagesRead, replaceTags, type TicketChange } from './changes.ts';
import { readTicket } from './get-ticket.ts';
import { handToAssistant } from './hand-to-assistant.ts';
import { statusAfter } from './status.ts';

/*
 * The team's changes of a ticket. Each returns the changed ticket, and throws `resource_not_found` for a ticket that is unknown
 * or of another firm.
 */

/** Assigns a ticket, in any status, to an agent, a team, both or neither. Throws `validation_failed` if they are not of the firm. */
export async function assignTicket(ctx: AccountContext, input: z.infer<typeof AssignInput>): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  const change: TicketChange = {};
  if (input.assignee !== undefined) {
    if (input.assignee !== null) await ensureAgent(ctx, input.assignee);
    change.assignee_id = input.assignee;
  }
  if (input.team !== undefined) {
    if (input.team !== null) await ensureTeam(ctx, input.team);
    change.team_id = input.team;
  }
  await changeTicket(ctx, ticket, change, ctx.identity.user.id);
  return readTicket(ctx, ctx.workspace.id, ticket.id);
}

/** Sets the ticket's priority, in any status. */
export async function setPriority(
  ctx: AccountContext,
  input: z.infer<typeof SetPriorityInput>,
): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  await changeTicket(ctx, ticket, { priority: input.priority }, ctx.identity.user.id);
  return readTicket(ctx, ctx.workspace.id, ticket.id);
}

/** Replaces the ticket's tags. Throws `validation_failed` for a tag that is deleted or not of the firm. */
export async function setTags(ctx: AccountContext, input: z.infer<typeof SetTagsInput>): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  const ids = [...new Set(input.tags)];
  const rows = await sqlOf(ctx.em)
    .selectFrom('tags')
    .select('id')
    .where('workspace_id', '=', ctx.workspace.id)
    .where('deleted_at', 'is', null)
    .where('id', '=', sql<number>`any(${ids})`)
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  const unknown = input.tags.findIndex((id) => !known.has(id));
  if (unknown >= 0) throw invalidField(`tags[${unknown}]`, 'must be the id of a tag of this firm');
  await replaceTags(ctx, ticket, ids);
  return readTicket(ctx, ctx.workspace.id, ticket.id);
}

/** Sets the ticket's status. Throws `ticket_ended`: `resolved` and `closed` are final. */
export async function setStatus(ctx: AccountContext, input: z.infer<typeof SetStatusInput>): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  const status = statusAfter(`set_${input.status}`, ticket.status);
  await ctx.services.ticketAssistant.stopObsoleteRuns(
    ctx,
    await changeTicket(ctx, ticket, { status }, ctx.identity.user.id),
  );
  return readTicket(ctx, ctx.workspace.id, ticket.id);
}

/** Marks the messages of the trader and the assistant as read. */
export async function markRead(ctx: AccountContext, input: { ticket: string }): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  await markMessagesRead(ctx, ticket);
  return readTicket(ctx, ctx.workspace.id, ticket.id);
}

/**
 * Switches the assistant on or off for the trader of a ticket. Throws `ticket_ended`; once the team has replied, switching it
 * on throws `assistant_unavailable`.
 */
export async function switchAssistant(
  ctx: AccountContext,
  input: z.infer<typeof SwitchAssistantInput>,
): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  if (input.enabled) await handToAssistant(ctx, ticket, ctx.identity.user.id);
  else {
    const change = { status: statusAfter('handed_to_team', ticket.status), ai_enabled: false };
    await ctx.services.ticketAssistant.stopObsoleteRuns(
      ctx,
      await changeTicket(ctx, ticket, change, ctx.identity.user.id),
    );
  }
  return readTicket(ctx, ctx.workspace.id, ticket.id);
}

/** Sets whether the trader may call the assistant back. An assistant that is on stays on. */
export async function blockAssistant(
  ctx: AccountContext,
  input: z.infer<typeof BlockAssistantInput>,
): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  await changeTicket(ctx, ticket, { ai_blocked: input.blocked }, ctx.identity.user.id);
  return readTicket(ctx, ctx.workspace.id, ticket.id);
}

/** Throws `validation_failed` unless the account is an agent of the firm. */
async function ensureAgent({ em, workspace }: AccountContext, userId: string): Promise<void> {
  const agent = await sqlOf(em)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('u.id')
    .where('m.workspace_id', '=', workspace.id)
    .where('m.user_id', '=', userId)
    .where(sql.raw<boolean>(IS_AGENT))
    .executeTakeFirst();
  if (!agent) throw invalidField('assignee', 'must be the id of an agent of this firm');
}

/** Throws `validation_failed` unless the team is one of the firm. */
async function ensureTeam({ em, workspace }: AccountContext, teamId: number): Promise<void> {
  const team = await sqlOf(em)
    .selectFrom('teams')
    .select('id')
    .where('id', '=', teamId)
    .where('workspace_id', '=', workspace.id)
    .executeTakeFirst();
  if (!team) throw invalidField('team', 'must be the id of a team of this firm');
}

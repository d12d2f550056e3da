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
import { selectAvatar } from '../../access/accounts/avatar.ts';
import { firmIdOf, MAY_ANSWER } from '../../access/policy.ts';
import { findTags } from '../../access/workspaces/find-tags.ts';
import { storeNotifications } from '../../notifications/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { sendDelayed } from '../messages/delayed-sends.ts';
import { handToAssistant } from '../messages/hand-to-assistant.ts';
import { ticketPath, toTicket } from '../ticket-row.ts';
import {
  type DelayedSendRow,
  lockTicket,
  lockTicketWithDelayed,
  type TicketChange,
  type TicketState,
} from '../ticket-state.ts';
import { changeTicket, markMessagesRead, markMessagesUnread, replaceTags } from './changes.ts';
import { isEnded, statusAfter } from './status.ts';

/*
 * The team's changes of a ticket. Each returns the changed ticket, and throws `resource_not_found` for a ticket that is unknown
 * or of another firm.
 */

/** Assigns a ticket, in any status, to an agent, who is notified, a team, both or neither. Throws `validation_failed` as {@link findAssignment}. */
export async function assignTicket(ctx: AccountContext, input: z.infer<typeof AssignInput>): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  const change = await findAssignment(ctx, input);
  const changed = await changeTicket(ctx, ticket, change, ctx.identity.user.id);
  if (changed.assignee_id !== ticket.assignee_id) await notifyAssigned(ctx, changed);
  return toTicket(ctx, changed);
}

/** Notifies the agent to whom the caller has assigned a ticket. */
async function notifyAssigned(ctx: AccountContext, ticket: TicketState): Promise<void> {
  const { assignee_id } = ticket;
  const { id: by } = ctx.identity.user;
  if (assignee_id === null || assignee_id === by) return;
  await storeNotifications(
    ctx,
    {
      workspaceId: ticket.workspace_id,
      kind: 'ticket_awaiting_admin',
      reason: 'assignment',
      personId: by,
      title: `assigned ticket #${ticket.number} to you`,
      body: ticket.subject,
      actionUrl: ticketPath(ticket.id),
    },
    [assignee_id],
  );
}

/** Sets the ticket's priority, in any status. */
export async function setPriority(
  ctx: AccountContext,
  input: z.infer<typeof SetPriorityInput>,
): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  return toTicket(ctx, await changeTicket(ctx, ticket, { priority: input.priority }, ctx.identity.user.id));
}

/** Replaces the ticket's tags. Throws `validation_failed` for a tag that is deleted or not of the firm. */
export async function setTags(ctx: AccountContext, input: z.infer<typeof SetTagsInput>): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  const tags = await findTags(ctx, input.tags, 'tags');
  return toTicket(ctx, await replaceTags(ctx, ticket, tags, ctx.identity.user.id));
}

/** Sets the ticket's status. An end first runs the delayed sends. Throws `ticket_ended`: `resolved` and `closed` are final. */
export async function setStatus(ctx: AccountContext, input: z.infer<typeof SetStatusInput>): Promise<Ticket> {
  const locked = await lockTicketWithDelayed(ctx, ctx.workspace.id, input.ticket);
  return toTicket(ctx, await setLockedStatus(ctx, locked, input.status, { by: ctx.identity.user.id }));
}

/** {@link setStatus} for a locked ticket. */
export async function setLockedStatus(
  ctx: OperationContext,
  { ticket, delayed }: { ticket: TicketState; delayed: readonly DelayedSendRow[] },
  to: z.infer<typeof SetStatusInput>['status'],
  { by, notifies = true }: { by: string | null; notifies?: boolean },
): Promise<TicketState> {
  const status = statusAfter(`set_${to}`, ticket.status);
  const before = isEnded(status) ? await sendDelayed(ctx, ticket, delayed) : ticket;
  const changed = await changeTicket(ctx, before, { status }, by, { notifies });
  return stopRuns(ctx, before, changed);
}

/** Marks the messages of the trader and the assistant as read. */
export async function markRead(ctx: AccountContext, input: { ticket: string }): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  return toTicket(ctx, await markMessagesRead(ctx, ticket));
}

/** Marks the latest message of the trader or the assistant as not read. */
export async function markUnread(ctx: AccountContext, input: { ticket: string }): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  return toTicket(ctx, await markMessagesUnread(ctx, ticket));
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
  if (input.enabled) return toTicket(ctx, await handToAssistant(ctx, ticket, ctx.identity.user.id));
  const status = statusAfter('handed_to_team', ticket.status);
  const changed = await changeTicket(ctx, ticket, { status, ai_enabled: false }, ctx.identity.user.id);
  return toTicket(ctx, await stopRuns(ctx, ticket, changed));
}

/** Sets whether the trader may call the assistant back. An assistant that is on stays on. */
export async function blockAssistant(
  ctx: AccountContext,
  input: z.infer<typeof BlockAssistantInput>,
): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  return toTicket(ctx, await changeTicket(ctx, ticket, { ai_blocked: input.blocked }, ctx.identity.user.id));
}

/** Stops the replies of the assistant that must no longer be written after a change of a locked ticket. Returns the ticket. */
async function stopRuns(
  ctx: OperationContext,
  { pending_runs }: TicketState,
  changed: TicketState,
): Promise<TicketState> {
  return pending_runs.length === 0 ? changed : ctx.services.ticketAssistant.stopObsoleteRuns(ctx, changed);
}

/**
 * Returns the columns of an assignment. Throws `validation_failed` unless the account is an agent of the firm who may answer, and the team one of
 * its teams.
 */
export async function findAssignment(
  { db, workspace }: AccountContext,
  { assignee, team }: Pick<z.infer<typeof AssignInput>, 'assignee' | 'team'>,
): Promise<TicketChange> {
  const found: TicketChange = {};
  if (assignee === null)
    Object.assign(found, { assignee_id: null, assignee_name: null, assignee_avatar: null });
  else if (assignee !== undefined) {
    const agents = await sql<TicketChange>`
      select u.id as assignee_id, u.name as assignee_name, ${sql.raw(selectAvatar('u'))} as assignee_avatar
      from memberships m join users u on u.id = m.user_id
      where m.workspace_id = ${firmIdOf(workspace.id)}
      and m.user_id = ${assignee} and ${sql.raw(MAY_ANSWER)}`.execute(db);
    if (!agents.rows[0])
      throw invalidField('assignee', 'must be the id of an agent of this firm who may answer tickets');
    Object.assign(found, agents.rows[0]);
  }
  if (team === null) Object.assign(found, { team_id: null, team_name: null });
  else if (team !== undefined) {
    const teams = await sql<TicketChange>`
      select id as team_id, name as team_name from teams
      where workspace_id = ${workspace.id} and id = ${team}`.execute(db);
    if (!teams.rows[0]) throw invalidField('team', 'must be the id of a team of this firm');
    Object.assign(found, teams.rows[0]);
  }
  return found;
}

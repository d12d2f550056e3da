import { macroTextIn, macroValues, type RuleAction, replaceVariables } from '@firmdesk/contract';
import { sql } from 'kysely';
import { firmIdOf, IS_AGENT } from '../../access/policy.ts';
import { countMacroUse, readMacro } from '../../macros/index.ts';
import { storeNotifications } from '../../notifications/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { applyAction, readActionTargets, type TicketAction } from '../bulk/ticket-action.ts';
import { addInternalMessage, addMessage, changeTicket } from '../changes/changes.ts';
import { recordTicketChanges, type TrackedProperties } from '../changes/history.ts';
import { isEnded, statusAfter } from '../changes/status.ts';
import { handToAssistant } from '../messages/hand-to-assistant.ts';
import { notifyTeam } from '../messages/notify-team.ts';
import { ticketPath } from '../ticket-row.ts';
import { lockTickets, type TicketState } from '../ticket-state.ts';
import { notifyOfAssignment } from './notify-of-assignment.ts';

/** What a rule cannot do, so that it switches itself off. The message says why, for its author. */
export class RuleFailure extends Error {}

/** A rule that runs, and the agent to whom the ticket was assigned when that happened for which it runs. */
export interface RunningRule {
  name: string;
  actions: readonly RuleAction[];
  assignee: string | null;
}

/**
 * Does what a rule does to a ticket whose lock the caller holds. Returns how many of its actions had an effect: what the ticket has
 * already, and what its state does not allow, is left out. Throws {@link RuleFailure} for what the firm no longer has.
 */
export async function applyRule(
  ctx: OperationContext,
  workspaceId: number,
  ticketId: string,
  rule: RunningRule,
): Promise<number> {
  let effects = 0;
  for (const action of rule.actions) {
    // Each action writes the ticket as it is after the one before.
    const [locked] = await lockTickets(ctx, workspaceId, [ticketId]);
    if (locked && (await apply(ctx, locked, action, rule))) effects++;
  }
  return effects;
}

type Locked = Awaited<ReturnType<typeof lockTickets>>[number];

async function apply(
  ctx: OperationContext,
  locked: Locked,
  action: RuleAction,
  rule: RunningRule,
): Promise<boolean> {
  const { ticket } = locked;
  switch (action.set) {
    case 'macro':
      return sendMacro(ctx, locked, action.macro, rule);
    case 'note':
      await addInternalMessage(ctx, ticket, {
        from: 'system',
        authorId: null,
        author: rule.name,
        body: action.body,
      });
      await recordEffect(ctx, ticket, 'note');
      return true;
    case 'notification':
      await notify(ctx, ticket, action.agent, rule.name);
      await recordEffect(ctx, ticket, 'notification');
      return true;
    case 'assistant':
      return setAssistant(ctx, ticket, action.enabled);
    case 'assignee':
      // Somebody has assigned the ticket since.
      if (ticket.assignee_id !== rule.assignee) return false;
      return change(ctx, locked, action);
    default:
      return change(ctx, locked, action);
  }
}

/** Changes the ticket as a bulk change does. Returns whether it has changed. */
async function change(ctx: OperationContext, locked: Locked, action: TicketAction): Promise<boolean> {
  const { ticket } = locked;
  const tags = 'tag' in action ? (ticket.tags ?? []).map(({ id }) => id) : [];
  const targets = await readActionTargets(ctx, ticket.workspace_id, [action], tags);
  const skipped = await applyAction(ctx, locked, action, targets, null);
  if (skipped === 'value_gone')
    throw new RuleFailure(`The ${nameOf(action)} that it sets is not in this firm any more.`);
  if (skipped === null && action.set === 'assignee' && action.assignee !== null)
    await notifyOfAssignment(ctx, ticket, action.assignee);
  return skipped === null;
}

function nameOf({ set }: TicketAction): string {
  if (set === 'assignee') return 'agent';
  return set === 'add_tag' || set === 'remove_tag' ? 'tag' : set;
}

/** Sends the text of a macro in the trader's language as a message of the firm, and makes the macro's changes. */
async function sendMacro(
  ctx: OperationContext,
  { ticket }: Locked,
  id: string,
  rule: RunningRule,
): Promise<boolean> {
  const { workspace_id } = ticket;
  const macro = await readMacro({ ...ctx, workspace: { id: workspace_id } }, id).catch((error: unknown) => {
    if (error instanceof ApiError) throw new RuleFailure('The macro that it sends was deleted.');
    throw error;
  });
  if (isEnded(ticket.status)) return false;
  const { rows } = await sql<{ firm: string; language: string }>`
    select w.name as firm, coalesce(
      (select language from trader_profiles where workspace_id = ${workspace_id} and user_id = ${ticket.trader_id}), u.language) as language
    from workspaces w join users u on u.id = ${ticket.trader_id}
    where w.id = ${workspace_id}`.execute(ctx.db);
  const { firm, language } = rows[0]!;
  const trader = { name: ticket.trader_name, deleted: ticket.trader_deleted };
  const values = macroValues({ number: `#${ticket.number}`, subject: ticket.subject, trader }, firm, firm);
  const body = replaceVariables(macroTextIn(macro, language).text, (name) => values[name]);
  const sent = await addMessage(ctx, ticket, { from: 'system', authorId: null, author: firm, body });
  await ctx.services.ticketMailer.sendReply(ctx, sent.ticket, sent.message);
  await countMacroUse(ctx, workspace_id, [id]);
  await recordEffect(ctx, ticket, 'macro');
  const { add_tags, priority, assignee, status } = macro.actions;
  const actions: TicketAction[] = add_tags.map((tag) => ({ set: 'add_tag', tag }));
  if (priority !== null) actions.push({ set: 'priority', priority });
  if (assignee !== null && assignee !== 'me' && ticket.assignee_id === rule.assignee)
    actions.push({ set: 'assignee', assignee });
  if (status !== null) actions.push({ set: 'status', status });
  for (const action of actions) {
    const [locked] = await lockTickets(ctx, workspace_id, [ticket.id]);
    if (locked) await change(ctx, locked, action);
  }
  return true;
}

async function notify(
  ctx: OperationContext,
  ticket: TicketState,
  agent: string | null,
  rule: string,
): Promise<void> {
  const title = `Ticket #${ticket.number}: ${rule}`;
  if (agent === null) {
    await notifyTeam(ctx, ticket, [], title);
    return;
  }
  const { rows } = await sql`
    select from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${firmIdOf(ticket.workspace_id)}
    and m.user_id = ${agent} and ${sql.raw(IS_AGENT)}`.execute(ctx.db);
  if (rows.length === 0) throw new RuleFailure('The agent whom it notifies is not in this firm any more.');
  await storeNotifications(
    ctx,
    {
      workspaceId: ticket.workspace_id,
      kind: 'ticket_awaiting_admin',
      title,
      body: ticket.subject,
      actionUrl: ticketPath(ticket.id),
    },
    [agent],
  );
}

/** Hands the ticket to the assistant or from it. Nothing changes where an agent could not either: the ticket has ended, or the team has replied. */
async function setAssistant(ctx: OperationContext, ticket: TicketState, enabled: boolean): Promise<boolean> {
  if (isEnded(ticket.status) || ticket.ai_enabled === enabled) return false;
  if (enabled)
    return handToAssistant(ctx, ticket).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && error.apiCode === 'assistant_unavailable') return false;
        throw error;
      },
    );
  const status = statusAfter('handed_to_team', ticket.status);
  const changed = await changeTicket(ctx, ticket, { status, ai_enabled: false });
  if (ticket.pending_runs.length > 0) await ctx.services.ticketAssistant.stopObsoleteRuns(ctx, changed);
  return true;
}

async function recordEffect(
  ctx: OperationContext,
  { workspace_id, id }: TicketState,
  rule_effect: TrackedProperties['rule_effect'],
): Promise<void> {
  await recordTicketChanges(ctx, workspace_id, null, [{ ticket: id, before: {}, after: { rule_effect } }]);
}
